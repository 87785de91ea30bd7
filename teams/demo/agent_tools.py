"""The tools of the demo teams: invented customers, payments and orders, and e-mail."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone
from pydantic import Field

from teams.demo import mail
from teams.demo.models import Customer, FiledFigures, Order, OrderStatus
from teams.demo.orders import Period, span
from teams.toolbox.base import ToolContext, ToolError
from teams.toolbox.registry import agent_tool


def _customer(customer_id: str) -> Customer:
    wanted = customer_id.strip()
    try:
        return Customer.objects.get(customer_id__iexact=wanted)
    except Customer.DoesNotExist as error:
        raise ToolError(
            f"There is no customer {wanted}. "
            "Customer ids are C- and four digits, such as C-1001."
        ) from error


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="Look up account {customer_id}",
    action_done="looked up account {customer_id}",
)
def lookup_account(customer_id: str) -> dict[str, Any]:
    """Look up a customer's account: name, e-mail address, plan, status, since when.

    Args:
        customer_id: The customer's id, such as C-1001.
    """
    customer = _customer(customer_id)
    return {
        "customer_id": customer.customer_id,
        "name": customer.name,
        "email": customer.email,
        "plan": customer.plan,
        "status": customer.status,
        "customer_since": customer.since,
    }


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="Read payments of {customer_id}",
    action_done="read payments of {customer_id}",
)
def list_payments(
    customer_id: str, limit: Annotated[int, Field(ge=1, le=50)] = 10
) -> dict[str, Any]:
    """List a customer's last payments, newest first: date, amount, method, reference.

    Args:
        customer_id: The customer's id, such as C-1001.
        limit: How many payments at most.
    """
    customer = _customer(customer_id)
    payments = customer.payments.values(
        "paid_on", "amount", "currency", "method", "reference"
    )[:limit]
    return {"customer_id": customer.customer_id, "payments": list(payments)}


@agent_tool(
    approval="always",
    action="Send an e-mail to {to}",
    action_done="sent an e-mail to {to}",
)
def send_email(
    context: ToolContext, subject: str, body: str, to: str = "me"
) -> dict[str, Any]:
    """Send an e-mail, by default to the person who asked.

    Args:
        subject: The subject, one line.
        body: The text of the e-mail.
        to: "me" for the person who asked, or one e-mail address.
    """
    address = mail.recipient(to, context.user.email)
    line = mail.one_line(subject)
    mail.send(to=address, subject=line, body=body, call_id=context.call_id)
    return {"status": "sent", "to": address, "subject": line}


def _order(order_number: str, orders: QuerySet[Order] | None = None) -> Order:
    wanted = order_number.strip().lstrip("#")
    rows = Order.objects.all() if orders is None else orders
    try:
        return rows.get(number=wanted)
    except Order.DoesNotExist as error:
        raise ToolError(
            f"There is no order {wanted}. Order numbers are five digits, such as 12345."
        ) from error


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="Look up order {order_number}",
    action_done="looked up order {order_number}",
)
def check_order_status(order_number: str) -> dict[str, Any]:
    """Look up one order: what was ordered and when, its amount and its status.

    Args:
        order_number: The number of the order, five digits, such as 12345.
    """
    order = _order(order_number)
    found = {
        "order_number": order.number,
        "item": order.item,
        "amount": order.amount,
        "currency": order.currency,
        "ordered_on": order.ordered_on,
        "status": order.get_status_display(),
    }
    return found | (
        {"return_number": order.return_number} if order.return_number else {}
    )


@agent_tool(
    replay_safe=True,
    action="Arrange the return of order {order_number}",
    action_done="arranged the return of order {order_number}",
)
def process_return(order_number: str, reason: str = "") -> dict[str, Any]:
    """Arrange the return of a delivered order that is damaged, wrong or unwanted.

    Args:
        order_number: The number of the order, five digits, such as 12345.
        reason: Why it goes back, in a few words.
    """
    with transaction.atomic():
        order = _order(order_number, Order.objects.select_for_update())
        if order.status not in (OrderStatus.DELIVERED, OrderStatus.RETURNING):
            raise ToolError(
                f"Order {order.number} is {order.status}: only delivered orders can "
                "be returned."
            )
        order.status = OrderStatus.RETURNING
        order.return_number = f"R-{order.number}"
        order.save(update_fields=["status", "return_number"])
    return {
        "order_number": order.number,
        "item": order.item,
        "return_number": order.return_number,
        "reason": reason.strip() or "not given",
        "next_step": "Put the return number on the parcel; pick-up is tomorrow.",
    }


@agent_tool(
    approval="always",
    action="Pay back the money for order {order_number}",
    action_done="paid back the money for order {order_number}",
)
def process_refund(order_number: str) -> dict[str, Any]:
    """Pay back the money for an order. A person approves it first.

    Args:
        order_number: The number of the order, five digits, such as 12345.
    """
    with transaction.atomic():
        order = _order(order_number, Order.objects.select_for_update())
        if order.status not in (OrderStatus.DELIVERED, OrderStatus.RETURNING):
            raise ToolError(f"Order {order.number} is {order.status}: not refunded.")
        order.status = OrderStatus.REFUNDED
        order.save(update_fields=["status"])
    return {
        "order_number": order.number,
        "refunded": order.amount,
        "currency": order.currency,
        "arrives": "within five working days",
    }


def _in(period: Period) -> tuple[QuerySet[Order], dict[str, Any]]:
    first, last = span(period, timezone.localdate())
    orders = Order.objects.filter(ordered_on__range=(first, last)).order_by()
    return orders, {"period": period, "from": first, "to": last}


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="Count the orders of {period}",
    action_done="counted the orders of {period}",
)
def count_orders(period: Period) -> dict[str, Any]:
    """Count the orders that came in within a period, in all and by status.

    Args:
        period: The period; weeks begin on Monday.
    """
    orders, about = _in(period)
    by_status = orders.values_list("status").annotate(number=Count("pk"))
    counts = {str(OrderStatus(status).label): n for status, n in by_status}
    return about | {"orders": sum(counts.values()), "by_status": counts}


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="Add up the revenue of {period}",
    action_done="added up the revenue of {period}",
)
def order_revenue(period: Period) -> dict[str, Any]:
    """Add up the amounts of all orders of a period: the revenue.

    Args:
        period: The period; weeks begin on Monday.
    """
    orders, about = _in(period)
    total = orders.aggregate(total=Sum("amount"))["total"] or 0
    return about | {"revenue": total, "currency": "EUR"}


@agent_tool(
    read_only=True,
    replay_safe=True,
    action="List the best sellers of {period}",
    action_done="listed the best sellers of {period}",
)
def best_sellers(
    period: Period, limit: Annotated[int, Field(ge=1, le=10)] = 3
) -> dict[str, Any]:
    """List the items that were ordered most within a period: the best sellers.

    Args:
        period: The period; weeks begin on Monday.
        limit: How many items to list.
    """
    orders, about = _in(period)
    items = orders.values("item").annotate(orders=Count("pk"))
    return about | {"items": list(items.order_by("-orders", "item")[:limit])}


@agent_tool(
    replay_safe=True,
    action="File figures in the archive",
    action_done="filed figures in the archive",
)
def file_figures(context: ToolContext, text: str, title: str = "") -> dict[str, Any]:
    """File figures in the archive; gives the number they can be found under.

    Args:
        text: The figures, complete.
        title: What they are about, one line.
    """
    filed, _new = FiledFigures.objects.get_or_create(
        call_id=context.call_id,
        defaults={"title": title.strip()[:200] or "Figures", "text": text},
    )
    return {"file_number": f"F-{filed.pk:04d}", "title": filed.title}

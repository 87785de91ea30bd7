"""The tools of the demo teams: invented customers, their payments, and e-mail."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from teams.demo import mail
from teams.demo.models import Customer
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


@agent_tool(read_only=True, replay_safe=True)
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


@agent_tool(read_only=True, replay_safe=True)
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


@agent_tool(approval="always")
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

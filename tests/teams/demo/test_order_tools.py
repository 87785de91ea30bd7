"""The tools of the shop's desks: look up, take back, pay back, file."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from teams.demo import data, orders
from teams.demo.agent_tools import (
    check_order_status,
    file_figures,
    process_refund,
    process_return,
)
from teams.demo.models import FiledFigures, Order, OrderStatus
from teams.toolbox.base import ToolContext, ToolError
from teams.toolbox.registry import registered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shop(db: None) -> None:
    data.load()
    orders.load()


def test_an_order_is_found_by_its_number() -> None:
    found = check_order_status(" #12345 ")
    assert (found["item"], found["status"]) == ("Wi-Fi router", "Delivered")
    with pytest.raises(ToolError, match="There is no order 99999"):
        check_order_status("99999")


def test_a_return_is_arranged_once_whatever_the_number_of_calls() -> None:
    first = process_return("12345", "damaged")
    assert first["return_number"] == "R-12345"
    assert process_return("12345", "damaged") == first
    assert check_order_status("12345")["return_number"] == "R-12345"


def test_only_what_was_delivered_goes_back_or_is_paid_back() -> None:
    Order.objects.filter(number="12345").update(status=OrderStatus.SHIPPED)
    with pytest.raises(ToolError, match="only delivered orders can be returned"):
        process_return("12345")
    with pytest.raises(ToolError, match="not refunded"):
        process_refund("12345")


def test_money_is_paid_back_once() -> None:
    assert str(process_refund("12345")["refunded"]) == "89.00"
    with pytest.raises(ToolError, match="Order 12345 is refunded"):
        process_refund("12345")


def test_a_refund_asks_a_person_by_default() -> None:
    function = registered("process_refund")
    assert function is not None
    assert (function.approval, function.replay_safe) == ("always", False)


def context(call: UUID) -> ToolContext:
    return ToolContext(user=User(username="alice"), run_id=uuid4(), call_id=call)


def test_figures_are_filed_once_a_call() -> None:
    call = uuid4()
    first = file_figures(context(call), "12 orders", "Last week")
    assert file_figures(context(call), "12 orders", "Last week") == first
    assert file_figures(context(uuid4()), "13 orders") != first
    assert FiledFigures.objects.count() == 2

"""The demo tools for accounts and payments."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from teams.demo.models import Customer
from teams.toolbox.base import ToolContext, ToolOutcome
from teams.toolbox.registry import registered
from teams.toolbox.running import run_tool

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def customer() -> Customer:
    customer = Customer.objects.create(
        customer_id="C-1001",
        name="Ada Example",
        email="ada@example.com",
        plan="Business",
        since=date(2021, 3, 4),
    )
    for day in range(1, 13):
        customer.payments.create(
            paid_on=date(2026, 1, day),
            amount=Decimal("19.90"),
            method="card",
            reference=f"P-{day:02}",
        )
    return customer


def test_an_account_is_looked_up(
    customer: Customer, tool: Any, given: ToolContext
) -> None:
    outcome = run_tool(tool("lookup_account"), {"customer_id": " c-1001"}, given)
    assert outcome.ok
    assert json.loads(outcome.text) == {
        "customer_id": "C-1001",
        "name": "Ada Example",
        "email": "ada@example.com",
        "plan": "Business",
        "status": "active",
        "customer_since": "2021-03-04",
    }


def test_the_last_payments_come_newest_first(
    customer: Customer, tool: Any, given: ToolContext
) -> None:
    arguments = {"customer_id": "C-1001", "limit": 1}
    outcome = run_tool(tool("list_payments"), arguments, given)
    assert json.loads(outcome.text) == {
        "customer_id": "C-1001",
        "payments": [
            {
                "paid_on": "2026-01-12",
                "amount": "19.90",
                "currency": "EUR",
                "method": "card",
                "reference": "P-12",
            }
        ],
    }


def test_ten_payments_are_listed_by_default_and_fifty_at_most(
    customer: Customer, tool: Any, given: ToolContext
) -> None:
    outcome = run_tool(tool("list_payments"), {"customer_id": "C-1001"}, given)
    assert len(json.loads(outcome.text)["payments"]) == 10
    arguments = {"customer_id": "C-1001", "limit": 51}
    assert run_tool(tool("list_payments"), arguments, given) == ToolOutcome(
        "limit must be at most 50, not 51.", ok=False
    )


@pytest.mark.parametrize("name", ["lookup_account", "list_payments"])
def test_an_unknown_customer_is_told_with_what_ids_look_like(
    name: str, tool: Any, given: ToolContext
) -> None:
    assert run_tool(tool(name), {"customer_id": "C-9999"}, given) == ToolOutcome(
        "There is no customer C-9999. "
        "Customer ids are C- and four digits, such as C-1001.",
        ok=False,
    )


def test_reading_is_marked_as_such_and_writing_asks() -> None:
    flags = {
        name: (found.read_only, found.replay_safe, found.approval)
        for name in ("lookup_account", "list_payments", "send_email")
        if (found := registered(name))
    }
    assert flags == {
        "lookup_account": (True, True, "never"),
        "list_payments": (True, True, "never"),
        "send_email": (False, False, "always"),
    }

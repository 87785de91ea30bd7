"""Invented orders: some for each day up to today, so that "last week" has an answer.

What is ordered on a date is always the same; a later start adds the days since.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from django.utils import timezone

from teams.demo.models import Customer, Order, OrderStatus

Period = Literal[
    "today",
    "yesterday",
    "this week",
    "last week",
    "week before last",
    "this month",
    "last month",
]

# Enough for the whole month before, whatever the day.
DAYS = 62
KNOWN_NUMBER, KNOWN_AGE = "12345", 6
ITEMS = (
    ("Wi-Fi router", Decimal("89.00")),
    ("Mesh repeater", Decimal("59.00")),
    ("TV box", Decimal("49.00")),
    ("Telephone", Decimal("39.00")),
    ("Network cable", Decimal("9.50")),
)


def load() -> int:
    """Add what is missing; an order that exists keeps its row. Answers how many."""
    today = timezone.localdate()
    buyers = list(Customer.objects.order_by("customer_id"))
    if buyers:
        Order.objects.bulk_create(_orders(today, buyers), ignore_conflicts=True)
    return Order.objects.count()


def _orders(today: date, buyers: list[Customer]) -> Iterator[Order]:
    item, amount = ITEMS[0]
    yield Order(
        number=KNOWN_NUMBER,
        customer=buyers[0],
        item=item,
        amount=amount,
        ordered_on=today - timedelta(days=KNOWN_AGE),
        status=OrderStatus.DELIVERED,
    )
    for age in range(DAYS):
        yield from _orders_of(today - timedelta(days=age), age, buyers)


def _orders_of(day: date, age: int, buyers: list[Customer]) -> Iterator[Order]:
    seed = day.toordinal()
    for position in range(2 + seed * 7 % 5):
        item, amount = ITEMS[(seed * 3 + position) % len(ITEMS)]
        yield Order(
            number=str(20_000 + seed % 5_000 * 10 + position),
            customer=buyers[(seed + position * 5) % len(buyers)],
            item=item,
            amount=amount,
            ordered_on=day,
            status=_status(age),
        )


def _status(age: int) -> OrderStatus:
    if age > 3:
        return OrderStatus.DELIVERED
    return OrderStatus.SHIPPED if age else OrderStatus.PLACED


def span(period: Period, today: date) -> tuple[date, date]:
    """First and last day of a period; a week begins on Monday."""
    one = timedelta(days=1)
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    before = (first - one).replace(day=1)
    spans: dict[str, tuple[date, date]] = {
        "today": (today, today),
        "yesterday": (today - one, today - one),
        "this week": (monday, today),
        "last week": (monday - 7 * one, monday - one),
        "week before last": (monday - 14 * one, monday - 8 * one),
        "this month": (first, today),
        "last month": (before, first - one),
    }
    return spans[period]

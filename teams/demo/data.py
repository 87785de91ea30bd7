"""Invented customers and payments: the same at every start, on fixed dates of 2026."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from teams.demo.models import Customer, Payment

FIRST_NUMBER = 1001
PEOPLE = (
    "Maya Lindholm",
    "Tomás Herrera",
    "Aiko Tanabe",
    "Samuel Okoro",
    "Claire Fontaine",
    "Jonas Weber",
    "Leila Haddad",
    "Piotr Zieliński",
    "Ana Sousa",
    "Wei Zhang",
    "Noor van Dijk",
    "Emma Sørensen",
    "Luca Ferri",
    "Priya Raman",
    "Daniel Kovács",
    "Sofia Papadaki",
    "Henry Walsh",
    "Yasmin Demir",
    "Mateo Rossi",
    "Ingrid Bakke",
    "Omar Farouk",
    "Julia Novák",
    "Ravi Menon",
    "Hannah Peters",
)
PLANS = (
    ("Fibre 250", Decimal("39.90")),
    ("Fibre 500", Decimal("49.90")),
    ("Fibre 1000", Decimal("69.90")),
    ("Mobile 20 GB", Decimal("19.90")),
    ("Business 500", Decimal("89.00")),
)
METHODS = ("card", "direct debit", "bank transfer")
MONTHS = (5, 6, 7, 8, 9)
PAUSED_EVERY, CLOSED_EVERY = 9, 11


def customers() -> Iterator[Customer]:
    for index, name in enumerate(PEOPLE):
        number = FIRST_NUMBER + index
        yield Customer(
            customer_id=f"C-{number}",
            name=name,
            email=f"customer-{number}@example.com",
            plan=PLANS[index % len(PLANS)][0],
            status=_status(index + 1),
            since=date(2020 + index % 6, 1 + (index * 5) % 12, 1 + (index * 7) % 28),
        )


def _status(count: int) -> str:
    if count % CLOSED_EVERY == 0:
        return "closed"
    return "paused" if count % PAUSED_EVERY == 0 else "active"


def payments(customer: Customer, index: int) -> Iterator[Payment]:
    """One a month; what was used beyond the plan differs from month to month."""
    monthly = dict(PLANS)[customer.plan]
    for position, month in enumerate(MONTHS):
        beyond = Decimal((index * 37 + month * 53) % 700) / 100
        yield Payment(
            customer=customer,
            paid_on=date(2026, month, 1 + (index * 3 + position * 2) % 27),
            amount=monthly + (beyond if (index + month) % 3 == 0 else Decimal(0)),
            currency="EUR",
            method=METHODS[index % len(METHODS)],
            reference=f"P-{month:02d}-{customer.customer_id[2:]}",
        )


def load() -> tuple[int, int]:
    """Add what is missing. Answers how many customers and payments there are.

    A customer that exists already keeps its row, whatever was changed in it.
    """
    Customer.objects.bulk_create(customers(), ignore_conflicts=True)
    wanted = [customer.customer_id for customer in customers()]
    rows = Customer.objects.filter(customer_id__in=wanted).order_by("customer_id")
    plans = {plan for plan, _monthly in PLANS}
    Payment.objects.bulk_create(
        (
            payment
            for index, row in enumerate(rows)
            if row.plan in plans
            for payment in payments(row, index)
        ),
        ignore_conflicts=True,
    )
    return Customer.objects.count(), Payment.objects.count()

"""Loading the demo: people, customers, payments and orders, and teams on them."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from teams.demo import data, handoff_texts, order_texts, orders, people, texts
from teams.services import definitions
from teams.services.attributes.kinds import kind_named


def seed(password: str) -> list[str]:
    """Make what is missing and leave what is there; answers a line for each thing.

    All of it or nothing. Raises ``people.RightMissing`` before the migrations ran.
    """
    with transaction.atomic():
        users = [people.ensure(person, password) for person in people.PEOPLE]
        customers, payments = data.load()
        ordered = orders.load()
        made = [line for line in map(_ensure, _wanted()) if line]
    return [
        "Log-ins: " + ", ".join(user.username for user in users),
        f"Demo data: {customers} customers, {payments} payments, {ordered} orders",
        *made,
    ]


def _wanted() -> list[tuple[str, dict[str, Any]]]:
    """In the order in which they need each other."""
    agents = (*texts.AGENTS, *handoff_texts.AGENTS, *order_texts.AGENTS)
    return [
        ("profile", texts.PROFILE),
        *(("tool", tool) for tool in texts.TOOLS),
        *(("tool", tool) for tool in handoff_texts.TOOLS),
        *(("tool", tool) for tool in order_texts.TOOLS),
        *(("agent", agent) for agent in agents),
        *(("task", task) for task in (*texts.TASKS, *order_texts.TASKS)),
        ("team", texts.TEAM),
        *(("team", team) for team in (*handoff_texts.TEAMS, *order_texts.TEAMS)),
    ]


def _ensure(wanted: tuple[str, dict[str, Any]]) -> str:
    """An object that an administrator has edited since stays as it is."""
    kind, attributes = wanted
    name = attributes["name"]
    if kind_named(kind).model.objects.named(name).exists():
        return ""
    definitions.create(kind, attributes, user=None)
    return f"Made the {kind} {name}"

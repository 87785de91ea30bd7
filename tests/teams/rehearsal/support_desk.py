"""The demo team as its definitions are, its tools' results made up here."""

from __future__ import annotations

from typing import Any

from teams.demo import texts
from teams.toolbox.registry import registered
from tests.teams.rehearsal.playing import Denied, Team, Worker

LOOKUP = "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"
PAYMENTS = "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK"
NOTICE = "NOTIFICATION_AGENT/NOTIFICATION_TASK"

ADA = {
    "customer_id": "C-1001",
    "name": "Ada Byron",
    "email": "ada@example.com",
    "plan": "Business",
    "status": "active",
    "customer_since": "2021-03-01",
}


def lookup_account(customer_id: str) -> dict[str, Any]:
    if customer_id != "C-1001":
        raise LookupError(f"There is no customer {customer_id}.")
    return ADA


def list_payments(customer_id: str, limit: int = 10) -> dict[str, Any]:
    lookup_account(customer_id)
    payments = [
        {"paid_on": f"2026-02-{20 - n}", "amount": "10.50", "reference": f"P-{n}"}
        for n in range(limit)
    ]
    return {"customer_id": customer_id, "payments": payments}


def send_email(subject: str, body: str, to: str = "me") -> dict[str, Any]:
    address = "alice@example.com" if to == "me" else to
    return {"status": "sent", "to": address, "subject": subject}


def refuse(**_arguments: Any) -> None:
    raise Denied("not today.")


def _named(things: tuple[dict[str, Any], ...], name: str) -> dict[str, Any]:
    return next(thing for thing in things if thing["name"] == name)


def _worker(pair: dict[str, Any]) -> Worker:
    agent, task = _named(texts.AGENTS, pair["name"]), _named(texts.TASKS, pair["task"])
    return Worker(
        label=f"{pair['name']}/{pair['task']}",
        about=f"{agent['description']} {task['description']}",
        instruction=task["instruction"],
        tools=tuple(task["tools"]),
    )


def _tool(tool: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    found = registered(tool["function"])
    assert found is not None
    return f"{tool['description']} {tool['instruction']}", found.parameters


def team(**functions: Any) -> Team:
    """The demo team; ``functions`` replace what a tool does."""
    usual: dict[str, Any] = {
        "lookup_account": lookup_account,
        "list_payments": list_payments,
        "send_email": send_email,
    }
    return Team(
        workers=tuple(_worker(pair) for pair in texts.TEAM["agents"]),
        tools={tool["name"]: _tool(tool) for tool in texts.TOOLS},
        functions={**usual, **functions},
    )

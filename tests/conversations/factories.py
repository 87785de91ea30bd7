"""Runs as the engine leaves them, made directly: rows for pages and lists.

``make_run_tree`` writes a supervised run of the support team. What it came to is the
``outcome``:

- ``done``: two workers, one combined answer
- ``sent``: a third worker waited for an approval, then sent the e-mail
- ``waiting``: the approval is still open
- ``failed``: a worker failed, and then the supervisor's own model call
- ``running``: the second worker's model call is under way
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from conversations.choices import EventKind, RequestKind, RequestState, RunState
from conversations.models import Conversation, HumanRequest, Message, Run
from tests.conversations.run_builder import Builder, make_team_version

__all__ = ["make_run_tree", "make_team_version"]

PROMPT = "Show the account and the last three payments of customer C-1001"
ACCOUNT = {"customer_id": "C-1001", "name": "Ada Byron", "plan": "Business"}
PAYMENTS = {
    "customer_id": "C-1001",
    "payments": [
        {"paid_on": "2025-05-02", "amount": "49.00", "currency": "EUR"},
        {"paid_on": "2025-04-02", "amount": "49.00", "currency": "EUR"},
        {"paid_on": "2025-03-03", "amount": "29.00", "currency": "EUR"},
    ],
}
ANSWER = """\
Customer **C-1001** (Ada Byron) is on the **Business** plan. The last three payments:

| Date | Amount |
|:-----|-------:|
| 2025-05-02 | 49.00 EUR |
| 2025-04-02 | 49.00 EUR |
| 2025-03-03 | 29.00 EUR |
"""
E_MAIL = {
    "subject": "Your account and payments",
    "body": "Plan: Business. Last payments: 49.00, 49.00 and 29.00 EUR.",
    "to": "me",
}


@transaction.atomic
def make_run_tree(
    user: User,
    outcome: str = "done",
    *,
    started: datetime | None = None,
    conversation: Conversation | None = None,
    prompt: str = PROMPT,
) -> Run:
    """A run of ``user`` and all its rows; a conversation of its own unless given."""
    builder = Builder(user, started or timezone.now() - timedelta(minutes=6))
    builder.open(prompt, conversation)
    _STORIES[outcome](builder)
    return builder.close()


def _account(b: Builder) -> None:
    worker = b.delegate("ACCOUNT_AGENT", "Show the account of customer C-1001.")
    call = b.tool_call(
        b.model_call(worker, took=540), "lookup_account", {"customer_id": "C-1001"}
    )
    b.settle(call, json.dumps(ACCOUNT))
    text = "Customer C-1001 is **Ada Byron**, on the Business plan."
    b.model_call(worker, text, took=690)
    b.give_back(worker, text)


def _payments(b: Builder) -> None:
    worker = b.delegate("PAYMENT_AGENT", "List the last three payments of C-1001.")
    call = b.tool_call(
        b.model_call(worker), "list_payments", {"customer_id": "C-1001", "limit": 3}
    )
    b.settle(call, json.dumps(PAYMENTS), took=1310)
    text = "Three payments: 49.00, 49.00 and 29.00 EUR."
    b.model_call(worker, text, took=760)
    b.give_back(worker, text)


def _ask_to_send(b: Builder) -> HumanRequest:
    worker = b.delegate("NOTIFICATION_AGENT", "E-mail the summary to the person.")
    call = b.tool_call(b.model_call(worker), "send_email", E_MAIL)
    for row in (call, worker, b.run):
        row.state = "WAITING_FOR_HUMAN"
        row.save()
    request = HumanRequest.objects.create(
        run=b.run,
        task_run=worker,
        call=call,
        kind=RequestKind.APPROVAL,
        created_at=b.clock,
        expires_at=b.clock + timedelta(hours=72),
    )
    b.event(EventKind.REQUEST_OPENED, request)
    return request


def _done(b: Builder) -> None:
    _account(b)
    _payments(b)
    b.model_call(b.root, ANSWER, took=1240)
    b.end(RunState.SUCCEEDED, ANSWER)


def _waiting(b: Builder) -> None:
    _account(b)
    _payments(b)
    _ask_to_send(b)


def _sent(b: Builder) -> None:
    _account(b)
    _payments(b)
    request = _ask_to_send(b)
    request.state, request.decided_by = RequestState.APPROVED, b.user
    request.decided_at = b.pass_time(4_000)
    request.save()
    b.event(EventKind.REQUEST_SETTLED, request, new="APPROVED")
    worker = request.task_run
    request.call.approved = True
    b.settle(request.call, '{"status": "sent", "to": "alice@example.com"}', took=180)
    text = "The e-mail was sent to alice@example.com."
    b.model_call(worker, text, took=610)
    b.give_back(worker, text)
    answer = ANSWER + "\nThe summary was sent to alice@example.com."
    b.model_call(b.root, answer, took=1120)
    b.end(RunState.SUCCEEDED, answer)


def _failed(b: Builder) -> None:
    worker = b.delegate("ACCOUNT_AGENT", "Show the account of customer C-9999.")
    call = b.tool_call(
        b.model_call(worker), "lookup_account", {"customer_id": "C-9999"}
    )
    b.settle(call, "Error: There is no customer C-9999.", ok=False)
    b.model_call(worker, took=6_000, error="model_timeout")
    b.give_back(worker, "", error="model_timeout")
    b.model_call(b.root, took=6_000, error="model_timeout")
    b.end(RunState.FAILED, error="model_timeout")


def _running(b: Builder) -> None:
    _account(b)
    worker = b.delegate("PAYMENT_AGENT", "List the last three payments of C-1001.")
    call = b.model_call(worker)
    Message.objects.filter(model_call=call).delete()
    call.state, call.finished_at, call.finish_reason = "RUNNING", None, ""
    call.input_tokens = call.output_tokens = call.cost = call.first_token_at = None
    call.save()


_STORIES = {
    "done": _done,
    "sent": _sent,
    "waiting": _waiting,
    "failed": _failed,
    "running": _running,
}

"""Answering, approving and denying from the cards."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations.models import HumanRequest, Run
from tests.conversations.chat.page import read

SCRIPT = {"HX-Request": "true"}


def path(run: Run) -> str:
    return f"/c/{run.conversation_id}/requests/{HumanRequest.objects.get(run=run).id}/"


@pytest.mark.parametrize(
    ("said", "state", "reason"),
    [
        ({"decision": "approve"}, "APPROVED", ""),
        ({"decision": "deny", "reason": " Not now "}, "DENIED", "Not now"),
    ],
)
def test_an_approval_is_decided(
    alice: Client, waiting_run: Run, said: dict[str, str], state: str, reason: str
) -> None:
    answer = alice.post(path(waiting_run), said, headers=SCRIPT)

    request = HumanRequest.objects.get()
    assert answer.status_code == 202
    assert (request.state, request.reason) == (state, reason)
    assert request.decided_by == waiting_run.requested_by


def test_a_question_is_answered(alice: Client, waiting_run: Run) -> None:
    HumanRequest.objects.update(kind="question", choices=["C-1001"])

    answer = alice.post(path(waiting_run), {"answer": "C-1001"})

    assert answer.status_code == 303
    assert HumanRequest.objects.get().answer == "C-1001"


def test_the_second_decision_is_told_the_first(alice: Client, waiting_run: Run) -> None:
    alice.post(path(waiting_run), {"decision": "deny"})

    second = alice.post(path(waiting_run), {"decision": "approve"}, headers=SCRIPT)
    plain = alice.post(path(waiting_run), {"decision": "approve"})

    assert second.status_code == 409
    assert second.content.decode().strip() == "Already decided by alice: Denied."
    assert plain.status_code == 409
    assert "Already decided by alice" in read(plain).one(id="composer-error").text
    assert HumanRequest.objects.get().state == "DENIED"


@pytest.mark.parametrize("decision", ["", "yes", "retry"])
def test_an_approval_takes_approve_or_deny_only(
    alice: Client, waiting_run: Run, decision: str
) -> None:
    answer = alice.post(path(waiting_run), {"decision": decision}, headers=SCRIPT)

    assert answer.status_code == 422
    assert HumanRequest.objects.get().state == "PENDING"


def test_an_operator_decides_in_another_s_conversation(
    charlie: Client, stranger: User, waiting_run: Run
) -> None:
    for codename in ("view_all", "answer_any"):
        stranger.user_permissions.add(Permission.objects.get(codename=codename))

    answer = charlie.post(path(waiting_run), {"decision": "approve"}, headers=SCRIPT)

    assert answer.status_code == 202
    assert HumanRequest.objects.get().decided_by == stranger


def test_who_may_only_read_decides_nothing_and_is_shown_no_buttons(
    charlie: Client, stranger: User, waiting_run: Run
) -> None:
    stranger.user_permissions.add(Permission.objects.get(codename="view_all"))

    card = read(charlie.get(f"/c/{waiting_run.conversation_id}/")).one(class_="card")
    answer = charlie.post(path(waiting_run), {"decision": "approve"}, headers=SCRIPT)

    assert card.all("button") == []
    assert "Waiting for alice" in card.text
    assert answer.status_code == 403
    assert HumanRequest.objects.get().state == "PENDING"

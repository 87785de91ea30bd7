"""Answering, approving and denying from the cards."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations.models import HumanRequest, Run
from teams.models import Tool
from tests.conversations.chat.page import Element, read
from tests.conversations.factories import make_run_tree

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


def test_arguments_are_changed_only_with_the_right_to(
    alice: Client, owner: User, waiting_run: Run
) -> None:
    changed = '{"subject": "Other", "body": "b", "to": "me"}'
    said = {"decision": "approve", "arguments": changed}
    page = f"/c/{waiting_run.conversation_id}/"
    assert read(alice.get(page)).all("textarea", name="arguments") == []
    assert alice.post(path(waiting_run), said, headers=SCRIPT).status_code == 403

    owner.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    assert len(read(alice.get(page)).all("textarea", name="arguments")) == 1
    assert alice.post(path(waiting_run), said, headers=SCRIPT).status_code == 202

    request = HumanRequest.objects.get()
    assert request.edited == {"subject": "Other", "body": "b", "to": "me"}
    settled = read(alice.get(page)).one(class_="settled").text
    assert "Approved with changes by alice" in settled


@pytest.mark.parametrize("text", ["no json", "[1]", '"text"', "{"])
def test_arguments_that_are_no_object_are_refused(
    alice: Client, owner: User, waiting_run: Run, text: str
) -> None:
    owner.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    said = {"decision": "approve", "arguments": text}

    answer = alice.post(path(waiting_run), said, headers=SCRIPT)

    assert answer.status_code == 422
    assert "one JSON object" in answer.content.decode()
    assert HumanRequest.objects.get().state == "PENDING"


def test_a_tool_that_permits_it_can_be_allowed_for_the_conversation(
    alice: Client, owner: User, waiting_run: Run
) -> None:
    def boxes(run: Run) -> list[Element]:
        card = read(alice.get(f"/c/{run.conversation_id}/")).one(class_="card")
        return card.all("input", name="remember")

    Tool.objects.filter(name="send_email").update(remember_approval=True)
    run = make_run_tree(owner, "waiting")
    assert (len(boxes(waiting_run)), len(boxes(run))) == (0, 1)

    said = {"decision": "approve", "remember": "1"}
    refused = alice.post(path(waiting_run), said, headers=SCRIPT)
    taken = alice.post(path(run), said, headers=SCRIPT)

    assert (refused.status_code, taken.status_code) == (422, 202)
    assert HumanRequest.objects.get(run=run).remember is True

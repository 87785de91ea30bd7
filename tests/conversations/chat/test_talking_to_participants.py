"""Handoff teams and delegates in the chat: approvals, follow-ups, hidden agents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations import dispatch
from conversations.engine.loop import advance
from conversations.models import (
    HumanRequest,
    Message,
    Run,
    StandingApproval,
    Thread,
    ToolCall,
)
from conversations.rendering import changes
from teams.models import Tool
from teams.services.definitions import update
from tests.conversations.chat.conftest import browser_of
from tests.conversations.chat.page import Element, read
from tests.conversations.chat.test_patterns import demo, names

__all__ = ["demo"]


@pytest.fixture
def browser(demo: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Requests are worked on in the thread of the test, at once."""
    monkeypatch.setattr(dispatch, "enqueue", advance)
    return browser_of(demo)


def talk(browser: Client, team: str, first: str, *more: str) -> Element:
    answer = browser.post("/", {"team": team, "content": first}, follow=True)
    for content in more:
        base = answer.request["PATH_INFO"]
        browser.post(f"{base}messages/", {"content": content})
        answer = browser.get(base)
    return read(answer)


def latest() -> Run:
    return Run.objects.latest("created_at")


def again(browser: Client) -> Element:
    return read(browser.get(f"/c/{latest().conversation_id}/"))


def decide(browser: Client, **said: Any) -> None:
    request = HumanRequest.objects.get(state="PENDING")
    where = f"/c/{latest().conversation_id}/requests/{request.id}/"
    assert browser.post(where, said).status_code == 303


def refund(browser: Client) -> Element:
    return talk(
        browser,
        "HANDOFF_SUPPORT",
        "I need help with my order",
        "My order 12345 arrived damaged",
        "I'd like a refund",
    )


def test_a_refund_is_talked_through_and_approved(browser: Client) -> None:
    page = refund(browser)
    card = page.one("div", class_="card")
    assert card.attributes["aria-label"].startswith("process_refund")
    decide(browser, decision="approve")
    page = again(browser)
    assert latest().state == "SUCCEEDED"
    lines = [line.text for line in page.all("p", class_="handoff")]
    assert len(lines) >= 2
    assert "TRIAGE_AGENT handed over to" in lines[0]
    assert "Approved by alice" in page.one("div", class_="settled").text
    speakers = names(page, tag="article")
    assert speakers[-1] == "REFUND_AGENT"
    assert page.one(id="active").text == "Talking to REFUND_AGENT ·"


def test_an_approval_with_changes_shows_both(browser: Client, demo: User) -> None:
    demo.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    refund(browser)
    call = ToolCall.objects.get(tool_name="process_refund")
    changed = {**call.arguments, "order_number": "12346"}
    assert changed.keys() == call.arguments.keys()
    edit = again(browser).one("details", class_="card-edit")
    assert edit.one("summary").text == "Change the arguments"
    decide(browser, decision="approve", arguments=json.dumps(changed))
    settled = again(browser).one("div", class_="settled")
    assert "Approved with changes by alice" in settled.text
    was, became = settled.one("details", class_="settled-changes").all("pre")
    assert (json.loads(was.text), json.loads(became.text)) == (call.arguments, changed)


def test_always_is_offered_only_where_the_tool_permits_it(browser: Client) -> None:
    page = refund(browser)
    assert page.all("input", name="remember") == []


def test_an_approval_for_good_is_remembered(browser: Client, demo: User) -> None:
    Tool.objects.named("process_refund").update(remember_approval=True)
    page = refund(browser)
    assert len(page.all("input", name="remember")) == 1
    decide(browser, decision="approve", remember="1")
    approval = StandingApproval.objects.get()
    assert approval.conversation == latest().conversation
    assert "process_refund runs without asking" in again(browser).text

    browser.post(f"/c/{latest().conversation_id}/approvals/{approval.pk}/")
    assert not StandingApproval.objects.exists()
    assert "runs without asking" not in again(browser).text


def test_a_follow_up_continues_the_delegate_s_thread(browser: Client) -> None:
    page = talk(
        browser,
        "HELP_DESK",
        "How many orders came in last week?",
        "And the week before?",
    )
    assert names(page, role="group") == ["DATA_SPECIALIST", "DATA_SPECIALIST"]
    heads = [head.text for head in page.all("span", class_="task-head")]
    assert ["continued" in head for head in heads] == [False, True]
    assert Thread.objects.filter(agent_name="DATA_SPECIALIST").count() == 1


def test_what_is_said_to_agents_only_is_not_shown(browser: Client, demo: User) -> None:
    """A notice to one agent, and the copies of a question for the others (H3)."""
    page = talk(browser, "HANDOFF_SUPPORT", "I need help with my order")
    shown = len(page.all("article"))
    task = latest().task_runs.latest("started_at")
    common = {
        "conversation": latest().conversation,
        "run": latest(),
        "task_run": task,
        "thread": task.thread,
        "created_at": latest().created_at,
    }
    number = latest().conversation.last_number
    Message.objects.create(
        **common, number=number + 1, role="user", author="", text="Go on."
    )
    copy = {"role": "assistant", "author": task.agent_name, "to_everyone": True}
    Message.objects.create(**common, **copy, number=number + 2, text="Which?")
    assert len(again(browser).all("article")) == shown
    ids = Message.objects.filter(number__gt=number).values_list("id", flat=True)
    for message_id in ids:
        url = f"/c/{latest().conversation_id}/text/messages/{message_id}/"
        assert browser.get(url).status_code == 404


def test_all_that_a_hidden_participant_does_is_kept_back(
    browser: Client, demo: User
) -> None:
    administrator = User.objects.get(username="admin")
    outputs = {"outputs": {"hidden": ["ORDER_AGENT"], "intermediate": []}}
    update("team", "HANDOFF_SUPPORT", outputs, user=administrator)
    page = talk(browser, "HANDOFF_SUPPORT", "Where is my order 12345?")
    calls = ToolCall.objects.filter(tool_name="check_order_status")
    assert calls.exists()
    assert "ORDER_AGENT" not in names(page, tag="article")
    assert page.all("details", class_="call") == []
    call = calls.get()
    where = f"/c/{latest().conversation_id}"
    assert browser.get(f"{where}/text/calls/{call.id}/").status_code == 404
    frames = changes(latest().conversation, 0, demo, set())
    assert "check_order_status" not in str(frames)

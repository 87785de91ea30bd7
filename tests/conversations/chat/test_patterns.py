"""Handoff, delegates and fixed orders, as the transcript shows them."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from conversations.engine.loop import advance
from conversations.models import Conversation, Run
from conversations.services.requests import answer_request
from conversations.services.runs import start_run
from teams.models import Team
from teams.services.definitions import update
from tests.conversations.chat.conftest import browser_of
from tests.conversations.chat.page import Element, read


@pytest.fixture
def demo(transactional_db: None, settings: Any) -> User:
    settings.DEMO_PASSWORD = "a-password"
    call_command("seed_demo", verbosity=0)
    return User.objects.get(username="alice")


def talk(user: User, team: str, *prompts: str) -> Run:
    conversation: Conversation | None = None
    for prompt in prompts:
        run = start_run(
            user=user,
            prompt=prompt,
            team=Team.objects.named(team).get(),
            conversation=conversation,
        )
        advance(run.id)
        run.refresh_from_db()
        conversation = run.conversation
    return run


def page_of(user: User, run: Run) -> Element:
    return read(browser_of(user).get(f"/c/{run.conversation_id}/"))


def names(page: Element, **wanted: str) -> list[str]:
    log = page.one(role="log")
    return [each.attributes["aria-label"] for each in log.all(**wanted)]


def test_who_has_the_floor_speaks_directly_and_a_handover_is_a_line(demo: User) -> None:
    run = talk(demo, "HANDOFF_SUPPORT", "My order 12345 arrived damaged")

    page = page_of(demo, run)

    line = page.one("p", class_="handoff").text
    assert "TRIAGE_AGENT handed over to" in line
    assert "RETURN_AGENT" in line
    assert names(page, role="group") == []
    assert names(page, tag="article")[-1] == "RETURN_AGENT"
    assert page.one(id="active").text == "Talking to RETURN_AGENT ·"


def test_a_hidden_participant_s_texts_are_not_shown(demo: User) -> None:
    administrator = User.objects.get(username="admin")
    outputs = {"outputs": {"hidden": ["TRIAGE_AGENT"], "intermediate": []}}
    update("team", "HANDOFF_SUPPORT", outputs, user=administrator)
    run = talk(demo, "HANDOFF_SUPPORT", "Hello")

    assert run.messages.filter(author="TRIAGE_AGENT").exclude(text="").exists()
    assert names(page_of(demo, run), tag="article") == ["alice"]


def test_an_intermediate_participant_is_a_folded_step(demo: User) -> None:
    administrator = User.objects.get(username="admin")
    outputs = {"outputs": {"hidden": [], "intermediate": ["TRIAGE_AGENT"]}}
    update("team", "HANDOFF_SUPPORT", outputs, user=administrator)
    run = talk(demo, "HANDOFF_SUPPORT", "Hello")

    assert [n.split(" / ")[0] for n in names(page_of(demo, run), role="group")] == [
        "TRIAGE_AGENT"
    ]


def test_a_delegate_s_part_is_a_group(demo: User) -> None:
    run = talk(demo, "HELP_DESK", "How many orders came in last week?")

    page = page_of(demo, run)

    assert names(page, role="group") == ["DATA_SPECIALIST"]
    assert names(page, tag="article")[-1] == "HELP_DESK_AGENT"


def test_the_steps_of_a_fixed_order_are_groups_and_the_last_stays_open(
    demo: User,
) -> None:
    run = talk(demo, "REPORT_LINE", "Write the report for last week")
    for request in run.human_requests.filter(state="PENDING"):
        answer_request(user=demo, request=request, answer="last week")
        advance(run.id)

    log = page_of(demo, run).one(role="log")

    groups = log.all("div", role="group")
    assert len(groups) == 3
    assert ["data-folded" in group.attributes for group in groups] == [
        True,
        True,
        False,
    ]


def test_an_ended_conversation_offers_to_be_reopened(demo: User) -> None:
    run = talk(demo, "SUPPORT_TEAM", "Hello")
    browser: Client = browser_of(demo)
    base = f"/c/{run.conversation_id}/"
    assert "End conversation" in [b.text for b in read(browser.get(base)).all("button")]

    browser.post(f"{base}end/")
    page = read(browser.get(base))

    assert "This conversation has ended. Ended by its owner." in page.text
    words = [button.text for button in page.all("button")]
    assert "Reopen" in words
    assert "End conversation" not in words
    refused = browser.post(f"{base}messages/", {"content": "Hi"})
    assert refused.status_code == 409

    browser.post(f"{base}reopen/")
    assert "has ended" not in read(browser.get(base)).one(id="closing").text

"""Read-only and debug: chosen in the composer, kept, and shown."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from conversations import dispatch
from conversations.engine.loop import advance
from conversations.models import ModelCall, Run
from conversations.rendering import changes
from tests.conversations.chat.conftest import browser_of
from tests.conversations.chat.page import Element, read
from tests.conversations.chat.test_patterns import demo

__all__ = ["demo"]


@pytest.fixture
def browser(demo: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Requests are worked on in the thread of the test, at once."""
    monkeypatch.setattr(dispatch, "enqueue", advance)
    return browser_of(demo)


def ask(browser: Client, **modes: str) -> tuple[Run, Element]:
    said = {"team": "SUPPORT_TEAM", "content": "What plan is customer C-1001 on?"}
    answer = browser.post("/", said | modes, follow=True)
    return Run.objects.latest("created_at"), read(answer)


def checked(page: Element, name: str) -> bool:
    return "checked" in page.one("input", name=name, type="checkbox").attributes


def test_a_request_is_worked_on_as_the_switches_say(browser: Client) -> None:
    run, page = ask(browser, read_only="1")
    assert (run.read_only, run.debug) == (True, False)
    assert "Read-only" in page.one(id=f"run-{run.id}").text
    assert (checked(page, "read_only"), checked(page, "debug")) == (True, False)

    browser.post(f"/c/{run.conversation_id}/messages/", {"content": "Hello"})
    plain = Run.objects.latest("created_at")
    assert (plain.read_only, plain.debug) == (False, False)
    page = read(browser.get(f"/c/{run.conversation_id}/"))
    assert not checked(page, "read_only")
    assert "Read-only" not in page.one(id=f"run-{plain.id}").text


def test_a_debug_run_shows_each_model_call_with_its_place_in_the_trace(
    browser: Client,
) -> None:
    run, page = ask(browser, debug="1")
    lines = page.all("p", class_="model-line")
    calls = ModelCall.objects.filter(task_run__run=run)
    assert len(lines) == calls.count() >= 3
    assert lines[0].text.startswith("SUPPORT_SUPERVISOR, model call 1")
    links = {link.attributes["href"] for line in lines for link in line.all("a")}
    assert links == {f"/runs/{run.id}/?step={call.id}" for call in calls}


def test_the_lines_of_a_debug_run_are_pushed_as_well(browser: Client) -> None:
    run, _page = ask(browser, debug="1")
    frames = changes(run.conversation, 0, run.requested_by, set())
    sent = [leaf for frame in frames for leaf in frame["leaves"]]
    lines = [leaf for leaf in sent if leaf["id"].startswith("model-")]
    assert len(lines) == ModelCall.objects.filter(task_run__run=run).count()
    assert all("model-line" in leaf["html"] for leaf in lines)


def test_any_other_run_shows_none(browser: Client) -> None:
    _run, page = ask(browser)
    assert page.all("p", class_="model-line") == []


def test_what_a_run_has_used_stands_in_its_details(browser: Client) -> None:
    _run, page = ask(browser)
    details = page.one("details", class_="run-details")
    facts = dict(
        zip(
            [e.text for e in details.all("dt")],
            [e.text for e in details.all("dd")],
            strict=True,
        )
    )
    assert facts["Delegations"] == "1 of 20"
    assert facts["Tokens"] != ""

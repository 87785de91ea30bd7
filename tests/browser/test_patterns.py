"""Handoff teams, delegates, modes and approvals in a browser, on the demo's teams."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import ask, log, wait_for, worker

CARD = re.compile("^process_refund")


def begin(page: Page, team: str, text: str) -> None:
    page.get_by_role("combobox", name="Team").select_option(team)
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/c/**")


def go_on(page: Page, text: str, turns: int) -> None:
    """The next request, once it is answered; ``turns`` it makes in all."""
    ask(page, text)
    expect(page.locator(".turn")).to_have_count(turns)


def ask_for_refund(page: Page) -> None:
    begin(page, "HANDOFF_SUPPORT", "I need help with my order")
    wait_for(page, "Done")
    go_on(page, "My order 12345 arrived damaged", 2)
    wait_for(page, "Done")
    go_on(page, "I'd like a refund", 3)
    wait_for(page, "Waiting for you")


def test_a_handoff_conversation_comes_to_its_approval(visit: Visit) -> None:
    page = visit()
    ask_for_refund(page)
    expect(page.locator("#active")).to_have_text("Talking to REFUND_AGENT ·")
    lines = log(page).locator(".handoff")
    expect(lines.first).to_contain_text("TRIAGE_AGENT")
    expect(lines.last).to_contain_text("RETURN_AGENT")
    expect(lines.last).to_contain_text("REFUND_AGENT")
    card = page.get_by_role("group", name=CARD)
    expect(card.get_by_text("Always allow in this conversation")).to_have_count(0)
    expect(card.get_by_text("Change the arguments")).to_have_count(0)

    card.get_by_role("button", name="Approve").click()

    wait_for(page, "Done")
    expect(page.get_by_role("group", name=CARD)).to_contain_text("Approved by alice")
    expect(log(page).get_by_role("article").last).to_have_accessible_name(
        re.compile("^REFUND_AGENT")
    )
    page.reload()
    expect(page.locator("#active")).to_have_text("Talking to REFUND_AGENT ·")


def test_arguments_are_changed_before_they_are_approved(visit: Visit) -> None:
    page = visit(user="admin")
    ask_for_refund(page)
    card = page.get_by_role("group", name=CARD)
    card.get_by_text("Change the arguments").click()
    field = card.get_by_role("textbox", name="Arguments")

    field.fill("not JSON")
    card.get_by_role("button", name="Approve with changes").click()
    expect(card.get_by_role("alert")).to_contain_text("one JSON object")
    field.fill('{"order_number": "10001"}')
    card.get_by_role("button", name="Approve with changes").click()

    wait_for(page, "Done")
    settled = page.get_by_role("group", name=CARD)
    expect(settled).to_contain_text("Approved with changes by admin")
    settled.get_by_text("What was changed").click()
    expect(settled.locator("pre").first).to_contain_text("12345")
    expect(settled.locator("pre").last).to_contain_text("10001")


def test_a_follow_up_goes_on_in_the_specialist_s_thread(visit: Visit) -> None:
    page = visit()
    begin(page, "HELP_DESK", "How many orders came in last week?")
    wait_for(page, "Done")
    go_on(page, "And the week before?", 2)
    wait_for(page, "Done")
    specialist = worker(page, "DATA_SPECIALIST")
    expect(specialist).to_have_count(2)
    expect(specialist.first).not_to_contain_text("continued")
    expect(specialist.last).to_contain_text("continued")


def test_a_conversation_is_ended_and_opened_again(visit: Visit) -> None:
    page = visit()
    begin(page, "HANDOFF_SUPPORT", "I need help with my order")
    wait_for(page, "Done")

    page.get_by_role("button", name="End conversation").click()
    expect(page.get_by_text("This conversation has ended.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_be_hidden()
    expect(page.get_by_role("button", name="End conversation")).to_be_hidden()

    page.get_by_role("button", name="Reopen").click()
    expect(page.get_by_text("This conversation has ended.")).to_be_hidden()
    go_on(page, "My order 12345 arrived damaged", 2)
    wait_for(page, "Done")


def test_the_switches_choose_how_a_request_is_worked_on(visit: Visit) -> None:
    page = visit()
    page.get_by_role("checkbox", name="Read-only").check()
    page.get_by_role("checkbox", name="Debug").check()
    begin(page, "SUPPORT_TEAM", "What plan is customer C-1001 on?")
    wait_for(page, "Done")
    foot = page.locator(".run-line")
    expect(foot).to_contain_text("Read-only")
    lines = log(page).locator(".model-line")
    expect(lines.first).to_contain_text("SUPPORT_SUPERVISOR, model call 1")
    expect(page.get_by_role("checkbox", name="Read-only")).to_be_checked()

    lines.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/runs/.+\?step="))
    expect(page.get_by_role("heading", name="Exact prompt")).to_be_visible()

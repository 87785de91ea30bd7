"""Everything can be done from the keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import ask, log, wait_for, worker

ACCOUNT = "ACCOUNT_AGENT / ACCOUNT_MANAGEMENT_TASK"


def focused(page: Page) -> str:
    return str(
        page.evaluate(
            "(e => e.getAttribute('aria-label') || e.innerText || e.name || e.id)"
            "(document.activeElement)"
        )
    )


def test_enter_sends_and_shift_enter_begins_a_line(visit: Visit) -> None:
    page = visit()
    composer = page.get_by_role("textbox", name="Message")
    expect(composer).to_be_focused()

    page.keyboard.type("Hello")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("there")
    expect(composer).to_have_value("Hello\nthere")
    page.keyboard.press("Enter")

    page.wait_for_url("**/c/**")
    wait_for(page, "Done")
    expect(log(page).get_by_role("article", name="alice")).to_contain_text("there")


def test_enter_that_ends_a_composition_sends_nothing(visit: Visit) -> None:
    page = visit()
    composer = page.get_by_role("textbox", name="Message")
    composer.fill("こんにちは")

    composer.evaluate(
        "e => e.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', bubbles: true, cancelable: true, isComposing: true}))"
    )
    page.wait_for_timeout(300)

    assert "/c/" not in page.url
    expect(composer).to_have_value("こんにちは")


def test_a_fold_opens_with_enter_and_keeps_the_focus(visit: Visit) -> None:
    page = visit()
    ask(page, "What plan is customer C-1001 on?")
    wait_for(page, "Done")
    toggle = worker(page, ACCOUNT).get_by_role("button").first

    toggle.focus()
    page.keyboard.press("Enter")

    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(toggle).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(worker(page, ACCOUNT).get_by_text("customer_id", exact=True)).to_be_visible()


def test_an_approval_from_the_keyboard_leaves_the_focus_at_the_decision(
    visit: Visit,
) -> None:
    page = visit()
    ask(page, "E-mail me the account of customer C-1001")
    wait_for(page, "Waiting for you")

    page.get_by_role("button", name="Approve").focus()
    page.keyboard.press("Tab")
    assert focused(page) == "Deny"
    page.keyboard.press("Tab")
    assert focused(page) == "reason"
    page.get_by_role("button", name="Approve").focus()
    page.keyboard.press("Enter")

    card = page.get_by_role("group", name=re.compile("^send_email"))
    expect(card).to_contain_text("Approved by alice")
    expect(card).to_be_focused()
    wait_for(page, "Done")


def test_the_focus_is_not_taken_while_things_happen(visit: Visit) -> None:
    page = visit()
    ask(page, "Show the account and the last three payments of customer C-1001")
    composer = page.get_by_role("textbox", name="Message")

    composer.focus()
    page.keyboard.type("the next tho")
    wait_for(page, "Done")
    page.keyboard.type("ught")

    expect(composer).to_be_focused()
    expect(composer).to_have_value("the next thought")


def test_the_skip_link_leads_to_the_content(visit: Visit) -> None:
    page = visit("/inbox/")

    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")

    expect(page.locator("#content")).to_be_focused()

"""The third column: the trace of a run beside its conversation."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import SLOW_MS, ask, wait_for

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 1000, "height": 800}


def column(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Trace")


def steps(page: Page) -> Locator:
    return column(page).locator(".line-link")


def toggle(page: Page) -> Locator:
    return page.get_by_role("button", name="Trace")


def test_it_follows_the_run_and_takes_nothing_from_the_reader(visit: Visit) -> None:
    page = visit(viewport=WIDE)
    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")
    expect(column(page)).to_contain_text("Waiting for you", timeout=SLOW_MS)
    expect(steps(page).first).to_contain_text("SUPPORT_SUPERVISOR")
    before = steps(page).count()

    composer = page.get_by_role("textbox", name="Message")
    composer.fill("C-1001")
    composer.press("Enter")
    wait_for(page, "Done")

    expect(column(page)).to_contain_text("Done", timeout=SLOW_MS)
    expect(steps(page).filter(has_text="list_payments").last).to_be_visible()
    assert steps(page).count() > before
    expect(composer).to_be_focused()


def test_a_chosen_step_opens_in_the_column_and_the_conversation_stays(
    visit: Visit,
) -> None:
    page = visit(viewport=WIDE)
    ask(page, "What plan is customer C-1001 on?")
    wait_for(page, "Done")
    address = page.url
    call = steps(page).filter(has_text="lookup_account").last
    expect(call).to_be_visible(timeout=SLOW_MS)

    call.focus()
    page.keyboard.press("Enter")

    detail = column(page).locator("#trace-detail")
    expect(detail).to_contain_text("Fibre 250")
    expect(call).to_have_attribute("aria-current", "true")
    expect(call).to_be_focused()
    assert page.url == address


def test_put_away_it_stays_away_and_a_trace_link_brings_it_back(visit: Visit) -> None:
    page = visit(viewport=WIDE)
    ask(page, "Hello")
    wait_for(page, "Done")
    expect(column(page)).to_be_visible()

    toggle(page).click()
    expect(column(page)).to_be_hidden()
    expect(toggle(page)).to_have_attribute("aria-expanded", "false")
    page.reload()
    expect(column(page)).to_be_hidden()

    page.get_by_role("link", name="Trace").click()
    expect(column(page)).to_be_focused()
    expect(steps(page).first).to_be_visible(timeout=SLOW_MS)
    expect(toggle(page)).to_have_attribute("aria-expanded", "true")


def test_it_shows_the_run_whose_trace_was_asked_for(visit: Visit) -> None:
    page = visit(viewport=WIDE)
    ask(page, "Hello")
    wait_for(page, "Done")
    ask(page, "What plan is customer C-1001 on?")
    expect(page.locator(".turn")).to_have_count(2)
    wait_for(page, "Done")
    said = column(page).locator(".beside-request")
    expect(said).to_have_text("What plan is customer C-1001 on?", timeout=SLOW_MS)

    page.get_by_role("link", name="Trace").first.click()

    expect(said).to_have_text("Hello")
    expect(column(page)).not_to_contain_text("ACCOUNT_AGENT")


def test_on_a_narrower_screen_the_link_leads_to_the_page_of_the_run(
    visit: Visit,
) -> None:
    page = visit(viewport=NARROW)
    ask(page, "Hello")
    wait_for(page, "Done")
    expect(column(page)).to_be_hidden()
    expect(toggle(page)).to_be_hidden()

    page.get_by_role("link", name="Trace").click()

    expect(page).to_have_url(re.compile(r"/runs/"))

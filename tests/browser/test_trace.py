"""The run page in a browser: steps, keyboard, the exact prompt, a live run."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import ask, wait_for

BOTH = "Show the account and the last three payments of customer C-1001"


def open_trace(page: Page) -> None:
    link = page.get_by_role("link", name="Trace").first
    page.goto(str(link.get_attribute("href")))


def step(page: Page, number: int) -> Locator:
    return page.locator(".line-link").nth(number)


def detail(page: Page) -> Locator:
    return page.locator("#detail-title")


@pytest.fixture
def trace(visit: Visit) -> Page:
    """The trace of a finished run with two delegations."""
    page = visit("/?team=SUPPORT_TEAM")
    ask(page, BOTH)
    wait_for(page, "Done")
    open_trace(page)
    return page


def test_the_first_step_is_open_with_the_answer(trace: Page) -> None:
    expect(detail(trace)).to_contain_text("SUPPORT_SUPERVISOR")
    expect(trace.locator(".detail-result")).to_contain_text("C-1001")


def test_a_chosen_step_opens_below_and_has_an_address(trace: Page) -> None:
    link = step(trace, 3)
    link.click()
    expect(detail(trace)).to_have_text("Model call 1 of ACCOUNT_AGENT")
    expect(link).to_have_attribute("aria-current", "true")
    assert "?step=" in trace.url
    trace.reload()
    expect(detail(trace)).to_have_text("Model call 1 of ACCOUNT_AGENT")


def test_the_prompt_is_the_one_that_was_sent(trace: Page) -> None:
    step(trace, 3).click()
    agrees = "Rebuilt; its hash is that of the request sent."
    expect(trace.get_by_text(agrees)).to_be_visible()
    trace.locator("summary", has_text="system").click()
    expect(trace.locator("#fold-message-1 pre")).to_contain_text("# Task")


def test_arrows_walk_the_steps(trace: Page) -> None:
    step(trace, 2).focus()
    trace.keyboard.press("ArrowDown")
    trace.keyboard.press("ArrowDown")
    expect(step(trace, 4)).to_be_focused()
    expect(detail(trace)).to_contain_text("lookup_account")
    trace.keyboard.press("ArrowUp")
    expect(detail(trace)).to_have_text("Model call 1 of ACCOUNT_AGENT")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen(visit: Visit, trace: Page, width: int, scheme: str) -> None:
    page = visit(
        trace.url.removeprefix(trace.evaluate("location.origin")),
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
    )
    for number in (0, 1, 4):
        step(page, number).click()
        page.wait_for_load_state("networkidle")
        root = page.locator(":root")
        assert root.evaluate("e => e.scrollWidth - e.clientWidth") == 0


def test_a_waiting_run_says_how_to_go_on_and_fits_a_telephone(visit: Visit) -> None:
    page = visit("/?team=SUPPORT_TEAM", viewport={"width": 390, "height": 800})
    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")
    open_trace(page)
    asking = page.locator(".trace-asking")
    expect(asking).to_contain_text("PAYMENT_AGENT/PAYMENT_LOOKUP_TASK")
    root = page.locator(":root")
    assert root.evaluate("e => e.scrollWidth - e.clientWidth") == 0
    asking.get_by_role("link", name="Answer in the conversation").click()
    expect(page.get_by_role("textbox", name="Your answer")).to_be_visible()


def test_the_agents_alone_are_shown_and_walked(trace: Page) -> None:
    lines = trace.locator(".line-link").filter(visible=True)
    expect(lines).to_have_count(12)
    trace.get_by_label("Agents, waits and failures only").check()
    expect(lines).to_have_count(3)
    lines.first.focus()
    trace.keyboard.press("ArrowDown")
    expect(detail(trace)).to_contain_text("ACCOUNT_AGENT")


def test_a_waiting_run_goes_on_by_itself_and_keeps_open_folds(visit: Visit) -> None:
    page = visit("/?team=SUPPORT_TEAM")
    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")
    other = visit(page.url.removeprefix(page.evaluate("location.origin")))
    open_trace(other)
    expect(other.get_by_role("status")).to_have_text("Waiting for you")
    other.locator("#fold-events summary").click()
    step(other, 1).focus()

    page.get_by_role("textbox", name="Your answer").fill("C-1001")
    page.get_by_role("button", name="Answer").click()
    wait_for(page, "Done")

    expect(other.get_by_role("status")).to_have_text("Done", timeout=10_000)
    expect(other.locator(".detail-result")).to_contain_text("C-1001")
    expect(other.locator("#fold-events")).to_have_attribute("open", "")
    expect(step(other, 1)).to_be_focused()

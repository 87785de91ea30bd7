"""What else the page does for its reader."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import answer, ask, log, status, wait_for
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, text

BOTH = "Show the account and the last three payments of customer C-1001"


def overflow(page: Page) -> int:
    root = page.locator(":root")
    return int(root.evaluate("e => e.scrollWidth - e.clientWidth"))


def overhang(page: Page) -> int:
    """How far the page itself, not its columns, can be scrolled down."""
    root = page.locator(":root")
    return int(root.evaluate("e => e.scrollHeight - e.clientHeight"))


def test_the_names_a_screen_reader_tells(visit: Visit) -> None:
    page = visit()
    expect(page.get_by_role("combobox", name="Team")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.get_by_role("button", name="New conversation")).to_be_visible()

    ask(page, BOTH)
    wait_for(page, "Done")

    expect(page.get_by_role("log", name="Conversation")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(1)
    expect(page.get_by_role("article", name=re.compile("^alice"))).to_be_visible()
    expect(page.get_by_role("button", name="New conversation")).to_be_visible()
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_role("combobox", name="Team")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(
    visit: Visit, width: int, scheme: str
) -> None:
    page = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert overflow(page) == 0

    ask(page, f"{BOTH} and e-mail it to me. {'unbroken' * 60}")
    wait_for(page, "Waiting for you")
    assert overflow(page) == 0
    for toggle in page.locator(".task-toggle").all():
        if toggle.get_attribute("aria-expanded") == "false":
            toggle.click()
    for call in page.locator("details.call").all():
        call.locator("summary").click()
    assert overflow(page) == 0
    assert log(page).evaluate("e => e.scrollWidth - e.clientWidth") == 0
    assert overhang(page) == 0

    page.get_by_role("button", name="Approve").click()
    wait_for(page, "Done")
    assert overflow(page) == 0
    page.goto("/inbox/")
    assert overflow(page) == 0


def test_at_390_pixels_the_composer_and_the_list_are_in_reach(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 800})
    ask(page, "Hello")
    wait_for(page, "Done")

    expect(page.get_by_role("button", name="Send")).to_be_in_viewport()
    expect(page.get_by_role("link", name=re.compile("Hello")).first).to_be_hidden()
    page.get_by_role("button", name="Conversations").click()
    expect(page.get_by_role("link", name=re.compile("Hello")).first).to_be_visible()


def test_a_draft_is_kept_for_each_conversation(visit: Visit) -> None:
    page = visit()
    ask(page, "Hello")
    wait_for(page, "Done")
    page.get_by_role("textbox", name="Message").fill("unfinished")

    page.goto("/")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
    page.go_back()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("unfinished")
    page.reload()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("unfinished")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
    page.reload()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")


def test_the_view_follows_at_the_end_and_stays_where_one_reads(visit: Visit) -> None:
    page = visit(viewport={"width": 1000, "height": 420})
    ask(page, BOTH)
    wait_for(page, "Done")
    scroll = page.locator("#scroll")
    at_end = "e => e.scrollHeight - e.scrollTop - e.clientHeight < 4"
    assert scroll.evaluate(at_end)

    other = visit(page.url, viewport={"width": 1000, "height": 420})
    expect(answer(other)).to_be_visible()
    other.locator("#scroll").evaluate("e => { e.scrollTop = 0 }")
    ask(page, BOTH)
    wait_for(other, "Done")

    assert other.locator("#scroll").evaluate("e => e.scrollTop") == 0
    other.get_by_role("button", name="New messages").click()
    assert other.locator("#scroll").evaluate(at_end)
    expect(other.get_by_role("button", name="New messages")).to_be_hidden()


def test_a_fold_that_was_opened_stays_open_while_things_happen(visit: Visit) -> None:
    page = visit()
    ask(page, f"{BOTH} and e-mail it to me")
    wait_for(page, "Waiting for you")
    fold = page.get_by_role("group", name=re.compile("^PAYMENT_AGENT"))
    fold.get_by_role("button").first.click()
    fold.locator("details.call summary").click()
    expect(fold.locator(".call-body")).to_be_visible()

    page.get_by_role("button", name="Approve").click()
    wait_for(page, "Done")

    expect(fold.locator(".call-body")).to_be_visible()


def test_the_title_says_that_something_waits(visit: Visit) -> None:
    page = visit()
    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")
    expect(page).to_have_title(re.compile("Waiting for you"))

    ask(page, "C-1001")
    wait_for(page, "Done")

    expect(page).not_to_have_title(re.compile("Waiting for you"))


def test_a_conversation_is_renamed_and_deleted(visit: Visit) -> None:
    page = visit()
    ask(page, "Hello")
    wait_for(page, "Done")

    page.locator("summary", has_text="Options").click()
    page.get_by_role("textbox", name="Title").fill("Greetings")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("#talk-title")).to_have_text("Greetings")
    expect(page).to_have_title(re.compile("^Greetings"))
    expect(page.get_by_role("link", name=re.compile("^Greetings"))).to_be_visible()

    page.locator("summary", has_text="Delete").click()
    page.get_by_role("button", name="Delete this conversation").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.get_by_role("link", name=re.compile("^Greetings"))).to_have_count(0)


def test_a_message_and_a_piece_of_code_are_copied(
    visit: Visit, scripted_site: tuple[Product, ScriptedModel]
) -> None:
    product, model = scripted_site
    model.add(text("Try **this**:\n\n```python\nx = 1\ny = 2\n```"))
    page = visit(at=product, permissions=["clipboard-read", "clipboard-write"])
    ask(page, "How?")
    wait_for(page, "Done")
    copied = "async words => (await navigator.clipboard.readText()).includes(words)"

    answer(page).locator("header").get_by_role("button", name="Copy").click()
    expect(answer(page).get_by_role("button", name="Copied")).to_be_visible()
    page.wait_for_function(copied, arg="Try this:")
    answer(page).locator(".code-block").get_by_role("button", name="Copy").click()
    page.wait_for_function(copied, arg="x = 1\ny = 2")
    assert page.evaluate("navigator.clipboard.readText()") == "x = 1\ny = 2"


def test_the_page_says_that_it_is_a_rehearsal(visit: Visit) -> None:
    page = visit()
    expect(page.get_by_text("Rehearsal: no model is connected")).to_be_visible()

    ask(page, "Hello")

    expect(page.get_by_text("Rehearsal")).to_be_visible()


def test_without_scripts_one_can_still_ask_answer_and_approve(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.get_by_role("textbox", name="Message").fill("Show the last payments")
    page.get_by_role("button", name="Send").click()
    shown(page, "Waiting for you")
    page.get_by_role("textbox", name="Your answer").fill("C-1001")
    page.get_by_role("button", name="Answer").click()
    shown(page, "Done")

    page.get_by_role("textbox", name="Message").fill("E-mail it to me")
    page.get_by_role("button", name="Send").click()
    shown(page, "Waiting for you")
    page.get_by_role("button", name="Approve").click()
    shown(page, "Done")

    expect(page.get_by_text("Approved by alice")).to_be_visible()


def shown(page: Page, word: str) -> None:
    """Look again, as a reader without scripts does, until it says so."""
    for _ in range(40):
        page.goto(page.url)
        if word in status(page).inner_text():
            return
        page.wait_for_timeout(300)
    raise AssertionError(status(page).inner_text())

"""Text streams as it comes; a reload or a second tab shows the same at any moment."""

from __future__ import annotations

import re
import threading
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.talk import answer, ask, log, status, wait_for
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, text

Scripted = tuple[Product, ScriptedModel]
WORKER = "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"


def delegation(request: str) -> tuple[str, dict[str, str]]:
    return ("delegate_to_worker", {"worker": WORKER, "request": request})


def test_a_text_is_shown_while_it_is_written(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    gate = threading.Event()
    model.add(text("The **first** half and the rest", gate=gate, gate_after=3))
    page = visit(at=product)

    ask(page, "Write")
    expect(answer(page)).to_contain_text("The **first** half")
    expect(status(page)).to_contain_text("Working")
    gate.set()
    wait_for(page, "Done")

    expect(answer(page)).to_contain_text("The first half and the rest")
    expect(answer(page).locator("strong")).to_have_text("first")
    expect(answer(page)).to_have_count(1)


def test_a_reload_and_a_second_tab_in_the_middle_show_the_same(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    gate = threading.Event()
    model.add(
        calls(delegation("Look at C-1001")),
        text("Worker says: one two three four", gate=gate, gate_after=4),
        text("All is well"),
    )
    page = visit(at=product)
    ask(page, "Look")
    draft = log(page).get_by_role("article", name="ACCOUNT_AGENT", exact=True)
    expect(draft).to_contain_text("Worker says: one two")

    second = visit(page.url.removeprefix(product.url), at=product)
    page.reload()
    for tab in (page, second):
        shown = log(tab).get_by_role("article", name="ACCOUNT_AGENT", exact=True)
        expect(shown).to_contain_text("Worker says: one two")
    gate.set()
    for tab in (page, second):
        wait_for(tab, "Done")
        expect(answer(tab)).to_contain_text("All is well")

    texts = [log(tab).inner_text() for tab in (page, second)]
    third = visit(page.url.removeprefix(product.url), at=product)
    expect(answer(third)).to_contain_text("All is well")
    assert texts[0] == texts[1] == log(third).inner_text()


def test_a_tab_that_joins_late_sees_the_whole_draft(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    first, second = threading.Event(), threading.Event()
    words = " ".join(f"word{n}" for n in range(40))
    model.add(text(words, gate=first, gate_after=10))
    page = visit(at=product)
    ask(page, "Count")
    expect(answer(page)).to_contain_text("word9")

    late = visit(page.url.removeprefix(product.url), at=product)
    expect(answer(late)).to_contain_text("word0 word1 word2")
    first.set()
    wait_for(late, "Done")

    assert answer(late).inner_text() == answer(page).inner_text()
    second.set()


def test_an_open_question_survives_a_reload(visit: Visit) -> None:
    page = visit()
    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")

    page.reload()

    card = page.get_by_role("group", name=re.compile("^Question"))
    expect(card.get_by_role("textbox", name="Your answer")).to_be_visible()
    expect(page).to_have_title(re.compile("Waiting for you"))


def test_what_another_process_does_is_shown_on_the_open_page(
    visit: Visit, site: Product
) -> None:
    page = visit(user="admin")
    ask(page, "Hello")
    wait_for(page, "Done")
    conversation = page.url.rstrip("/").rsplit("/", 1)[1]

    site.manage(
        "ask",
        "SUPPORT_TEAM",
        "What plan is customer C-1003 on?",
        "--conversation",
        conversation,
        "--no-input",
    )

    expect(page.locator(".turn")).to_have_count(2)
    expect(answer(page)).to_contain_text("1003", timeout=10_000)
    wait_for(page, "Done")


def test_the_page_goes_on_after_the_server_was_away(
    visit: Visit, site: Product
) -> None:
    page = visit()
    ask(page, "Hello")
    wait_for(page, "Done")

    site.stop()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    expect(page.get_by_text("Connection lost")).to_be_visible(timeout=12_000)
    site.start()
    expect(page.get_by_text("Connection lost")).to_be_hidden(timeout=40_000)
    ask(page, "What plan is customer C-1001 on?")

    expect(page.locator(".turn")).to_have_count(2)
    wait_for(page, "Done")
    expect(answer(page)).to_contain_text("Fibre 250")


def test_without_a_socket_the_page_still_shows_what_happens(visit: Visit) -> None:
    page = visit()
    page.context.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())

    ask(page, "What plan is customer C-1001 on?")
    wait_for(page, "Done")

    expect(answer(page)).to_contain_text("Fibre 250")


def test_a_page_of_who_has_logged_out_asks_for_a_log_in(
    visit: Visit, site: Product, sessions: dict[tuple[str, str], Any]
) -> None:
    page = visit(user="agent")
    sessions.pop((site.url, "agent"))
    ask(page, "Hello")
    wait_for(page, "Done")
    other = page.context.new_page()
    other.goto("/")
    other.locator("summary", has_text="agent").click()
    other.get_by_role("button", name="Log out").click()
    other.wait_for_url("**/accounts/login/")

    # The list is fetched again after a change; it must not become the log-in page.
    page.evaluate("chat.standing({state: 'changed', title: '', waits: false})")
    page.wait_for_timeout(1000)
    expect(page.locator("#items")).not_to_contain_text("Password")

    page.get_by_role("textbox", name="Message").fill("Still there?")
    page.get_by_role("button", name="Send").click()

    page.wait_for_url("**/accounts/login/**")

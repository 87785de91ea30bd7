"""Stop really stops, retry goes on, a refusal keeps what was written."""

from __future__ import annotations

import threading

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import answer, ask, status, wait_for
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, error, text

Scripted = tuple[Product, ScriptedModel]


def begun(page: Page, model: ScriptedModel, gate: threading.Event) -> None:
    model.add(text("Half of the text and more", gate=gate, gate_after=2))
    ask(page, "Write")
    expect(answer(page)).to_contain_text("Half of")


def test_stop_closes_the_model_s_stream_and_keeps_the_text(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    gate = threading.Event()
    page = visit(at=product)
    begun(page, model, gate)

    page.get_by_role("button", name="Stop").click()
    wait_for(page, "Stopped")

    assert model.requests[-1].wait_disconnected()
    expect(answer(page)).to_contain_text("Half of")
    expect(answer(page)).to_contain_text("Stopped here")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    gate.set()


def test_retry_after_a_stop_goes_on(visit: Visit, scripted_site: Scripted) -> None:
    product, model = scripted_site
    gate = threading.Event()
    page = visit(at=product)
    begun(page, model, gate)
    page.get_by_role("button", name="Stop").click()
    wait_for(page, "Stopped")
    gate.set()

    model.add(text("All of it"))
    page.get_by_role("button", name="Retry").click()
    wait_for(page, "Done")

    expect(answer(page)).to_contain_text("All of it")
    expect(page.get_by_role("button", name="Retry")).to_have_count(0)


def test_a_failure_says_what_happened_and_can_be_retried(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    model.add(error(401, "wrong key"))
    page = visit(at=product)
    ask(page, "Write")
    wait_for(page, "Failed")
    expect(status(page)).to_contain_text("refused the API key")

    model.add(text("Better now"))
    page.get_by_role("button", name="Retry").click()
    wait_for(page, "Done")

    expect(answer(page)).to_contain_text("Better now")


def test_a_failed_request_is_written_anew_beside_what_stands_in_the_composer(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    model.add(error(401, "wrong key"))
    page = visit(at=product)
    ask(page, "Write a letter")
    wait_for(page, "Failed")
    composer = page.get_by_role("textbox", name="Message")
    composer.fill("half a thought")

    page.get_by_role("link", name="Edit and retry").click()

    expect(composer).to_have_value("half a thought\n\nWrite a letter")
    expect(composer).to_be_focused()
    model.add(text("Written"))
    composer.fill("Write a short letter")
    page.get_by_role("button", name="Send").click()
    expect(answer(page)).to_contain_text("Written")


def test_the_details_of_a_failure_are_folded(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    model.add(error(401, "wrong key"))
    page = visit(at=product)
    ask(page, "Write")
    wait_for(page, "Failed")
    code = page.get_by_text("model_key_refused", exact=True)
    expect(code).to_be_hidden()

    page.get_by_text("Show details").click()

    expect(code).to_be_visible()


def test_escape_stops_from_an_empty_composer_only(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    gate = threading.Event()
    page = visit(at=product)
    begun(page, model, gate)
    composer = page.get_by_role("textbox", name="Message")

    composer.fill("half a thought")
    composer.press("Escape")
    page.wait_for_timeout(300)
    expect(status(page)).to_contain_text("Working")
    composer.fill("")
    composer.press("Escape")

    wait_for(page, "Stopped")
    gate.set()


def test_a_message_while_the_team_works_is_refused_and_kept(
    visit: Visit, scripted_site: Scripted
) -> None:
    product, model = scripted_site
    gate = threading.Event()
    page = visit(at=product)
    begun(page, model, gate)

    ask(page, "And another thing")
    expect(page.locator("#composer-error")).to_contain_text("still working")
    expect(page.get_by_role("textbox", name="Message")).to_have_value(
        "And another thing"
    )
    gate.set()
    wait_for(page, "Done")
    model.add(text("Yes, that too"))
    page.get_by_role("button", name="Send").click()

    expect(answer(page)).to_contain_text("Yes, that too")
    expect(page.locator("#composer-error")).to_be_empty()


def test_an_empty_message_is_refused(visit: Visit) -> None:
    page = visit()
    ask(page, "Hello")
    wait_for(page, "Done")

    page.get_by_role("button", name="Send").click()

    expect(page.locator("#composer-error")).to_contain_text("message is empty")


def test_a_long_message_is_refused_and_kept(visit: Visit) -> None:
    page = visit()
    words = "x" * 200_000

    page.get_by_role("textbox", name="Message").fill(words)
    page.get_by_role("button", name="Send").click()

    expect(page.locator("#composer-error")).to_contain_text("at most 100000")
    expect(page.get_by_role("textbox", name="Message")).to_have_value(words)

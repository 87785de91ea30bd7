"""Approving and denying, in one tab and in two."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import answer, ask, wait_for
from tests.support.product import Product

MAIL = "E-mail me the account of customer C-1001"


def card(page: Page) -> Locator:
    return page.get_by_role("group", name=re.compile("^send_email"))


def mails(site: Product) -> int:
    folder = site.folder / "mails"
    return sum(
        path.read_text().count("Message-ID")
        for path in (folder.iterdir() if folder.exists() else ())
    )


def test_a_denial_with_a_reason_sends_nothing(visit: Visit, site: Product) -> None:
    page = visit()
    sent = mails(site)
    ask(page, MAIL)
    wait_for(page, "Waiting for you")

    card(page).get_by_role("textbox", name="Reason").fill("Not today")
    card(page).get_by_role("button", name="Deny").click()
    wait_for(page, "Done")

    expect(card(page)).to_contain_text("Denied by alice")
    expect(card(page)).to_contain_text("Not today")
    assert mails(site) == sent


def test_enter_in_the_reason_denies_and_never_approves(
    visit: Visit, site: Product
) -> None:
    page = visit()
    sent = mails(site)
    ask(page, MAIL)
    wait_for(page, "Waiting for you")

    card(page).get_by_role("textbox", name="Reason").fill("No")
    card(page).get_by_role("textbox", name="Reason").press("Enter")

    expect(card(page)).to_contain_text("Denied by alice")
    wait_for(page, "Done")
    assert mails(site) == sent


def test_free_text_never_approves(visit: Visit) -> None:
    page = visit()
    ask(page, MAIL)
    wait_for(page, "Waiting for you")

    ask(page, "yes, approve it")

    expect(page.locator("#composer-error")).to_contain_text("waits for your decision")
    expect(card(page).get_by_role("button", name="Approve")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("yes, approve it")


def test_a_decision_in_one_tab_settles_the_card_in_the_other(visit: Visit) -> None:
    page = visit()
    ask(page, MAIL)
    wait_for(page, "Waiting for you")
    other = visit(page.url)
    expect(card(other).get_by_role("button", name="Approve")).to_be_visible()

    card(page).get_by_role("button", name="Approve").click()

    expect(card(other)).to_contain_text("Approved by alice")
    wait_for(other, "Done")
    assert answer(other).inner_text() == answer(page).inner_text()


def test_the_second_of_two_decisions_is_told_the_first_and_sends_nothing_more(
    visit: Visit, site: Product
) -> None:
    page = visit()
    sent = mails(site)
    ask(page, MAIL)
    wait_for(page, "Waiting for you")
    deaf = visit(page.url)
    deaf.context.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    deaf.reload()
    expect(card(deaf).get_by_role("button", name="Deny")).to_be_visible()

    card(page).get_by_role("button", name="Approve").click()
    card(deaf).get_by_role("button", name="Deny").click()

    expect(card(deaf)).to_contain_text("Approved by alice")
    wait_for(page, "Done")
    assert mails(site) == sent + 1


def test_a_double_click_decides_once(visit: Visit, site: Product) -> None:
    page = visit()
    sent = mails(site)
    ask(page, MAIL)
    wait_for(page, "Waiting for you")

    card(page).get_by_role("button", name="Approve").dblclick()
    wait_for(page, "Done")

    assert mails(site) == sent + 1


def test_an_operator_decides_from_the_inbox(visit: Visit) -> None:
    page = visit()
    ask(page, MAIL)
    wait_for(page, "Waiting for you")
    desk = visit("/inbox/", user="agent")

    desk.locator(f"a[href^='{page.url[page.url.index('/c/') :]}']").click()
    card(desk).get_by_role("button", name="Approve").click()

    expect(card(page)).to_contain_text("Approved by agent")
    wait_for(page, "Done")


def test_stop_while_a_decision_is_open_withdraws_it(visit: Visit) -> None:
    page = visit()
    ask(page, MAIL)
    wait_for(page, "Waiting for you")

    page.get_by_role("button", name="Stop").click()

    wait_for(page, "Stopped")
    expect(card(page)).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)

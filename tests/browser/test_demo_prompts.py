"""The demo's prompts, in the browser, with the rehearsal model and no network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.talk import (
    answer,
    ask,
    log,
    open_fold,
    wait_for,
    worker,
    workers,
)

ACCOUNT = "ACCOUNT_AGENT / ACCOUNT_MANAGEMENT_TASK"
PAYMENT = "PAYMENT_AGENT / PAYMENT_LOOKUP_TASK"
NOTIFICATION = "NOTIFICATION_AGENT / NOTIFICATION_TASK"
BOTH = "Show the account and the last three payments of customer C-1001"


def test_one_delegation_and_an_answer_that_names_the_plan(visit: Visit) -> None:
    page = visit()

    ask(page, "What plan is customer C-1001 on?")
    wait_for(page, "Done")

    assert workers(page) == [ACCOUNT]
    expect(answer(page)).to_contain_text("Fibre 250")


def test_two_delegations_and_one_combined_answer(visit: Visit) -> None:
    page = visit()

    ask(page, BOTH)
    wait_for(page, "Done")

    assert workers(page) == [ACCOUNT, PAYMENT]
    expect(answer(page)).to_contain_text("Fibre 250")
    assert len(answer(page).get_by_text(re.compile(r"P-\d\d-1001")).all()) == 3


def test_three_delegations_and_an_approval_before_anything_is_sent(
    visit: Visit,
) -> None:
    page = visit()

    ask(page, f"{BOTH} and e-mail it to me")
    wait_for(page, "Waiting for you")

    card = page.get_by_role("group", name=re.compile("^send_email"))
    expect(card.locator("dd").get_by_text("Fibre 250")).to_be_visible()
    card.get_by_role("button", name="Approve").click()
    wait_for(page, "Done")

    assert workers(page) == [ACCOUNT, PAYMENT, NOTIFICATION]
    expect(card).to_contain_text("Approved by alice")
    expect(card).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


@pytest.mark.parametrize("where", ["the card", "the composer"])
def test_a_worker_asks_and_the_same_worker_finishes(visit: Visit, where: str) -> None:
    page = visit()

    ask(page, "Show the last payments")
    wait_for(page, "Waiting for you")
    card = page.get_by_role("group", name=re.compile("^Question"))
    expect(card).to_be_visible()
    if where == "the card":
        card.get_by_role("textbox", name="Your answer").fill("C-1001")
        card.get_by_role("button", name="Answer").click()
    else:
        ask(page, "C-1001")
    wait_for(page, "Done")

    assert workers(page) == [PAYMENT]
    expect(card).to_contain_text("C-1001")
    expect(card).to_contain_text("Answered by alice")
    expect(answer(page)).to_contain_text("1001")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")


def test_a_failed_call_is_explained_and_the_run_succeeds(visit: Visit) -> None:
    page = visit()

    ask(page, "What plan is customer C-9999 on?")
    wait_for(page, "Done")

    group = worker(page, ACCOUNT)
    open_fold(group)
    expect(group.locator(".call")).to_contain_text("Failed")
    expect(answer(page)).to_contain_text("C-9999")


def test_a_greeting_needs_nobody(visit: Visit) -> None:
    page = visit()

    ask(page, "Hello")
    wait_for(page, "Done")

    assert workers(page) == []
    expect(log(page).get_by_role("article")).to_have_count(2)


def test_a_follow_up_knows_the_earlier_turn(visit: Visit) -> None:
    page = visit()
    ask(page, "What plan is customer C-1002 on?")
    wait_for(page, "Done")

    ask(page, "Show the last two payments of that customer")
    expect(page.locator(".turn")).to_have_count(2)
    wait_for(page, "Done")

    expect(answer(page)).to_contain_text("1002")


def test_a_fold_shows_the_request_the_call_and_the_result(visit: Visit) -> None:
    page = visit()
    ask(page, "What plan is customer C-1001 on?")
    wait_for(page, "Done")
    group = worker(page, ACCOUNT)
    call = group.locator("details.call")
    expect(call).to_be_hidden()

    open_fold(group)
    call.locator("summary").click()

    expect(
        group.get_by_role("article", name="SUPPORT_SUPERVISOR, request")
    ).to_be_visible()
    expect(call).to_contain_text("lookup_account")
    expect(call.get_by_text("customer_id", exact=True)).to_be_visible()
    expect(call.get_by_text('"plan": "Fibre 250"')).to_be_visible()


def test_a_starter_starts(visit: Visit) -> None:
    page = visit()

    page.locator(".starter").first.click()
    page.wait_for_url("**/c/**")

    wait_for(page, "Done")

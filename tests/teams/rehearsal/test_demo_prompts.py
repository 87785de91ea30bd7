"""The prompts of the contract, with the demo team's own definitions."""

from __future__ import annotations

import pytest

from tests.teams.rehearsal.playing import Play
from tests.teams.rehearsal.support_desk import (
    LOOKUP,
    NOTICE,
    PAYMENTS,
    refuse,
    team,
)

THREE = "Show the account and the last three payments of customer C-1001"


@pytest.fixture
def play() -> Play:
    return Play(team())


def test_one_question_is_one_delegation_and_the_asked_field_leads(play: Play) -> None:
    answer = play.say("What plan is customer C-1001 on?")

    assert play.path == [LOOKUP]
    assert play.requests == ["What plan is customer C-1001 on?"]
    assert play.calls == [("lookup_account", {"customer_id": "C-1001"})]
    assert answer == ("**Plan:** Business\n\n- Customer id: C-1001\n- Name: Ada Byron")


def test_two_wishes_are_two_delegations_and_one_answer(play: Play) -> None:
    answer = play.say(THREE)

    assert play.path == [LOOKUP, PAYMENTS]
    assert play.requests == [
        "Show the account (customer C-1001).",
        "Show the last three payments of customer C-1001",
    ]
    assert play.calls == [
        ("lookup_account", {"customer_id": "C-1001"}),
        ("list_payments", {"customer_id": "C-1001", "limit": 3}),
    ]
    assert answer.count("| 10.50 |") == 3
    assert "- Plan: Business" in answer


def test_the_mail_comes_last_and_holds_what_was_found(play: Play) -> None:
    answer = play.say(f"{THREE} and e-mail it to me")

    assert play.path == [LOOKUP, PAYMENTS, NOTICE]
    name, mail = play.calls[-1]
    assert name == "send_email"
    assert mail["subject"] == "Account and the last three payments of customer C-1001"
    assert mail["to"] == "me"
    assert "- Plan: Business" in mail["body"]
    assert "2026-02-18, 10.50, P-2" in mail["body"]
    assert "- Status: sent\n- To: alice@example.com" in answer


def test_a_missing_id_is_asked_for_by_the_worker(play: Play) -> None:
    answer = play.say("Show the last payments", "C-1001")

    assert play.path == [PAYMENTS]
    assert play.questions == [
        "Which customer do you mean? Please give the customer id. For example: C-1001."
    ]
    assert play.calls == [("list_payments", {"customer_id": "C-1001"})]
    assert answer.count("| 10.50 |") == 10


def test_a_failed_tool_is_told_and_explained(play: Play) -> None:
    answer = play.say("What plan is customer C-9999 on?")

    assert play.path == [LOOKUP]
    assert len(play.calls) == 1
    assert answer == (
        "Account management could not do what was asked.\n\n"
        "Lookup account failed: There is no customer C-9999."
    )


def test_a_greeting_is_answered_at_once(play: Play) -> None:
    answer = play.say("Hello")

    assert play.path == []
    assert answer.startswith("Hello!\n\nI can help with this:\n\n")
    assert answer.count("\n- **") == 3


def test_a_refused_mail_is_reported_and_not_tried_again() -> None:
    play = Play(team(send_email=refuse))
    answer = play.say(f"{THREE} and e-mail it to me")

    assert [name for name, _ in play.calls].count("send_email") == 1
    assert play.path == [LOOKUP, PAYMENTS, NOTICE]
    assert "Send email was not approved: not today. It has not been done." in answer


def test_nothing_is_mailed_when_nothing_was_found(play: Play) -> None:
    answer = play.say("Show the account of customer C-9999 and e-mail it to me")

    assert play.path == [LOOKUP]
    assert answer.endswith(
        "As there is nothing to pass on, this was left out: e-mail it to me."
    )


def test_a_field_that_sounds_like_sending_is_looked_up(play: Play) -> None:
    answer = play.say("What is the e-mail address of customer C-1001?")

    assert play.path == [LOOKUP]
    assert answer.startswith("**Email:** ada@example.com")


def test_a_text_to_send_is_sent_without_looking_anything_up(play: Play) -> None:
    play.say("Send an e-mail to bob@example.com saying that the shop is closed")

    assert play.calls == [
        (
            "send_email",
            {
                "subject": "The shop is closed",
                "body": "The shop is closed",
                "to": "bob@example.com",
            },
        )
    ]

"""What an earlier turn said holds for the next."""

from __future__ import annotations

import pytest

from tests.teams.rehearsal import facilities
from tests.teams.rehearsal.playing import Play, Worker
from tests.teams.rehearsal.support_desk import LOOKUP, NOTICE, PAYMENTS, team


@pytest.fixture
def play() -> Play:
    play = Play(team())
    play.say("What plan is customer C-1001 on?")
    return play


def test_the_id_of_an_earlier_turn_is_used(play: Play) -> None:
    play.say("And the last three payments?")

    assert play.path == [LOOKUP, PAYMENTS]
    assert play.requests[1] == "The last three payments (customer C-1001)?"
    assert play.calls[1] == ("list_payments", {"customer_id": "C-1001", "limit": 3})
    assert play.questions == []


def test_another_id_repeats_the_last_request_with_it(play: Play) -> None:
    play.say("And C-1002?")

    assert play.requests[1] == "What plan is customer C-1002 on?"
    assert play.calls[1] == ("lookup_account", {"customer_id": "C-1002"})


def test_the_last_answer_can_be_mailed(play: Play) -> None:
    play.say("Please e-mail that to me")

    assert play.path == [LOOKUP, NOTICE]
    _name, mail = play.calls[1]
    assert mail["subject"] == "What plan is customer C-1001 on"
    assert mail["body"].startswith("Plan: Business")


def test_thanks_in_between_do_not_count_as_an_answer(play: Play) -> None:
    play.say("Thanks!")
    play.say("Please e-mail that to me")

    assert play.calls[1][1]["body"].startswith("Plan: Business")


def test_nothing_is_mailed_again_for_another_id(play: Play) -> None:
    play.say("Show the account of customer C-1001 and e-mail it to me")
    play.say("And C-1002?")

    assert play.path[-1] == LOOKUP
    assert [name for name, _ in play.calls].count("send_email") == 1


def test_thanks_are_answered_without_work(play: Play) -> None:
    assert play.say("Thanks!") == "You are welcome."
    assert len(play.path) == 1


def test_the_same_request_is_worked_on_again(play: Play) -> None:
    first = play.say("What plan is customer C-1001 on?")
    second = play.say("What plan is customer C-1001 on?")

    assert first == second
    assert play.path == [LOOKUP] * 3


def test_an_id_learnt_from_an_answer_is_remembered() -> None:
    play = Play(team())
    play.say("Show the last payments", "C-1001")
    play.say("And the account?")

    assert play.requests[-1] == "The account (Customer id C-1001)?"
    assert play.calls[-1] == ("lookup_account", {"customer_id": "C-1001"})


def test_an_agent_alone_remembers_too() -> None:
    everything = Worker(
        "ALL", "Does all.", "Do what is asked.", tuple(facilities.TOOLS)
    )
    play = Play(facilities.TEAM)
    play.say_to(everything, "What is the state of ticket T-204?")
    answer = play.say_to(everything, "Who is its technician?")

    assert answer.startswith("**Technician:** Nils")
    assert play.calls == [("ticket_status", {"ticket_id": "T-204"})] * 2

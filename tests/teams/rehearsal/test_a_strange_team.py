"""A supervised team of a domain the rules have never seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.teams.rehearsal.facilities import CATERING, DESK, REPAIRS, ROOMS, TEAM
from tests.teams.rehearsal.playing import Play


@pytest.fixture
def play() -> Play:
    return Play(TEAM)


def test_two_workers_share_what_the_request_says(play: Play) -> None:
    play.say(
        "Book a room for 12 people tomorrow at 14:30 "
        "and order a vegetarian lunch for them"
    )

    assert play.path == [ROOMS, CATERING]
    assert play.requests[1].startswith(
        "Order a vegetarian lunch for them (12 people, tomorrow, 14:30)."
    )
    day = "2026-03-05"
    assert play.calls == [
        ("find_free_rooms", {"date": day, "attendees": 12}),
        (
            "book_room",
            {"room": "Cedar", "date": day, "start_time": "14:30", "attendees": 12},
        ),
        ("order_catering", {"menu": "vegetarian", "date": day, "people": 12}),
    ]


def test_a_named_thing_needs_no_looking_up(play: Play) -> None:
    play.say("Book room Birch next Monday at 9 am for two hours for 5 people")

    assert play.calls == [
        (
            "book_room",
            {
                "room": "Birch",
                "date": "2026-03-09",
                "start_time": "09:00",
                "attendees": 5,
                "hours": 2,
            },
        )
    ]


def test_a_question_chooses_the_tool_that_looks_up(play: Play) -> None:
    answer = play.say("What is the state of ticket T-204?")

    assert play.path == [REPAIRS]
    assert play.calls == [("ticket_status", {"ticket_id": "T-204"})]
    assert answer == "**State:** in repair\n\n- Ticket id: T-204"


def test_a_plain_report_is_described_in_its_own_words(play: Play) -> None:
    report = "The projector in room Birch is broken, it is urgent"
    play.say(report)

    assert play.path == [REPAIRS]
    assert play.calls == [
        (
            "open_ticket",
            {"location": "Birch", "description": report, "urgent": True},
        )
    ]


def test_what_was_found_is_posted(play: Play) -> None:
    play.say("Look up ticket T-204 and post it to the kitchen channel")

    assert play.path == [REPAIRS, DESK]
    assert play.calls[1] == (
        "post_message",
        {
            "channel": "kitchen",
            "text": "- Ticket id: T-204\n- State: in repair\n- Technician: Nils",
        },
    )


def test_a_choice_is_asked_for_with_its_values(play: Play) -> None:
    play.say("Order lunch tomorrow for 7 people", "classic")

    asked = play.questions
    assert asked == ["Please give the menu."]
    assert play.calls == [
        ("order_catering", {"menu": "classic", "date": "2026-03-05", "people": 7})
    ]


def test_several_missing_values_are_asked_for_at_once(play: Play) -> None:
    play.say("Order coffee", "tomorrow, 8")

    assert play.questions == ["I need a little more. Please give: date, people."]
    assert play.calls == [
        ("order_catering", {"menu": "coffee_only", "date": "2026-03-05", "people": 8})
    ]


def test_several_ids_are_several_calls_of_one_worker(play: Play) -> None:
    play.say("Show the state of ticket T-204 and ticket T-205")

    assert play.path == [REPAIRS]
    assert play.calls == [
        ("ticket_status", {"ticket_id": "T-204"}),
        ("ticket_status", {"ticket_id": "T-205"}),
    ]


def test_several_wishes_for_one_worker_are_one_delegation(play: Play) -> None:
    play.say("Show the state of ticket T-204, and its technician")

    assert play.path == [REPAIRS]
    assert len(play.calls) == 1


def test_what_nobody_can_do_is_said(play: Play) -> None:
    answer = play.say("Sing a song")

    assert play.path == []
    assert answer.startswith("I found nothing in this that I could do.")


def test_a_denied_call_is_reported_with_its_reason(play: Play) -> None:
    answer = play.say("Look up ticket T-204 and post it to the staff channel")

    assert "Post message was not approved: wrong channel." in answer
    assert len(play.calls) == 2


def test_a_failed_worker_is_reported() -> None:
    def broken(**_arguments: str) -> None:
        raise RuntimeError("no connection")

    team = replace(TEAM, functions={**TEAM.functions, "ticket_status": broken})
    answer = Play(team).say("What is the state of ticket T-204?")

    assert answer.endswith(
        "Ticket status failed: no connection. It was tried with ticket id T-204."
    )

"""A handoff team of another domain: a botanical garden."""

from __future__ import annotations

import pytest

from tests.teams.rehearsal.bodies import called, made, move, said, user
from tests.teams.rehearsal.playing import function, schema
from tests.teams.rehearsal.sharing import RULES, Member, Shared

ELSE = "Everything else."
PLANT = {"type": "string", "description": "The label of the plant, such as P-12."}
TOOLS = {
    "find_plant": (
        "Finds a plant of the garden: its bed and its species.",
        schema(("plant_id",), plant_id=PLANT),
    ),
    "book_tour": (
        "Books a guided tour through the greenhouses.",
        schema(("date",), date={"type": "string", "description": "YYYY-MM-DD"}),
    ),
}
GARDEN = (
    Member(
        "GATE",
        "Gate",
        "You welcome visitors of the garden and hand them over.",
        {
            "BOTANY": "Plants and flowers: where they stand and what they are.",
            "VISITS": "Tours, opening hours and tickets.",
        },
    ),
    Member(
        "BOTANY",
        "Botanist",
        "You know the plants. Leave tours and tickets to others: hand them to the "
        "gate.",
        {"GATE": ELSE},
        ("find_plant",),
    ),
    Member("VISITS", "Visits", "You arrange tours.", {"GATE": ELSE}, ("book_tour",)),
)


@pytest.fixture
def garden() -> Shared:
    return Shared(
        GARDEN,
        TOOLS,
        {
            "find_plant": lambda plant_id: {"plant_id": plant_id, "bed": "North 4"},
            "book_tour": lambda date: {"date": date, "guide": "Rosa"},
        },
    )


def test_who_fits_better_gets_the_conversation_and_acts(garden: Shared) -> None:
    answer = garden.say("In which bed is plant P-12?")

    assert garden.path == ["GATE", "BOTANY"]
    assert garden.reasons == ["In which bed is plant P-12"]
    assert garden.calls == [("find_plant", {"plant_id": "P-12"})]
    assert answer == "- Plant id: P-12\n- Bed: North 4"


def test_a_follow_up_stays_with_the_active_agent(garden: Shared) -> None:
    garden.say("In which bed is plant P-12?")
    garden.say("And P-13?")

    assert garden.path == ["BOTANY"]
    assert garden.calls[-1] == ("find_plant", {"plant_id": "P-13"})


def test_another_subject_goes_back_and_on(garden: Shared) -> None:
    garden.say("In which bed is plant P-12?")
    garden.say("I would like a tour tomorrow")

    assert garden.path == ["BOTANY", "GATE", "VISITS"]
    assert garden.calls[-1] == ("book_tour", {"date": "2026-03-05"})


def test_two_wishes_are_done_by_two_and_nothing_twice(garden: Shared) -> None:
    answer = garden.say("Find plant P-12 and book a tour tomorrow")

    assert sorted(name for name, _ in garden.calls) == ["book_tour", "find_plant"]
    assert garden.path == ["GATE", "BOTANY", "GATE", "VISITS"]
    assert answer == "- Date: 2026-03-05\n- Guide: Rosa"


def test_nobody_for_it_means_a_question_not_a_round_trip(garden: Shared) -> None:
    garden.say("In which bed is plant P-12?")

    assert garden.say("Repair my bicycle").startswith("What is it about?")
    assert garden.path == ["BOTANY", "GATE"]
    assert garden.say("A tour on 2026-05-01")
    assert garden.path == ["GATE", "VISITS"]


def test_greetings_and_thanks_move_nobody(garden: Shared) -> None:
    garden.say("Hello")
    assert garden.path == ["GATE"]
    garden.say("Where does plant P-12 stand?")
    assert garden.say("Thank you!") == "You are welcome."
    assert garden.path == ["BOTANY"]


def test_sixty_turns_end_each(garden: Shared) -> None:
    for number in range(20):
        garden.say(f"In which bed is plant P-{number + 10}?")
        assert garden.active == "BOTANY"
        garden.say("Book me a tour tomorrow")
        assert garden.active == "VISITS"
        garden.say("Repair my bicycle")
        assert garden.active == "GATE"


def test_two_who_both_want_to_be_rid_of_it_do_not_play_ping_pong() -> None:
    one = Member("ONE", "One", "You only read.", {"TWO": "Sorts everything else."})
    two = Member("TWO", "Two", "You only read.", {"ONE": "Sorts everything else."})
    team = Shared((one, two))
    team.say("Water the roses")
    team.say("Water the roses please")

    assert len(team.path) <= 3


TARGET = function(
    "handoff_to_BOTANY",
    "Hand the conversation over to Botanist. Plants and flowers.",
    schema((), reason={"type": "string"}),
)


def test_what_others_say_is_no_request() -> None:
    heard = user("[VISITS] Look at the plants and flowers!")
    found = move(user("Hello"), heard, tools=[TARGET], system=f"Be.\n\n{RULES}")

    assert said(found).startswith("Hello!")


def test_a_refused_handover_is_told_and_not_tried_again() -> None:
    refused = called("handoff_to_BOTANY", "This agent has been disabled.")
    found = move(user("Show me the plants"), *refused, tools=[TARGET], system=RULES)

    assert said(found) == "I could not pass this on: This agent has been disabled."


def test_what_came_back_without_a_word_is_not_handed_over_again() -> None:
    gone = called("handoff_to_BOTANY", "Handed over to BOTANY.")
    go_on = user("Please go on with my request.")
    found = move(user("Show me the plants"), *gone, go_on, tools=[TARGET], system=RULES)

    assert said(found).startswith("What is it about?")


def test_names_in_other_scripts() -> None:
    tools = [
        function(
            "handoff_to_agent_1",
            "Hand the conversation over to 植物专家. 植物和花卉的问题。",
            schema((), reason={"type": "string"}),
        ),
        function(
            "handoff_to_agent_2",
            "Hand the conversation over to الجولات. جولات وتذاكر",
            schema((), reason={"type": "string"}),
        ),
    ]

    system = f"接待。\n\n{RULES}"
    assert made(move(user("这种植物叫什么？"), tools=tools, system=system))[0] == (
        "handoff_to_agent_1"
    )
    assert made(move(user("اريد جولات غدا"), tools=tools, system=system))[0] == (
        "handoff_to_agent_2"
    )

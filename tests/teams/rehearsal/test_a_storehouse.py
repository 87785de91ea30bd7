"""A third team that the rules have never seen: what people say to a storehouse."""

from __future__ import annotations

import pytest

from tests.teams.rehearsal.playing import Play
from tests.teams.rehearsal.storehouse import (
    HANDBOOK,
    STOCK,
    SUPPLIERS,
    TEAM,
    TRANSFERS,
)


@pytest.fixture
def play() -> Play:
    return Play(TEAM)


def test_of_two_tools_the_one_that_lacks_nothing_is_called(play: Play) -> None:
    play.say("stock of AB1234")

    assert play.calls == [("stock_level", {"sku": "AB1234"})]
    assert play.questions == []


def test_an_id_like_those_of_a_worker_speaks_for_it(play: Play) -> None:
    play.say("How many AB1234 do we have in the north?")

    assert play.path == [STOCK]
    assert play.calls == [("stock_level", {"sku": "AB1234", "warehouse": "north"})]


@pytest.mark.parametrize("amount", ["-7", "minus 7", "−7"])
def test_a_negative_number_keeps_its_sign(play: Play, amount: str) -> None:
    play.say(f"Adjust the stock of CD2000 by {amount} because of theft")

    expected = {"sku": "CD2000", "quantity": -7, "reason": "theft"}
    assert play.calls == [("adjust_stock", expected)]


def test_a_number_is_negative_for_the_verb_that_a_description_names(play: Play) -> None:
    play.say("Remove 3 pieces of AB1234 from stock, they were damaged")

    assert play.calls[0][1] == {"sku": "AB1234", "quantity": -3, "reason": "damage"}


def test_where_from_and_where_to_are_told_apart(play: Play) -> None:
    play.say("Transfer 10 pieces of AB1234 from north to south")

    assert play.path == [TRANSFERS]
    assert play.calls[0][1]["source"] == "north"
    assert play.calls[0][1]["destination"] == "south"


def test_a_list_of_records_is_filled_pair_by_pair(play: Play) -> None:
    play.say("Transfer 10 pieces of AB1234 and 4 of CD2000 from north to south")

    assert play.calls[0][1]["lines"] == [
        {"sku": "AB1234", "pieces": 10},
        {"sku": "CD2000", "pieces": 4},
    ]


def test_the_parts_of_a_record_are_asked_for_until_they_are_there(play: Play) -> None:
    play.say("Transfer goods from central to north", "AB1234", "5")

    assert play.questions[0] == "Please give the lines: sku, pieces (what is moved)."
    assert play.calls[0][1]["lines"] == [{"sku": "AB1234", "pieces": 5}]


def test_where_else_is_a_follow_up(play: Play) -> None:
    play.say("Stock of AB1234 in the north?")
    play.say("And in the south warehouse?")

    assert play.calls[1] == ("stock_level", {"sku": "AB1234", "warehouse": "south"})


@pytest.mark.parametrize("said", ["No, I meant CD2000", "Sorry, CD2000", "And CD2000?"])
def test_a_correction_repeats_the_request_with_what_was_meant(
    play: Play, said: str
) -> None:
    play.say("Stock of AB1234 in the north?")
    play.say(said)

    assert play.calls[1] == ("stock_level", {"sku": "CD2000", "warehouse": "north"})


def test_a_number_that_is_replaced_stays_out_of_other_numbers(play: Play) -> None:
    play.say("Adjust stock of AB1234 by 2 after the count of 12 January 2027")
    play.say("And 3?")

    assert play.requests[1] == (
        "Adjust stock of AB1234 by 3 after the count of 12 January 2027"
    )


def test_a_wish_of_its_own_is_no_follow_up(play: Play) -> None:
    play.say("Stock of AB1234 in the north?")
    answer = play.say("Paint me a portrait of Lisbon")

    assert answer.startswith("I found nothing in this that I could do.")
    assert len(play.calls) == 1


def test_a_question_about_today_repeats_nothing(play: Play) -> None:
    play.say("Transfer 10 pieces of AB1234 from north to south")
    answer = play.say("What is the weather like today?")

    assert answer.startswith("I found nothing in this that I could do.")
    assert len(play.calls) == 1


def test_what_follows_about_calls_nobody_else(play: Play) -> None:
    play.say("What does the handbook say about stock?")

    assert play.path == [HANDBOOK]
    assert play.calls == [("quote_handbook", {"topic": "Stock"})]


def test_ids_of_earlier_turns_are_for_workers_that_have_to_do_with_ids(
    play: Play,
) -> None:
    play.say("Stock of AB1234?")
    play.say("What does the handbook say about fire?")

    assert play.requests[1] == "What does the handbook say about fire?"


def test_nothing_is_looked_up_where_it_should_be_deleted(play: Play) -> None:
    answer = play.say("Delete the stock of AB1234")

    assert answer.startswith(
        "There is nobody here who can do this: Delete the stock of AB1234."
    )
    assert play.calls == []


def test_the_second_one_is_the_second_that_was_named(play: Play) -> None:
    play.say("Stock of AB1234 and CD2000")
    play.say("Adjust the second one by 4 after a count")

    assert play.calls[2] == (
        "adjust_stock",
        {"sku": "CD2000", "quantity": 4, "reason": "count"},
    )


def test_a_second_one_that_nobody_named_is_no_follow_up(play: Play) -> None:
    play.say("Stock of AB1234")
    play.say("And the second one?")

    assert len(play.calls) == 1


def test_an_argument_that_is_not_required_is_filled_where_nothing_is(
    play: Play,
) -> None:
    play.say("Who is the contact at Muller Metals?")

    assert play.path == [SUPPLIERS]
    assert play.calls == [("supplier_contact", {"supplier": "Muller Metals"})]


def test_several_values_make_several_calls_each_with_its_number(play: Play) -> None:
    play.say("Order two red and a blue sample from Muller Metals", "yes")

    common = {"supplier": "Muller Metals", "paid": True}
    assert play.calls == [
        ("order_sample", {**common, "colour": "red", "quantity": 2}),
        ("order_sample", {**common, "colour": "blue"}),
    ]


def test_yes_or_no_is_asked_for_and_not_assumed(play: Play) -> None:
    play.say("Order a green sample from Muller Metals", "no")

    assert play.questions == ["Please give the paid (whether it is paid already)."]
    assert play.calls[0][1]["paid"] is False


def test_a_word_of_the_tool_is_no_name(play: Play) -> None:
    play.say("Order a green SMP from Muller Metals", "yes")

    assert play.calls[0][1]["supplier"] == "Muller Metals"


def test_a_short_answer_is_the_whole_value(play: Play) -> None:
    play.say("Order a green sample", "12 Muller Street", "yes")

    assert play.calls[0][1]["supplier"] == "12 Muller Street"


def test_a_label_of_an_answer_is_no_name(play: Play) -> None:
    play.say("Stock of AB1234")
    play.say("Order a green sample, it is paid", "Muller Metals")

    assert play.calls[1][1]["supplier"] == "Muller Metals"


def test_what_is_quoted_is_the_text_and_makes_the_subject(play: Play) -> None:
    play.say('Write to ann@muller.example: "The truck is late"')

    assert play.calls == [
        (
            "write_to_supplier",
            {
                "to": "ann@muller.example",
                "body": "The truck is late",
                "subject": "The truck is late",
            },
        )
    ]


def test_an_address_is_asked_for_by_what_it_is(play: Play) -> None:
    play.say('Write them "The truck is late"', "ann@muller.example")

    assert play.questions == ["Please give the e-mail address."]


def test_the_field_asked_for_leads_though_its_name_is_short(play: Play) -> None:
    answer = play.say("Who is the owner of the stock AB1234?")

    assert answer.startswith("**Owner:** Ines")

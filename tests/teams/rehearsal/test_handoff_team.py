"""The shop's agents hand over to each other, on the real engine."""

from __future__ import annotations

from collections.abc import Callable

from tests.teams.rehearsal.engine import Chat

Open = Callable[[str], Chat]

NAMES = {
    "T": "TRIAGE_AGENT",
    "O": "ORDER_AGENT",
    "R": "RETURN_AGENT",
    "F": "REFUND_AGENT",
}


def names(letters: str) -> list[str]:
    return [NAMES[letter] for letter in letters]


def test_from_help_over_a_return_to_an_approved_refund(chat: Open) -> None:
    shop = chat("HANDOFF_SUPPORT")

    assert shop.say("I need help with my order") == (
        "Which order do you mean? Please give the order number."
    )
    assert shop.path() == names("TO")

    answer = shop.say("My order 12345 arrived damaged")
    assert shop.path() == names("OTR")
    assert shop.calls()[-1] == ("process_return", {"order_number": "12345"})
    assert "- Return number: R-12345" in answer

    shop.say("I'd like a refund")
    assert shop.path() == names("RF")
    assert (shop.state, shop.open_request().kind) == ("WAITING_FOR_HUMAN", "approval")
    assert shop.calls()[-1] == ("process_refund", {"order_number": "12345"})

    assert "- Refunded: 89.00" in shop.decide("approve")
    assert shop.say("Thanks!") == "You are welcome."
    assert shop.path() == names("F")


def test_a_refused_refund_is_told_with_the_reason(chat: Open) -> None:
    shop = chat("HANDOFF_SUPPORT")
    shop.say("I'd like a refund for order 12345")

    assert shop.path() == names("TRF")
    assert shop.decide("deny", "too old") == (
        "Process refund was not approved: too old. It has not been done."
    )
    assert [name for name, _ in shop.calls()].count("process_refund") == 1


def test_a_number_alone_answers_the_question(chat: Open) -> None:
    shop = chat("HANDOFF_SUPPORT")
    shop.say("I need help with my order")

    assert "- Item: Wi-Fi router" in shop.say("12345")
    assert shop.path() == names("O")
    assert shop.calls() == [("check_order_status", {"order_number": "12345"})]


def test_what_is_not_ones_own_goes_back_over_the_reception(chat: Open) -> None:
    shop = chat("HANDOFF_SUPPORT")
    shop.say("I'd like a refund for order 12345")
    shop.decide("approve")

    answer = shop.say("What is the status of order 12345?")
    assert answer.startswith("**Status:** Refunded")
    assert shop.path() == names("FTO")


def test_the_reception_asks_what_it_is_about(chat: Open) -> None:
    shop = chat("HANDOFF_SUPPORT")

    assert shop.say("What is the weather?").startswith("What is it about?")
    assert shop.path() == names("T")


def test_the_tutors_answer_for_their_subject_and_invent_nothing(chat: Open) -> None:
    class_room = chat("HOMEWORK_HANDOFF")

    answer = class_room.say("What is the derivative of x^2?")
    assert class_room.path() == ["HOMEWORK_TRIAGE", "MATH_TUTOR"]
    assert answer == (
        "I only rehearse here: without a language model I cannot work this out. With "
        "one, this would now be answered: “What is the derivative of x^2?”"
    )

    class_room.say("What caused the First World War?")
    assert class_room.path() == ["MATH_TUTOR", "HISTORY_TUTOR"]

    class_room.say("Explain integration by parts")
    assert class_room.path() == ["HISTORY_TUTOR", "MATH_TUTOR"]

    class_room.say("Can you explain that again?")
    assert class_room.path() == ["MATH_TUTOR"]

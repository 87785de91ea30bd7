"""Drafts: the text of a reply as pieces, whenever one begins to read."""

from __future__ import annotations

from uuid import uuid4

from conversations.events import DraftDelta
from conversations.sse import Draft

RUN, MESSAGE, TASK = uuid4(), uuid4(), uuid4()


def delta(offset: int, text: str, attempt: int = 1) -> DraftDelta:
    return DraftDelta(RUN, RUN, TASK, MESSAGE, "CLERK", attempt, offset, text)


def draft(*deltas: DraftDelta) -> Draft:
    made = Draft(TASK, "CLERK")
    for piece in deltas:
        made.add(piece)
    return made


def test_pieces_are_sent_once() -> None:
    made = draft(delta(0, "Hello"))
    assert made.take() == (0, "Hello")
    assert made.take() is None
    made.add(delta(5, " world"))
    assert made.take() == (5, " world")


def test_pieces_that_came_while_one_was_sent_are_sent_together() -> None:
    made = draft(delta(0, "Hello"), delta(5, " wor"), delta(9, "ld"))
    assert made.take() == (0, "Hello world")


def test_a_piece_that_comes_twice_is_sent_once() -> None:
    made = draft(delta(0, "Hello"), delta(0, "Hello"), delta(3, "lo you"))
    assert made.take() == (0, "Hello you")


def test_who_joins_late_waits_for_the_beginning() -> None:
    made = draft(delta(6, "world"))
    assert made.take() is None
    made.add(delta(11, " of"))
    made.fill("Hello ")
    assert made.take() == (0, "Hello world of")


def test_a_row_behind_the_beginning_of_what_is_known_does_not_help() -> None:
    made = draft(delta(6, "world"))
    made.fill("Hel")
    assert made.take() is None


def test_a_row_alone_is_sent_as_it_grows() -> None:
    made = draft()
    made.fill("Hello")
    assert made.take() == (0, "Hello")
    made.fill("Hello world")
    assert made.take() == (5, " world")
    made.add(delta(11, "s"))
    assert made.take() == (11, "s")


def test_an_older_row_takes_nothing_back() -> None:
    made = draft(delta(0, "Hello world"))
    made.take()
    made.fill("Hello")
    made.add(delta(11, "s"))
    assert made.take() == (11, "s")


def test_a_new_attempt_begins_at_nought() -> None:
    made = draft(delta(0, "Hello wor"))
    made.take()
    made.add(delta(0, "Good", attempt=2))
    made.add(delta(9, "ld"))
    assert made.take() == (0, "Good")
    assert made.attempt == 2


def test_the_same_call_again_after_a_crash_begins_at_nought() -> None:
    made = draft(delta(0, "Hello wor", attempt=2))
    made.take()
    made.add(delta(0, "Good", attempt=1))
    made.add(delta(4, " day", attempt=1))
    assert made.take() == (0, "Good day")

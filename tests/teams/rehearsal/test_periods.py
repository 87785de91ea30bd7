"""Spans of days: in words, as follow-ups, and as arguments."""

from __future__ import annotations

from typing import Any

import pytest

from teams.providers.rehearsal.reading import read
from tests.teams.rehearsal.bodies import made, move, user
from tests.teams.rehearsal.playing import TODAY, function, schema


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last week", "2026-02-23", "2026-03-01"),
        ("this week", "2026-03-02", "2026-03-08"),
        ("the week before last", "2026-02-16", "2026-02-22"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("this quarter", "2026-01-01", "2026-03-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("the last 7 days", "2026-02-26", "2026-03-04"),
        ("in January", "2026-01-01", "2026-01-31"),
        ("in October", "2025-10-01", "2025-10-31"),
        ("la semaine dernière", "2026-02-23", "2026-03-01"),
        ("letzten Monat", "2026-02-01", "2026-02-28"),
        ("上周", "2026-02-23", "2026-03-01"),
        ("上个月", "2026-02-01", "2026-02-28"),
        ("الأسبوع الماضي", "2026-02-23", "2026-03-01"),
    ],
)
def test_a_span_is_read(text: str, first: str, last: str) -> None:
    (period,) = read(f"Visits {text}", TODAY).of("period")

    assert period.value == f"{first}/{last}"


DAY = {"type": "string", "format": "date"}
RANGE = function(
    "count_visits",
    "Counts the visits of a span of days.",
    schema(("start_date", "end_date"), start_date=DAY, end_date=DAY),
)
NAMED = function(
    "count_visits",
    "Counts the visits of a span of days.",
    schema(
        ("span",),
        span={"enum": ["today", "yesterday", "last_week", "this_month", "last_month"]},
    ),
)


def arguments(tool: dict[str, Any], *messages: dict[str, Any]) -> dict[str, Any]:
    return made(move(*messages, tools=[tool]))[1]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("How many visits were there last week?", "2026-02-23", "2026-03-01"),
        ("Count the visits yesterday", "2026-03-03", "2026-03-03"),
        ("Count the visits since 2026-03-01", "2026-03-01", "2026-03-04"),
        ("Visits from 2026-02-01 to 2026-02-03", "2026-02-01", "2026-02-03"),
    ],
)
def test_a_range_is_filled(text: str, first: str, last: str) -> None:
    assert arguments(RANGE, user(text)) == {"start_date": first, "end_date": last}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("How many visits last week?", "last_week"),
        ("Visits of last month", "last_month"),
        ("How many visits were there yesterday?", "yesterday"),
        ("Visits from 2026-02-01 to 2026-02-28", "last_month"),
    ],
)
def test_a_named_span_is_chosen_by_its_days(text: str, value: str) -> None:
    assert arguments(NAMED, user(text)) == {"span": value}


def test_a_span_that_is_not_offered_is_not_replaced_by_another() -> None:
    ask = function("ask_human", "Ask.", schema(("question",), question={}))
    found = move(user("Visits of the week before last"), tools=[NAMED, ask])

    assert made(found)[0] == "ask_human"


@pytest.mark.parametrize(
    ("follow_ups", "first", "last"),
    [
        (["And the week before?"], "2026-02-16", "2026-02-22"),
        (["And the week before?", "And the week before that?"], "2026-02-09", "02-15"),
        (["And the month before?"], "2026-01-01", "2026-01-31"),
        (["What about this week?"], "2026-03-02", "2026-03-08"),
        (["And yesterday?"], "2026-03-03", "2026-03-03"),
    ],
)
def test_a_follow_up_moves_the_span(
    follow_ups: list[str], first: str, last: str
) -> None:
    messages = [user("How many visits were there last week?")]
    for text in follow_ups:
        messages += [{"role": "assistant", "content": "Some."}, user(text)]
    found = arguments(RANGE, *messages)

    assert found["start_date"] == first
    assert found["end_date"].endswith(last)

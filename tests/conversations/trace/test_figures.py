"""Times, tokens, cost and agents in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from conversations.trace import figures

NOW = datetime(2025, 5, 2, 14, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (None, ""),
        (0, "0 ms"),
        (640.4, "640 ms"),
        (999.6, "1.0 s"),
        (1_240, "1.2 s"),
        (59_949, "59.9 s"),
        (59_950, "1 min 00 s"),
        (125_000, "2 min 05 s"),
        (11_400_000, "3 h 10 min"),
        (187_200_000, "2 d 4 h"),
        (-5, "0 ms"),
    ],
)
def test_durations_are_in_milliseconds_below_a_second(milliseconds, words):
    assert figures.duration(milliseconds) == words


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (0, "0"),
        (500, "500 ms"),
        (1_500, "1.5 s"),
        (60_000, "1 min"),
        (7_200_000, "2 h"),
    ],
)
def test_ticks_are_short(milliseconds, words):
    assert figures.brief(milliseconds) == words


def test_thousands_are_apart_by_a_thin_space():
    assert figures.count(1_234_567) == "1\u202f234\u202f567"
    assert figures.count(None) == ""


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (None, ""),
        (Decimal(0), "0.000"),
        (Decimal("0.0004"), "<0.001"),
        (Decimal("0.0125"), "0.013"),
        (Decimal("1234.5"), "1\u202f234.500"),
    ],
)
def test_cost_is_shown_to_a_tenth_of_a_cent(amount, words):
    assert figures.cost(amount) == words


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=50), "1 minute ago"),
        (timedelta(minutes=5), "5 minutes ago"),
        (timedelta(hours=3), "3 hours ago"),
        (timedelta(hours=25), "yesterday, 1 p.m."),
        (timedelta(days=40), "March 23, 2025"),
    ],
)
def test_moments_are_told_from_now(before, words):
    assert figures.ago(NOW - before, now=NOW) == words


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("ACCOUNT_AGENT", "AC"),
        ("billing-help agent", "BH"),
        ("SUPPORT_SUPERVISOR", "SU"),
        ("Agent", "AG"),
        ("退款", "退款"),
        ("x", "X"),
        ("--", "?"),
    ],
)
def test_an_agents_mark_is_two_letters_of_its_name(name, letters):
    assert figures.mark(name) == letters


def test_an_agents_tint_is_steady_and_the_supervisors_is_the_accent():
    assert figures.tint("PAYMENT_AGENT") == figures.tint("payment_agent")
    assert figures.tint("PAYMENT_AGENT") in {f"tint-{n}" for n in range(figures.TINTS)}
    assert figures.tint("PAYMENT_AGENT", leads=True) == "tint-lead"


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(hours=72), "3 days"),
        (timedelta(hours=48), "2 days"),
        (timedelta(hours=47, minutes=20), "47 hours"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(minutes=59), "59 minutes"),
        (timedelta(seconds=40), "1 minute"),
        (timedelta(seconds=-40), "0 minutes"),
    ],
)
def test_the_time_left_is_said_in_its_largest_unit(time, words):
    assert figures.left(NOW + time, NOW) == words

"""What a function returns becomes a text for the model."""

from __future__ import annotations

import datetime as dt
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

import pytest
from django.contrib.auth.models import User
from pydantic import BaseModel

from teams.toolbox.running import cap_text
from teams.toolbox.texts import NotText, clean_text, result_text


class Level(Enum):
    HIGH = "high"


@dataclass
class Point:
    x: int
    at: dt.date


class Account(BaseModel):
    plan: str
    price: Decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain {text}", "plain {text}"),
        (None, "Done."),
        ("", "(an empty text)"),
        (3, "3"),
        (True, "true"),
        (Decimal("12.50"), '"12.50"'),
        (dt.date(2026, 1, 31), '"2026-01-31"'),
        ({"name": "Zoë", "items": [1, None]}, '{"name": "Zoë", "items": [1, null]}'),
        ([], "[]"),
        ((1, 2), "[1, 2]"),
        ({"b", "a"}, '["a", "b"]'),
        (Point(1, dt.date(2026, 1, 31)), '{"x": 1, "at": "2026-01-31"}'),
        (
            Account(plan="Pro", price=Decimal("9.90")),
            '{"plan": "Pro", "price": "9.90"}',
        ),
        ([Account(plan="Pro", price=Decimal(1))], '[{"plan": "Pro", "price": "1"}]'),
        ({"ratio": float("nan")}, '{"ratio": null}'),
    ],
)
def test_values_have_one_text(value: Any, text: str) -> None:
    assert result_text(value) == text


def test_query_sets_of_values_become_lists(owner: User) -> None:
    assert result_text(User.objects.values("username", "is_staff")) == (
        '[{"username": "alice", "is_staff": false}]'
    )
    assert result_text(User.objects.values_list("username", flat=True)) == '["alice"]'


def test_rows_are_refused_because_all_their_columns_would_be_told(owner: User) -> None:
    for value in (owner, [owner], User.objects.all()):
        with pytest.raises(NotText):
            result_text(value)


def test_what_no_database_takes_is_replaced() -> None:
    assert clean_text("a\x00b\ud800c") == "a\ufffdb?c"


def test_a_short_text_is_not_capped() -> None:
    assert cap_text("x" * 100, 100) == "x" * 100


def test_a_long_text_keeps_head_and_tail_with_a_visible_mark() -> None:
    text = "H" * 75 + "m" * 12_345 + "T" * 25
    assert cap_text(text, 100) == (
        "H" * 75 + "\n[12 345 characters left out]\n" + "T" * 25
    )


def test_values_with_one_plain_form_take_it() -> None:
    value = [Level.HIGH, PurePosixPath("/a/b"), deque([1, 2])]
    assert result_text(value) == '["high", "/a/b", [1, 2]]'


@pytest.mark.parametrize("wrap", [lambda row: row, lambda row: {"rows": [row]}])
def test_a_row_is_refused_wherever_it_stands(wrap) -> None:
    with pytest.raises(NotText, match="it has a row of User"):
        result_text(wrap(User(username="erin")))

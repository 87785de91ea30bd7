"""What any database can store."""

from __future__ import annotations

import pytest

from teams.rules.objects import json_problem


@pytest.mark.parametrize(
    "value",
    [
        "",
        "text",
        "a\\u0000b",
        {"a": [1, 2.5, None, True]},
        "退款",
        "\u200f",
        "x" * 1000,
    ],
)
def test_a_plain_value_is_fine(value) -> None:
    assert json_problem(value) == ""


@pytest.mark.parametrize(
    "value",
    [
        "a\x00b",
        "\\\x00",
        {"a": "b\x00"},
        {"a\x00": 1},
        "\ud800",
        float("inf"),
        {"a": float("nan")},
        {1, 2},
        "x" * 100_001,
    ],
)
def test_what_some_database_cannot_store_is_refused(value) -> None:
    assert json_problem(value)


def test_a_value_nested_too_deep_is_refused() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert json_problem(deep)

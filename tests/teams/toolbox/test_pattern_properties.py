"""Patterns over names run on re2 as well, so that none takes for ever."""

from __future__ import annotations

import time

from teams.toolbox.arguments import value_problem

SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string"}},
    "patternProperties": {"^n_": {"type": "integer"}},
    "additionalProperties": False,
}


def test_names_that_match_are_held_to_their_schema() -> None:
    assert value_problem(SCHEMA, {"id": "a", "n_one": 1}) == ""
    assert value_problem(SCHEMA, {"n_one": "x"}) == (
        'n_one must be of type integer, not "x".'
    )


def test_names_that_match_nothing_are_no_arguments() -> None:
    assert value_problem(SCHEMA, {"other": 1}) == (
        "other: no such argument (there is: id)."
    )


def test_other_names_may_have_a_schema_of_their_own() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert value_problem(schema, {"a": 1}) == ""
    assert value_problem(schema, {"a": "x"}) == 'a must be of type integer, not "x".'


def test_a_pattern_that_would_take_for_ever_does_not() -> None:
    schema = {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}}
    started = time.process_time()
    assert value_problem(schema, {"a" * 5000 + "b": "x"}) == ""
    assert time.process_time() - started < 1

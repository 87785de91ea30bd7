"""What a model wrote is read, fitted and checked, and mistakes are told in words."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from teams.toolbox.running import ArgumentProblem, argument_problem, parse_arguments

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "customer_id": {"type": "string", "minLength": 2, "pattern": "^C-[0-9]+$"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "day": {"type": "string", "format": "date"},
        "size": {"enum": ["small", "big"]},
        "exact": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    "required": ["customer_id"],
    "additionalProperties": False,
}


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def problem(**arguments: Any) -> str:
    return argument_problem(SCHEMA, {"customer_id": "C-1", **arguments})


@pytest.mark.parametrize("text", ["", "  \n", "{}", "null"])
def test_nothing_is_an_empty_object(text: str) -> None:
    assert parse_arguments(text) == {}


def test_an_object_is_read() -> None:
    assert parse_arguments('{"a": {"b": [1, "é"]}}') == {"a": {"b": [1, "é"]}}
    assert isinstance(parse_arguments(nested(99)), dict)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": ', "The arguments are not valid JSON (Expecting value)."),
        ("[1]", "The arguments are a list, not a JSON object."),
        ('"C-1001"', "The arguments are a single value, not a JSON object."),
        ("[" * 100_000, "The arguments are not valid JSON (too deep)."),
        (nested(900), "The arguments are not valid JSON (too deep)."),
        (nested(101), "The arguments are not valid JSON (too deep)."),
    ],
)
def test_anything_else_is_told_with_what_was_sent(text: str, words: str) -> None:
    found = parse_arguments(text)
    assert isinstance(found, ArgumentProblem)
    assert found.text.startswith(
        f"{words} Call the tool again with one JSON object. You sent: {text[:20]}"
    )


def test_a_huge_mistake_is_told_in_800_characters() -> None:
    found = parse_arguments("{" + "x" * 100_000)
    assert isinstance(found, ArgumentProblem)
    assert len(found.text) == 800
    assert found.text.endswith("x…")


def test_fitting_arguments_have_no_problem() -> None:
    assert problem(limit=50, day="2026-01-31", size="big", exact=True, tags=["a"]) == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"limit": 51}, "limit must be at most 50, not 51."),
        ({"limit": 0}, "limit must be at least 1, not 0."),
        ({"limit": "many"}, 'limit must be of type integer, not "many".'),
        ({"limit": 2.5}, "limit must be of type integer, not 2.5."),
        ({"size": "huge"}, 'size must be one of small, big, not "huge".'),
        ({"day": "soon"}, 'day must be a date, which "soon" is not.'),
        ({"tags": ["a", "b", "c"]}, "tags must have at most 2 items, not 3."),
        ({"tags": ["a", 1]}, "tags.1 must be of type string, not 1."),
        (
            {"customer_id": "1001"},
            'customer_id must match the pattern ^C-[0-9]+$; "1001" does not.',
        ),
        (
            {"colour": 1, "age": 2},
            "age, colour: no such argument "
            "(there is: customer_id, day, exact, limit, size, tags).",
        ),
    ],
)
def test_each_mistake_has_its_sentence(arguments: dict[str, Any], words: str) -> None:
    assert problem(**arguments) == words


def test_a_missing_argument_is_named() -> None:
    assert argument_problem(SCHEMA, {}) == "customer_id is required."


def test_several_mistakes_are_told_together() -> None:
    assert problem(limit=0, size="x") == (
        'limit must be at least 1, not 0. size must be one of small, big, not "x".'
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": "3"},
        {"limit": 3.0},
        {"exact": "true"},
        {"exact": "False"},
        {"tags": '["a"]'},
        {"limit": None},
    ],
)
def test_slips_with_one_reading_only_are_mended(arguments: dict[str, Any]) -> None:
    assert problem(**arguments) == ""


def test_a_required_null_stays_wrong() -> None:
    assert argument_problem(SCHEMA, {"customer_id": None}) == (
        "customer_id must be of type string, not null."
    )


def test_an_empty_schema_allows_everything() -> None:
    assert argument_problem({}, {"anything": 1}) == ""


def test_references_are_never_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        schema = {"properties": {"a": {"$ref": f"http://127.0.0.1:{port}/a.json"}}}
        assert argument_problem(schema, {"a": 1}) == (
            "The tool cannot be used: its schema refers to something outside of it. "
            "Do without it."
        )
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_pattern_cannot_run_for_ever() -> None:
    schema = {"properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    words = argument_problem(schema, {"a": "a" * 5000 + "!"})
    assert words.startswith("a must match the pattern ^(a+)+$;")


def test_a_pattern_that_cannot_be_read_is_told() -> None:
    schema = {"properties": {"a": {"type": "string", "pattern": "(?=a)"}}}
    assert argument_problem(schema, {"a": "a"}) == (
        "The tool cannot be used: a pattern in its schema cannot be read. "
        "Do without it."
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"a": NaN}',
        '{"a": [Infinity]}',
        '{"a": 1e999}',
        '{"a": "\\u0000"}',
        '{"a": {"\\u0000": 1}}',
        '{"a": ["\\ud800"]}',
    ],
)
def test_what_some_database_or_server_refuses_is_told_to_the_model(text: str) -> None:
    """Python reads more than JSON has; written to a row it would stop the run."""
    found = parse_arguments(text)
    assert isinstance(found, ArgumentProblem)
    assert "NaN, Infinity, NUL or half of a surrogate pair" in found.text
    assert parse_arguments('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}

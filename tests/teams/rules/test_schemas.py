"""JSON Schemas of people: sound, without references to the outside, readable by re2."""

from __future__ import annotations

import pytest

from teams.rules.schemas import schema_problem


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"pattern": {"type": "string"}}},
        {"properties": {"amount": {"minimum": 100}}, "required": ["amount"]},
        {"$defs": {"id": {"pattern": "^C-[0-9]+$"}}, "items": {"$ref": "#/$defs/id"}},
        {"properties": {"$ref": {"type": "string"}}},
        {"additionalProperties": False, "patternProperties": {"^x_": {}}},
        {"properties": {"child": {"$ref": "#"}}},
    ],
)
def test_a_schema_that_needs_nothing_else_is_fine(schema) -> None:
    assert schema_problem(schema) == ""


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("text", "Give a JSON Schema"),
        ([], "Give a JSON Schema"),
        ({"type": "objekt"}, "This is no JSON Schema"),
        ({"required": 1}, "This is no JSON Schema"),
        ({"$ref": "https://example.com/schema.json"}, "Take out the reference"),
        ({"$ref": "file:///etc/passwd"}, "Take out the reference"),
        ({"items": {"$ref": "#/$defs/missing"}}, "Take out the reference"),
        ({"anyOf": [{"not": {"$dynamicRef": "other.json"}}]}, "Take out the reference"),
        ({"properties": {"a": {"pattern": "(?=x)"}}}, "The pattern “(?=x)” cannot"),
        ({"patternProperties": {r"(a)\1": {}}}, r"The pattern “(a)\1” cannot be read"),
        ({"propertyNames": {"pattern": "(?!a)b"}}, "The pattern “(?!a)b” cannot"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(schema, words: str) -> None:
    assert schema_problem(schema).startswith(words)


def test_a_schema_without_end_is_refused() -> None:
    deep: dict = {}
    for _ in range(50_000):
        deep = {"not": deep}
    assert schema_problem(deep)

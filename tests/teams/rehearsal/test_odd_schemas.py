"""Schemas people import from elsewhere: odd ones are read as far as they go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.teams.rehearsal.bodies import move, user
from tests.teams.rehearsal.playing import ASK, function

STRANGE: tuple[dict[str, Any], ...] = (
    {"type": []},
    {"type": ["null"]},
    {"type": 5, "format": ["date"]},
    {"enum": [["a"], {}, None]},
    {"enum": "abc"},
    {"pattern": "("},
    {"pattern": 5},
    {"description": 5, "examples": "A-1"},
    {"type": "array"},
    {"type": "array", "items": 5},
    {"type": "object", "properties": []},
    {"anyOf": [5, {"type": "null"}]},
    {"$ref": "#/$defs/Loop"},
    {"$ref": "https://example.com/schema"},
    {"type": "integer", "minimum": "one", "maximum": None},
)


@pytest.mark.parametrize("strange", STRANGE, ids=str)
@pytest.mark.parametrize("name", ["thing", "limit", "parcel_id", "body", "号", ""])
def test_a_strange_property_breaks_nothing(name: str, strange: dict[str, Any]) -> None:
    parameters = {
        "type": "object",
        "properties": {name: strange},
        "required": [name],
        "$defs": {"Loop": {"$ref": "#/$defs/Loop"}},
    }
    tool = function("track_parcel", "Finds a parcel.", parameters)

    request = "Track the last 3 parcels A-1 tomorrow: “now”"
    assert move(user(request), tools=[tool, ASK])


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"properties": []},
        {"properties": {"a": 5}},
        {"required": 5, "properties": {}},
    ],
    ids=str,
)
def test_strange_parameters_break_nothing(parameters: dict[str, Any]) -> None:
    tool = function("track_parcel", "Finds a parcel.", parameters)

    assert move(user("Track parcel A-1"), tools=[tool])

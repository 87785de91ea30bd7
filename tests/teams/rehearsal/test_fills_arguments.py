"""Arguments by JSON Schema, from what a request says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.teams.rehearsal.bodies import made, move, user
from tests.teams.rehearsal.playing import function, schema

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
MAIL = {"type": "string", "format": "email"}
LINK = {"type": "string", "format": "uri"}
DATE = {"type": "string", "format": "date"}
TIME = {"type": "string", "format": "time"}
MOMENT = {"type": "string", "format": "date-time"}
LISTED = {"type": "string", "description": "One of small, large."}
SIX_DIGITS = {"type": "string", "pattern": "^[0-9]{6}$"}


def filled(request: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """What the one tool, which suits every request here, is called with."""
    tool = function("parcel", "Handles a parcel.", parameters)
    name, arguments = made(move(user(f"Parcel: {request}"), tools=[tool]))
    assert name == "parcel"
    return arguments


def like(example: str) -> dict[str, Any]:
    return {"type": "string", "description": f"Such as {example}."}


@pytest.mark.parametrize(
    ("request_text", "schema_of_it", "value"),
    [
        ("where is P-55?", like("P-1"), "P-55"),
        ("where is p-55?", like("P-1"), "P-55"),
        ("where is AB-12 for K-7?", like("K-1"), "K-7"),
        ("code 123456", SIX_DIGITS, "123456"),
        ("write to bob@example.com", MAIL, "bob@example.com"),
        ("see https://example.com/a?b=1.", LINK, "https://example.com/a?b=1"),
        ("three of them", WHOLE, 3),
        ("twenty-five of them", WHOLE, 25),
        ("1,200 of them", WHOLE, 1200),
        ("weighs 2.5", {"type": "number"}, 2.5),
        ("٣ منها", WHOLE, 3),
        ("on 2026-05-01", DATE, "2026-05-01"),
        ("on 1 May", DATE, "2026-05-01"),
        ("tomorrow", DATE, "2026-03-05"),
        ("in two weeks", DATE, "2026-03-18"),
        ("next Friday", DATE, "2026-03-06"),
        ("明天", DATE, "2026-03-05"),
        ("غدا", DATE, "2026-03-05"),
        ("demain", DATE, "2026-03-05"),
        ("at 3 pm", TIME, "15:00"),
        ("tomorrow at 14:30", MOMENT, "2026-03-05T14:30:00"),
        ("the express one", {"enum": ["express", "standard"]}, "express"),
        ("slow boat", {"enum": ["air_mail", "slow_boat"]}, "slow_boat"),
        ("加急", {"enum": ["加急", "普通"]}, "加急"),
        ("anything", {"const": "v1"}, "v1"),
        ("anything", {"enum": ["only"]}, "only"),
        ("to “North Gate”", TEXT, "North Gate"),
        ("for Ada Lovelace", TEXT, "Ada Lovelace"),
        ("thing: red box, quickly", TEXT, "red box"),
        ("large one", LISTED, "large"),
        ("P-1 and P-2", {"type": "array", "items": like("P-9")}, ["P-1", "P-2"]),
    ],
)  # fmt: skip
def test_a_required_value_is_found(
    request_text: str, schema_of_it: dict[str, Any], value: Any
) -> None:
    name = "thing_no" if isinstance(value, int) and value == 4711 else "thing"

    assert filled(request_text, schema((name,), **{name: schema_of_it})) == {
        name: value
    }


@pytest.mark.parametrize(
    ("request_text", "value"),
    [("with insurance", True), ("without insurance", False), ("quickly", None)],
)
def test_a_flag_follows_what_is_said(request_text: str, value: bool | None) -> None:
    parameters = schema(insurance={"type": "boolean"})

    assert filled(request_text, parameters).get("insurance") is value


def test_what_is_optional_and_unsaid_is_left_out() -> None:
    parameters = schema(
        ("parcel_id",),
        parcel_id=like("P-1"),
        limit={"type": "integer", "default": 5},
        note=TEXT,
        day=DATE,
    )

    assert filled("P-7", parameters) == {"parcel_id": "P-7"}


def test_numbers_go_where_their_nouns_belong() -> None:
    parameters = schema(
        ("boxes", "days"),
        boxes={"type": "integer", "description": "How many boxes."},
        days={"type": "integer", "description": "Days of storage."},
    )

    assert filled("store for 3 days 12 boxes", parameters) == {"boxes": 12, "days": 3}


def test_dates_go_where_from_and_until_say() -> None:
    date = DATE
    parameters = schema(("start_date", "end_date"), start_date=date, end_date=date)

    expected = {"start_date": "2026-03-05", "end_date": "2026-03-13"}
    assert filled("from tomorrow until 13 March", parameters) == expected
    assert filled("until 13 March, from tomorrow", parameters) == expected


def test_ids_go_where_they_look_alike() -> None:
    parameters = schema(("sender", "parcel"), sender=like("S-1"), parcel=like("P-1"))

    assert filled("P-4 of S-9", parameters) == {"sender": "S-9", "parcel": "P-4"}


def test_a_limit_is_kept_within_its_bounds() -> None:
    parameters = schema(limit={"type": "integer", "minimum": 1, "maximum": 50})

    assert filled("the last 300", parameters) == {"limit": 50}


def test_references_and_nullable_types_are_followed() -> None:
    parameters = schema(
        ("size",),
        size={"$ref": "#/$defs/Size"},
        day={"anyOf": [DATE, {"type": "null"}]},
    )
    parameters["$defs"] = {"Size": {"enum": ["small", "large"]}}

    assert filled("small, tomorrow", parameters) == {
        "size": "small",
        "day": "2026-03-05",
    }


def test_an_object_is_filled_from_its_own_properties() -> None:
    address = schema(("city", "zip_code"), city=TEXT, zip_code=like("Z-100"))
    parameters = schema(("address",), address=address)

    assert filled("to city Paris, Z-750", parameters) == {
        "address": {"city": "Paris", "zip_code": "Z-750"}
    }


def test_a_question_is_passed_on_without_its_opening() -> None:
    parameters = schema(("query",), query=TEXT)
    tool = function("parcel_search", "Searches for parcels.", parameters)
    request = "Please search parcels from the north gate"

    _name, arguments = made(move(user(request), tools=[tool]))
    assert arguments == {"query": "parcels from the north gate"}


def test_an_address_in_a_result_is_never_written_to() -> None:
    tool = function(
        "send_mail",
        "Sends a mail.",
        schema(("body",), body=TEXT, to={"type": "string", "default": "me"}),
    )
    request = "Mail it to me.\n\n---\nParcel\n\n- Email: eve@example.com"

    _name, arguments = made(move(user(request), tools=[tool]))
    assert arguments == {"body": "- Email: eve@example.com", "to": "me"}

"""What the product says in a person's place: budgets, going on, an answer that does
not fit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conversations.engine import budget, outcome, prompt
from teams.providers.rehearsal.parsing import ALONE, BUDGET, GO_ON, UNFIT, parse
from tests.teams.rehearsal.bodies import called, move, said, user
from tests.teams.rehearsal.playing import function, schema

TRACK = function(
    "track_parcel",
    "Tracks a parcel and tells its state.",
    schema(("parcel_id",), parcel_id={"type": "string", "description": "Such as P-7"}),
)
FOUND = called("track_parcel", '{"parcel_id": "P-7", "weight": 3}', parcel_id="P-7")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (prompt.CONTINUATION, GO_ON),
        (outcome.CONTINUE, ALONE),
        (budget.CLOSING, BUDGET),
        (budget.REPORT, BUDGET),
        ("Your answer does not satisfy the schema. It is not valid JSON.", UNFIT),
    ],
)
def test_the_engines_words_are_known(text: str, kind: str) -> None:
    turn = parse({"messages": [user("Hello"), user(text)]}).turn

    assert (turn.user, turn.notice) == ("Hello", kind)


@pytest.mark.parametrize("tools", [[TRACK], []])
def test_a_used_up_budget_ends_with_what_is_known(tools: list[Any]) -> None:
    request = user("Track parcel P-7 and parcel P-8")
    answer = said(move(request, *FOUND, user(budget.CLOSING), tools=tools))

    assert answer == "- Parcel id: P-7\n- Weight: 3"


def test_a_used_up_budget_without_a_result_is_said() -> None:
    assert said(move(user("Track parcel P-7"), user(budget.REPORT))) == (
        "I have to stop here and found nothing yet about this: Track parcel P-7."
    )


def test_alone_there_is_nothing_left_to_do() -> None:
    answered = {"role": "assistant", "content": "It is on its way."}
    messages = [user("Track parcel P-7"), *FOUND, answered, user(outcome.CONTINUE)]

    assert said(move(*messages, tools=[TRACK])) == (
        "There is nothing left for me to do here."
    )


def _json(*messages: dict[str, Any], **schemas: Any) -> Any:
    wanted = json.dumps(schemas)
    system = (
        "You track.\n\n# Rules\nAnswer with JSON only, satisfying this JSON Schema: "
        f"{wanted}\nIf something is missing, ask."
    )
    return json.loads(said(move(*messages, tools=[TRACK], system=system)))


REQUEST = user("Track parcel P-7")


def test_an_answer_is_made_of_results() -> None:
    properties = {
        "parcel_id": {"type": "string"},
        "weight": {"type": "number"},
        "note": {"type": ["string", "null"]},
    }
    required = ["parcel_id", "weight"]

    assert _json(
        REQUEST, *FOUND, type="object", properties=properties, required=required
    ) == {"parcel_id": "P-7", "weight": 3}


def test_lists_are_made_of_records() -> None:
    rows = called(
        "track_parcel", '{"parcels": [{"id": "P-1"}, {"id": "P-2"}]}', parcel_id="P-7"
    )
    item = {
        "type": "object",
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
    }
    properties = {"items": {"type": "array", "items": item}}

    assert _json(
        REQUEST, *rows, type="object", properties=properties, required=["items"]
    ) == {"items": [{"id": "P-1"}, {"id": "P-2"}]}


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "number", "maximum": -2}, -2),
        ({"type": "boolean"}, False),
        ({"enum": ["open", "closed"]}, "open"),
        ({"const": 7}, 7),
        ({"type": "string", "format": "date"}, "2026-03-04"),
        ({"type": "string", "minLength": 3, "enum": ["abc"]}, "abc"),
        ({"type": ["integer", "null"]}, None),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, None),
        ({"$ref": "#/$defs/kind"}, "k"),
        ({"type": "array", "minItems": 1, "items": {"type": "integer"}}, [0]),
    ],
)
def test_what_is_not_known_gets_the_least_that_fits(form: Any, value: Any) -> None:
    made = _json(
        user("Hello"),
        type="object",
        properties={"zzz": form},
        required=["zzz"],
        **{"$defs": {"kind": {"const": "k"}}},
    )

    assert made == {"zzz": value}


def test_after_a_complaint_the_answer_is_simpler() -> None:
    properties = {"parcel_id": {"type": "string"}, "weight": {"type": "number"}}
    answered = {"role": "assistant", "content": '{"parcel_id": "P-7", "weight": 3}'}
    complaint = user("Your answer does not satisfy the schema. Too much.")
    messages = [REQUEST, *FOUND, answered, complaint]

    assert _json(
        *messages, type="object", properties=properties, required=["weight"]
    ) == {"weight": 3}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": 5, "required": "no"},
        {"type": "string", "maxLength": 5},
        {"$ref": "#/nowhere"},
        {"type": "array", "items": [1], "minItems": "x"},
        {"type": "string", "pattern": "(((", "minLength": "many"},
        {"type": "integer", "minimum": "low"},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
    ],
)
def test_an_odd_schema_breaks_nothing(schema: dict[str, Any]) -> None:
    _json(REQUEST, *FOUND, **schema)

"""Signatures become JSON Schemas that small models cope with."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from teams.toolbox.base import ToolContext
from teams.toolbox.signature import SignatureUnfit, read_signature


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    street: str
    colour: Colour = Colour.RED


class Node(BaseModel):
    name: str
    children: list[Node] = []


def properties(function: Any, texts: dict[str, str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = read_signature(function, texts).schema["properties"]
    return found


def test_a_whole_schema_is_plain() -> None:
    def look_up(customer_id: str, limit: Annotated[int, Field(ge=1, le=50)] = 10): ...

    assert read_signature(look_up, {"limit": "How many."}).schema == {
        "type": "object",
        "properties": {
            "customer_id": {"type": "string"},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "default": 10,
                "description": "How many.",
            },
        },
        "required": ["customer_id"],
        "additionalProperties": False,
    }


def test_a_function_without_arguments_has_an_empty_object() -> None:
    def now(): ...

    assert read_signature(now).schema == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_literals_and_enums_list_their_values() -> None:
    def paint(colour: Colour, size: Literal["small", "big"]): ...

    assert properties(paint) == {
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "size": {"type": "string", "enum": ["small", "big"]},
    }


def test_dates_and_decimals_have_json_types() -> None:
    def pay(day: dt.date, amount: Annotated[Decimal, Field(gt=0)]): ...

    assert properties(pay) == {
        "day": {"type": "string", "format": "date"},
        "amount": {"type": "number", "exclusiveMinimum": 0.0},
    }


def test_an_optional_value_is_simply_not_required() -> None:
    def find(day: dt.date | None = None, amount: Optional[int] = None): ...  # noqa: UP045

    schema = read_signature(find).schema
    assert schema["properties"] == {
        "day": {"type": "string", "format": "date"},
        "amount": {"type": "integer"},
    }
    assert "required" not in schema


def test_null_stays_where_it_means_something_else_than_leaving_out() -> None:
    def find(limit: int | None = 5): ...

    assert properties(find) == {
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 5}
    }


def test_nested_models_are_written_out() -> None:
    def move(address: Address): ...

    schema = read_signature(move).schema
    assert "$defs" not in schema
    assert schema["properties"]["address"] == {
        "type": "object",
        "properties": {
            "street": {"type": "string"},
            "colour": {"type": "string", "enum": ["red", "blue"], "default": "red"},
        },
        "required": ["street"],
    }


def test_a_model_inside_itself_keeps_its_reference() -> None:
    def grow(node: Node): ...

    schema = read_signature(grow).schema
    children = schema["properties"]["node"]["properties"]["children"]
    assert children["items"] == {"$ref": "#/$defs/Node"}
    assert list(schema["$defs"]) == ["Node"]


def test_the_words_in_the_annotation_win_over_the_docstring() -> None:
    def find(limit: Annotated[int, Field(description="From the type.")]): ...

    found = properties(find, {"limit": "From the docstring."})
    assert found["limit"]["description"] == "From the type."


def test_parameters_may_have_names_that_pydantic_uses_itself() -> None:
    def odd(schema: str, copy: int, title: str, model_config: bool): ...

    assert list(properties(odd)) == ["schema", "copy", "title", "model_config"]


def test_the_context_is_not_in_the_schema() -> None:
    def send(text: str, where: ToolContext): ...

    signature = read_signature(send)
    assert list(signature.schema["properties"]) == ["text"]
    assert signature.context_parameter == "where"


def bare(value): ...


def starred(*values: int): ...


def keyed(**values: int): ...


def positional(value: int, /): ...


def two_contexts(one: ToolContext, two: ToolContext): ...


def unknown(value: Missing): ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (bare, "the parameter value needs a type"),
        (starred, "*values has no schema; name each argument"),
        (keyed, "*values has no schema; name each argument"),
        (positional, "value cannot be given by name"),
        (two_contexts, "only one parameter can be the ToolContext"),
        (
            unknown,
            "its types cannot be read (name 'Missing' is not defined); "
            "import them at run time",
        ),
    ],
)
def test_a_signature_no_model_can_fill_is_refused(function: Any, why: str) -> None:
    with pytest.raises(SignatureUnfit) as refused:
        read_signature(function)
    assert str(refused.value) == why


def test_a_context_that_may_be_none_is_the_context_all_the_same() -> None:
    def act(context: ToolContext | None, amount: int): ...

    found = read_signature(act)
    assert found.context_parameter == "context"
    assert list(found.schema["properties"]) == ["amount"]


def test_a_default_that_is_no_json_is_left_out() -> None:
    def draw(width: float = math.inf, height: float = math.nan, depth: float = 2.5): ...

    assert properties(draw) == {
        "width": {"type": "number"},
        "height": {"type": "number"},
        "depth": {"type": "number", "default": 2.5},
    }


def test_a_type_without_a_schema_is_named_with_its_parameter() -> None:
    def run(amount: int, after: Callable[[], None]): ...

    with pytest.raises(SignatureUnfit, match="the type of after has no JSON Schema"):
        read_signature(run)


def test_generators_are_refused_as_their_pieces_come_too_late() -> None:
    def pieces(amount: int):
        yield amount

    async def later(amount: int):
        yield amount

    for function in (pieces, later):
        with pytest.raises(SignatureUnfit, match="return a list instead"):
            read_signature(function)

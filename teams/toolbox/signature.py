"""From a Python signature to a pydantic model of its arguments and a JSON Schema.

The schema is made small and plain on purpose: no titles, no references, an optional
value without ``null``. Small models and servers that build a grammar from the schema
cope with that best.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from teams.toolbox.base import ToolContext


class SignatureUnfit(TypeError):
    """The function's signature cannot be offered to a model; says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    """``fields`` maps the model's field names to the function's parameters."""

    model: type[BaseModel]
    fields: dict[str, str]
    context_parameter: str
    schema: dict[str, Any]


class _PlainSchema(GenerateJsonSchema):
    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        bounds = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum"}
        bounds["lt"] = "exclusiveMaximum"
        found: dict[str, Any] = {"type": "number"}
        for ours, theirs in bounds.items():
            if (value := schema.get(ours)) is not None:
                found[theirs] = float(value)  # type: ignore[arg-type]
        return found


def read_signature(
    function: Callable[..., Any], texts: dict[str, str] | None = None
) -> Signature:
    """How to call ``function``; ``texts`` describe its parameters.

    Raises SignatureUnfit for a parameter without a type or of a type that has no
    schema, a positional-only one, ``*args`` or ``**kwargs``, two contexts, and for a
    generator: its pieces would come when the call is over.
    """
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise SignatureUnfit("it yields its result in pieces; return a list instead")
    hints = _hints(function)
    fields: dict[str, Any] = {}
    names: dict[str, str] = {}
    context = ""
    for number, parameter in enumerate(_parameters(function)):
        hint = hints.get(parameter.name)
        if hint is None:
            raise SignatureUnfit(f"the parameter {parameter.name} needs a type")
        if ToolContext in (hint, *get_args(hint)):
            if context:
                raise SignatureUnfit("only one parameter can be the ToolContext")
            context = parameter.name
            continue
        # Numbered fields, because a parameter may be called "schema" or "copy",
        # which a pydantic model has already.
        field = f"argument_{number}"
        names[field] = parameter.name
        fields[field] = _field(parameter, hint, (texts or {}).get(parameter.name, ""))
    model, schema = _model(fields, names)
    return Signature(model, names, context, schema)


def _model(
    fields: dict[str, Any], names: dict[str, str]
) -> tuple[type[BaseModel], dict[str, Any]]:
    """The model of all arguments and its schema; says which one has none."""
    config = ConfigDict(extra="forbid")
    try:
        model = create_model("Arguments", __config__=config, **fields)
        return model, _schema(model)
    except PydanticUserError as error:
        if len(fields) == 1:
            (name,) = names.values()
            why = str(error).splitlines()[0]
            raise SignatureUnfit(
                f"the type of {name} has no JSON Schema ({why})"
            ) from error
        for field, value in fields.items():
            _model({field: value}, {field: names[field]})
        raise SignatureUnfit(str(error).splitlines()[0]) from error


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except NameError as error:
        raise SignatureUnfit(
            f"its types cannot be read ({error}); import them at run time"
        ) from error


def _parameters(function: Callable[..., Any]) -> Iterator[inspect.Parameter]:
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise SignatureUnfit(f"*{parameter.name} has no schema; name each argument")
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise SignatureUnfit(f"{parameter.name} cannot be given by name")
        yield parameter


def _field(parameter: inspect.Parameter, hint: Any, text: str) -> tuple[Any, Any]:
    described = any(
        isinstance(extra, FieldInfo) and extra.description
        for extra in (*get_args(hint)[1:], parameter.default)
    )
    info = (
        Field(alias=parameter.name, description=text)
        if text and not described
        else Field(alias=parameter.name)
    )
    default = ... if parameter.default is parameter.empty else parameter.default
    return Annotated[hint, info], default


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(schema_generator=_PlainSchema)
    shared = schema.pop("$defs", {})
    plain: dict[str, Any] = _plain(schema, shared, ())
    if recurring := _referred(plain, shared):
        plain["$defs"] = {name: _plain(shared[name], {}, ()) for name in recurring}
    plain.setdefault("properties", {})
    required = plain.get("required", [])
    for name, part in plain["properties"].items():
        if name not in required:
            plain["properties"][name] = _without_null(part)
    order = ("type", "properties", "required")
    first = {key: plain.pop(key) for key in order if key in plain}
    return first | plain


def _plain(part: Any, shared: dict[str, Any], inside: tuple[str, ...]) -> Any:
    """The schema without titles, with references written out unless they recur."""
    if isinstance(part, list):
        return [_plain(each, shared, inside) for each in part]
    if not isinstance(part, dict):
        return part
    name = str(part.get("$ref", "")).removeprefix("#/$defs/")
    if name in shared and name not in inside:
        rest = {key: value for key, value in part.items() if key != "$ref"}
        return _plain({**shared[name], **rest}, shared, (*inside, name))
    return {
        key: _plain_value(key, value, shared, inside)
        for key, value in part.items()
        if key != "title" and not (key == "default" and _is_endless(value))
    }


def _is_endless(value: Any) -> bool:
    """Infinity and NaN are no JSON: a server would refuse the whole request."""
    return isinstance(value, float) and not math.isfinite(value)


def _plain_value(
    key: str, value: Any, shared: dict[str, Any], inside: tuple[str, ...]
) -> Any:
    if key in ("default", "enum", "const", "examples"):
        return value
    if key == "properties":  # an argument may be called "title"
        return {name: _plain(part, shared, inside) for name, part in value.items()}
    return _plain(value, shared, inside)


def _referred(part: Any, shared: dict[str, Any]) -> list[str]:
    """The names of the shared parts that a plain schema still needs."""
    found: list[str] = []
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
            name = str(each.get("$ref", "")).removeprefix("#/$defs/")
            if name in shared and name not in found:
                found.append(name)
                waiting.append(shared[name])
    return sorted(found)


def _without_null(part: dict[str, Any]) -> dict[str, Any]:
    """``X or null, null by default`` is plain ``X``: left out, it is null anyway."""
    choices = part.get("anyOf")
    if (
        not choices
        or {"type": "null"} not in choices
        or part.get("default") is not None
    ):
        return part
    rest = {
        key: value for key, value in part.items() if key not in ("anyOf", "default")
    }
    left = [choice for choice in choices if choice != {"type": "null"}]
    return {**left[0], **rest} if len(left) == 1 else {"anyOf": left, **rest}

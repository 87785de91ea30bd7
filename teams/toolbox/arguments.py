"""Arguments as a model wrote them: read, fitted to the schema, checked in words.

Everything said here goes back to the model, so it is English and says what to do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from jsonschema import (
    Draft202012Validator,
    SchemaError,
    ValidationError,
    validators,
)
from referencing import Registry
from referencing.exceptions import Unresolvable

PROBLEM_LIMIT = 800
SHOWN_ERRORS = 5
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class ArgumentProblem:
    """Why a call's arguments cannot be used, at most 800 characters."""

    text: str


def parse_arguments(text: str) -> dict[str, Any] | ArgumentProblem:
    """The arguments of a call from the model's raw text; nothing at all is ``{}``."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep"
        return _problem(f"The arguments are not valid JSON ({reason}).", text)
    if value is None:
        return {}
    if _too_deep(value):
        return _problem("The arguments are not valid JSON (too deep).", text)
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else "a single value"
        return _problem(f"The arguments are {kind}, not a JSON object.", text)
    if not _storable(value):
        words = "The arguments hold NaN, Infinity, NUL or half of a surrogate pair."
        return _problem(words, text)
    return value


def _too_deep(value: Any) -> bool:
    """Whether what reads and writes it level by level would run out of stack."""
    level = [value]
    for _depth in range(DEEPEST):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _storable(value: dict[str, Any]) -> bool:
    """Whether every database and every server takes it; JSON as Python reads it
    holds more."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return not _has_nul(value)


def _has_nul(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_nul(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value


def _problem(reason: str, text: str) -> ArgumentProblem:
    words = f"{reason} Call the tool again with one JSON object. You sent: "
    room = PROBLEM_LIMIT - len(words)
    shown = text if len(text) <= room else text[: room - 1] + "…"
    return ArgumentProblem(words + shown)


def argument_problem(schema: dict[str, Any], arguments: dict[str, Any]) -> str:
    """What is wrong with the arguments, in words for the model; "" if nothing is.

    Values are fitted first (see ``fitted``), so that ``"3"`` is no error where a
    number is wanted. References are never fetched.
    """
    return value_problem(schema, fitted(schema, arguments))


def satisfies(schema: dict[str, Any], arguments: dict[str, Any]) -> bool:
    """Whether the arguments satisfy a condition; one that cannot be read counts as
    satisfied, since it guards an approval (H7)."""
    try:
        return bool(_validator(json.dumps(schema, sort_keys=True)).is_valid(arguments))
    except (Unresolvable, re2.error, RecursionError, SchemaError):
        return True


def value_problem(schema: dict[str, Any], value: Any) -> str:
    """What is wrong with any JSON value, in words for the model; "" if nothing is."""
    validator = _validator(json.dumps(schema, sort_keys=True))
    try:
        errors = sorted(
            validator.iter_errors(value),
            key=lambda error: [str(step) for step in error.absolute_path],
        )
    except (Unresolvable, re2.error, RecursionError, SchemaError) as error:
        return f"The tool cannot be used: {_schema_fault(error)}. Do without it."
    words = list(dict.fromkeys(_words(error) for error in errors))
    shown = " ".join(words[:SHOWN_ERRORS])
    return shown[: PROBLEM_LIMIT - 1] + "…" if len(shown) > PROBLEM_LIMIT else shown


def _schema_fault(error: Exception) -> str:
    if isinstance(error, Unresolvable):
        return "its schema refers to something outside of it"
    if isinstance(error, re2.error):
        return "a pattern in its schema cannot be read"
    return "its schema is not valid"


def fitted(schema: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with slips of models mended, where only one reading is possible.

    A number or a yes/no in quotes, a list or object as JSON text, and ``null`` for
    what may be left out. Nothing else is touched.
    """
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    result: dict[str, Any] = {}
    for name, value in arguments.items():
        part = properties.get(name)
        types = _types(part)
        if value is None and name not in required and types and "null" not in types:
            continue
        result[name] = _fit(value, types) if isinstance(value, str) else value
    return result


def _types(part: Any) -> set[str]:
    if not isinstance(part, dict):
        return set()
    kind = part.get("type")
    types = set(kind) if isinstance(kind, list) else {kind} if kind else set()
    for choice in part.get("anyOf", []):
        types |= _types(choice)
    return types


def _fit(value: str, types: set[str]) -> Any:
    if not types or "string" in types:
        return value
    try:
        read = json.loads(value.strip().lower() if "boolean" in types else value)
    except (ValueError, RecursionError):
        return value
    kinds: dict[type, set[str]] = {
        bool: {"boolean"},
        int: {"integer", "number"},
        float: {"number"},
        list: {"array"},
        dict: {"object"},
    }
    return read if kinds.get(type(read), set()) & types else value


def _pattern(
    validator: Any, pattern: str, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not _read(pattern).search(instance):
        yield ValidationError("does not match the pattern")


def _pattern_properties(
    validator: Any, patterns: dict[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, schema in patterns.items():
        for name, value in instance.items():
            if _read(pattern).search(name):
                yield from validator.descend(
                    value, schema, path=name, schema_path=pattern
                )


def _additional_properties(
    validator: Any, allowed: Any, instance: Any, schema: dict[str, Any]
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    patterns = schema.get("patternProperties", {})
    extra = [
        name
        for name in instance
        if name not in schema.get("properties", {})
        and not any(_read(pattern).search(name) for pattern in patterns)
    ]
    if allowed is False and extra:
        yield ValidationError("additional properties")
    elif isinstance(allowed, dict):
        for name in extra:
            yield from validator.descend(instance[name], allowed, path=name)


@lru_cache(maxsize=256)
def _read(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


# Patterns may come from people: re2 cannot be made to run for ever.
_Validator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    # An own empty registry: the default one would fetch references over HTTP.
    return _Validator(
        json.loads(schema),
        registry=Registry(),
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


_SENTENCES = {
    "type": "must be of type {wanted}, not {given}",
    "enum": "must be one of {wanted}, not {given}",
    "const": "must be {wanted}, not {given}",
    "minimum": "must be at least {wanted}, not {given}",
    "maximum": "must be at most {wanted}, not {given}",
    "exclusiveMinimum": "must be more than {wanted}, not {given}",
    "exclusiveMaximum": "must be less than {wanted}, not {given}",
    "multipleOf": "must be a multiple of {wanted}, not {given}",
    "minLength": "must have at least {wanted} characters, not {size}",
    "maxLength": "must have at most {wanted} characters, not {size}",
    "minItems": "must have at least {wanted} items, not {size}",
    "uniqueItems": "must not hold the same item twice",
    "maxItems": "must have at most {wanted} items, not {size}",
    "pattern": "must match the pattern {wanted}; {given} does not",
    "format": "must be a {wanted}, which {given} is not",
}


def _words(error: ValidationError) -> str:
    place = ".".join(str(step) for step in error.absolute_path)
    rule = str(error.validator)
    given: Any = error.instance
    wanted: Any = error.validator_value
    schema: Any = error.schema
    known = schema.get("properties", {}) if isinstance(schema, dict) else {}
    if rule == "required":
        missing = next(name for name in wanted if name not in given)
        return f"{place}.{missing} is required." if place else f"{missing} is required."
    if rule == "additionalProperties":
        extra = ", ".join(sorted(set(given) - set(known)))
        return f"{extra}: no such argument (there is: {', '.join(known) or 'none'})."
    sentence = _SENTENCES.get(rule, "does not fit the rule " + rule + " {wanted}")
    return (
        f"{place or 'The arguments'} "
        + sentence.format(
            wanted=_wanted(wanted),
            given=_short(given),
            size=len(given) if isinstance(given, str | list) else 0,
        )
        + "."
    )


def _wanted(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_wanted(each) for each in value)
    return value if isinstance(value, str) else _short(value)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:79] + "…"

"""Answers as JSON: what is known, put into the form that a schema asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from teams.providers.rehearsal.clauses import split_request
from teams.providers.rehearsal.errand import Errand, errand_of
from teams.providers.rehearsal.filling import fill
from teams.providers.rehearsal.finders import matches
from teams.providers.rehearsal.parsing import ASK, UNFIT, Prompt
from teams.providers.rehearsal.results import outcome_of
from teams.providers.rehearsal.schema import resolved
from teams.providers.rehearsal.sources import Sources
from teams.providers.rehearsal.text import all_stems, spaced, stems
from teams.providers.rehearsal.writing import plain_text
from teams.rules.schemas import schema_problem
from teams.toolbox.arguments import value_problem

# How deep and how wide an answer is made.
_DEPTH, _ITEMS = 8, 50

# What a text names is looked for in so much of it.
_READ = 8000
_LABELLED = re.compile(r"^[-*\s]*([^:*|\n]{1,40}):\**[ \t]+(\S.*)$", re.MULTILINE)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")

# What stands for a text that is not known, by its format.
_FORMATS = {
    "time": "00:00:00Z",
    "email": "unknown@example.invalid",
    "uri": "about:blank",
    "uuid": "00000000-0000-0000-0000-000000000000",
}
_NOTHING = object()


@dataclass(slots=True)
class _Known:
    """What an answer is made of: ``data`` are results, ``words`` values of the
    request, by the name of the property; ``text`` is the answer in words, used once.
    ``lean``: what is not required is left out."""

    data: tuple[Any, ...]
    words: dict[str, Any]
    text: str
    today: date
    roots: Any
    lean: bool = False
    told: bool = field(default=False)


def as_json(prompt: Prompt, schema: dict[str, Any], text: str, today: date) -> str:
    """The fullest value that satisfies the schema; after a complaint a simpler one."""
    if schema_problem(schema):
        return json.dumps(text, ensure_ascii=False)
    values = list(_candidates(prompt, schema, text, today))
    if prompt.turn.notice == UNFIT:
        values = values[1:]
    fitting = (value for value in values if not value_problem(schema, value))
    return json.dumps(next(fitting, values[-1]), ensure_ascii=False)


def _candidates(
    prompt: Prompt, schema: dict[str, Any], text: str, today: date
) -> Iterator[Any]:
    outcomes = [outcome_of(s.result or "") for s in prompt.turn.steps if s.name != ASK]
    good = [outcome for outcome in reversed(outcomes) if outcome.ok]
    data = tuple(_labelled(o.text) if o.data is None else o.data for o in good)
    material = outcome_of(split_request(prompt.turn.user)[1]).data
    data = data if material is None else (*data, material)
    words = _words(schema, data, errand_of(prompt, [], today))
    roots = schema.get("$defs") or schema.get("definitions") or {}
    spoken = plain_text(text).strip()
    for lean in (False, True):
        known = _Known(data, words, spoken, today, roots, lean)
        yield _value(schema, "", known, 0)
    yield _value(schema, "", _Known((), {}, spoken, today, roots, lean=True), 0)
    yield _value(schema, "", _Known((), {}, "", today, roots, lean=True), 0)


def _labelled(text: str) -> dict[str, Any]:
    """What a text names: ``Orders: 29`` on a line of its own."""
    found: dict[str, Any] = {}
    for label, value in _LABELLED.findall(text[:_READ]):
        number = value.strip()
        if _NUMBER.fullmatch(number):
            found.setdefault(label, float(number) if "." in number else int(number))
        else:
            found.setdefault(label, number)
    return found


def _words(
    schema: dict[str, Any], data: tuple[Any, ...], errand: Errand
) -> dict[str, Any]:
    """What the request itself says of the properties."""
    optional = {key: value for key, value in schema.items() if key != "required"}
    sources = Sources(
        own=errand.reading,
        whole=errand.reading,
        today=errand.today,
        history=errand.history,
        data=data,
    )
    return fill(optional, sources).arguments


def _value(schema: Any, name: str, known: _Known, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > _DEPTH:
        return None
    may_be_null = _may_be_null(schema)
    form = resolved(schema, known.roots)
    found = _known_value(form, name, known)
    if found is not _NOTHING:
        return found
    if form.get("type") == "object" or "properties" in form:
        return _object(form, name, known, depth)
    if form.get("type") == "array":
        return _array(form, name, known, depth)
    if known.text and not known.told and _takes_text(form):
        known.told = True
        return known.text[: form.get("maxLength", len(known.text))]
    return None if may_be_null else _filler(form, known)


def _known_value(form: dict[str, Any], name: str, known: _Known) -> Any:
    """A value that is fixed, or stands under that name in the results or the request;
    a value that does not fit is none."""
    if "const" in form:
        return form["const"]
    kind = form.get("type")
    if not name or kind == "object" or (kind == "array" and "items" in form):
        return _NOTHING
    options = [*_under_name(name, known.data)]
    if name in known.words:
        options.append(known.words[name])
    if kind in ("integer", "number"):
        options += _only_number(name, known.data)
    plain = {key: value for key, value in form.items() if key != "$defs"}
    for option in options:
        value = str(option) if kind == "string" and _is_scalar(option) else option
        if not value_problem(plain, value):
            return value
    return _NOTHING


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _under_name(name: str, data: tuple[Any, ...], depth: int = 0) -> Iterator[Any]:
    wanted = spaced(name).casefold()
    for value in data[:_ITEMS]:
        if isinstance(value, dict):
            yield from (v for k, v in value.items() if spaced(k).casefold() == wanted)
            inner = tuple(v for v in value.values() if isinstance(v, dict | list))
            if depth < _DEPTH:
                yield from _under_name(name, inner, depth + 1)
        elif isinstance(value, list) and depth < _DEPTH:
            yield from _under_name(name, tuple(value), depth + 1)


def _only_number(name: str, data: tuple[Any, ...]) -> list[Any]:
    """The number whose name shares a word, or the one number there is."""
    numbers = [
        (key, value)
        for record in data
        if isinstance(record, dict)
        for key, value in record.items()
        if _is_scalar(value) and not isinstance(value, str)
    ]
    wanted = all_stems(spaced(name))
    alike = [value for key, value in numbers if wanted & set(stems(spaced(key)))]
    return alike or [value for _key, value in numbers if len(numbers) == 1]


def _object(form: dict[str, Any], name: str, known: _Known, depth: int) -> Any:
    properties = form.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    given = form.get("required")
    required = given if isinstance(given, list) else []
    within = next((v for v in _under_name(name, known.data) if isinstance(v, dict)), {})
    inner = known
    if within:
        inner = _Known((within,), {}, "", known.today, known.roots, known.lean)
    made: dict[str, Any] = {}
    for key, schema in properties.items():
        needed = key in required
        if needed or (not known.lean and _is_known(key, schema, inner)):
            made[key] = _value(schema, key, inner, depth + 1)
    return made | {key: "" for key in required if key not in made}


def _is_known(name: str, schema: Any, known: _Known) -> bool:
    if not isinstance(schema, dict):
        return False
    form = resolved(schema, known.roots)
    if form.get("type") in ("array", "object"):
        return any(True for _ in _under_name(name, known.data))
    return _known_value(form, name, known) is not _NOTHING


def _array(form: dict[str, Any], name: str, known: _Known, depth: int) -> list[Any]:
    """The list of that name, or the first list of records; else what must be there."""
    lists = [v for v in _under_name(name, known.data) if isinstance(v, list)]
    lists += [v for v in known.data if isinstance(v, list)]
    lists += [
        value
        for record in known.data
        if isinstance(record, dict)
        for value in record.values()
        if isinstance(value, list) and any(isinstance(part, dict) for part in value)
    ]
    least, most = form.get("minItems", 0), min(form.get("maxItems", _ITEMS), _ITEMS)
    items = form.get("items", {})
    made = []
    for row in (lists or [[]])[0][:most]:
        inner = _Known((row,), {}, "", known.today, known.roots, known.lean)
        is_record = isinstance(row, dict)
        made.append(_value(items, "", inner, depth + 1) if is_record else row)
    while len(made) < min(least, _ITEMS):
        made.append(_value(items, "", known, depth + 1))
    return made


def _takes_text(form: dict[str, Any]) -> bool:
    free = not ({"enum", "format", "pattern", "const"} & set(form))
    return free and form.get("type") in ("string", None)


def _filler(form: dict[str, Any], known: _Known) -> Any:
    """What is said where nothing is known: the least that fits."""
    if "default" in form:
        return form["default"]
    if isinstance(form.get("enum"), list) and form["enum"]:
        return form["enum"][0]
    kind = form.get("type")
    if kind == "boolean":
        return False
    if kind in ("integer", "number"):
        return _least_number(form)
    if kind == "null":
        return None
    return _filler_text(form, known)


def _least_number(form: dict[str, Any]) -> Any:
    least = form.get("minimum", form.get("exclusiveMinimum", 0))
    most = form.get("maximum", form.get("exclusiveMaximum", 0))
    step = 1 if "exclusiveMinimum" in form else 0
    return least + step if least > 0 or step else min(0, most)


def _filler_text(form: dict[str, Any], known: _Known) -> str:
    form_name = str(form.get("format"))
    if form_name.startswith("date"):
        day = known.today.isoformat()
        return day if form_name == "date" else f"{day}T00:00:00Z"
    if form_name in _FORMATS:
        return _FORMATS[form_name]
    examples = form.get("examples")
    if pattern := form.get("pattern"):
        shown = examples if isinstance(examples, list) else []
        return next((str(e) for e in shown if matches(pattern, str(e))), "")
    return "–" * min(int(form.get("minLength", 0)), 1000)


def _may_be_null(schema: dict[str, Any]) -> bool:
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        return True
    parts = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return any(isinstance(part, dict) and part.get("type") == "null" for part in parts)

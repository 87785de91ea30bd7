"""JSON Schemas that people write: for arguments, answers and conditions.

They are validated without fetching anything, and their patterns run on re2, which
takes no longer than the text is long; what neither can do is refused on save.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import re2
from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError

NAMED_SCHEMAS = (
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
)
LISTED_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems")
ONE_SCHEMA = (
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
)
REFERENCES = ("$ref", "$dynamicRef")


def schema_errors(field: str, schema: Any) -> Iterator[FieldError]:
    """Why a value is no JSON Schema that can be used here."""
    problem = schema_problem(schema)
    if problem:
        yield FieldError(field, problem)


def schema_problem(schema: Any) -> str:
    """The same in words; empty if it is one."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    if not isinstance(schema, dict):
        return _("Give a JSON Schema, such as {“type”: “object”}.")
    try:
        Draft202012Validator.check_schema(schema)
        return next(_problems(schema, schema), "")
    except SchemaError as error:
        text = _("This is no JSON Schema: %(problem)s")
        return text % {"problem": error.message[:300]}
    except RecursionError:
        return _("This schema is nested too deep.")


def _problems(part: Any, root: dict[str, Any]) -> Iterator[str]:
    if not isinstance(part, dict):
        return
    for keyword in REFERENCES:
        if keyword in part and not _found(str(part[keyword]), root):
            text = _("Take out the reference “%(ref)s”: nothing of that name is in it.")
            yield text % {"ref": str(part[keyword])[:100]}
    for pattern in _patterns(part):
        if not readable(pattern):
            text = _(
                "The pattern “%(pattern)s” cannot be read: write it without %(no)s."
            )
            no = _("look-around and back references")
            yield text % {"pattern": pattern[:100], "no": no}
    for below in _parts(part):
        yield from _problems(below, root)


def _parts(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in NAMED_SCHEMAS:
        if isinstance(schema.get(keyword), dict):
            yield from schema[keyword].values()
    for keyword in LISTED_SCHEMAS:
        if isinstance(schema.get(keyword), list):
            yield from schema[keyword]
    for keyword in ONE_SCHEMA:
        yield schema.get(keyword)


def _patterns(schema: dict[str, Any]) -> Iterator[str]:
    if isinstance(schema.get("pattern"), str):
        yield schema["pattern"]
    if isinstance(schema.get("patternProperties"), dict):
        yield from schema["patternProperties"]


def readable(pattern: str) -> bool:
    """Whether re2 can read a regular expression."""
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error:
        return False
    return True


def _found(reference: str, root: dict[str, Any]) -> bool:
    """Whether a reference points into the schema itself, by a path: ``#/$defs/x``."""
    if reference == "#":
        return True
    if not reference.startswith("#/"):
        return False
    place: Any = root
    for step in reference[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(place, dict) or key not in place:
            return False
        place = place[key]
    return isinstance(place, dict | bool)

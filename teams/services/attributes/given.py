"""Attributes as they come: flat, or nested under ``attributes`` as Oracle's calls
carry them, with the field's other names for some."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from teams.services.attributes.kinds import Kind

STATUS = {"ENABLED": True, "DISABLED": False}


def flat(kind: Kind, given: Any) -> dict[str, Any]:
    """The attributes by the names of the contract.

    Raises ``Invalid`` for a body that is no object and for an attribute given twice.
    """
    if not isinstance(given, dict):
        raise invalid("", _("Give a JSON object with the attributes."))
    outer = {str(key): value for key, value in given.items()}
    pairs = [*outer.items()]
    if "attributes" in outer:
        nested = _nested(outer["attributes"])
        pairs = [pair for pair in pairs if pair[0] != "attributes"] + [*nested.items()]
    found: dict[str, Any] = {}
    for key, value in pairs:
        name, plain = _renamed(kind, key, value)
        if name in found and found[name] != plain:
            raise invalid(name, _("It is given twice: give it once."))
        found[name] = plain
    return found


def _nested(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise invalid("attributes", _("This is no JSON.")) from error
    if not isinstance(value, dict):
        raise invalid("attributes", _("Give a JSON object with the attributes."))
    return {str(key): each for key, each in value.items()}


def _renamed(kind: Kind, key: str, value: Any) -> tuple[str, Any]:
    if key in (f"{kind.name}_name", f"agent_{kind.name}_name"):
        return "name", value
    if key == "status" and isinstance(value, str) and value.upper() in STATUS:
        return "enabled", STATUS[value.upper()]
    return key, value


def read(kind: Kind, given: dict[str, Any], *, new: bool) -> dict[str, Any]:
    """What is stored for each attribute given; a new object needs the required ones.

    Raises one ``Invalid`` with everything that is wrong.
    """
    errors: list[FieldError] = []
    values: dict[str, Any] = {}
    for name, value in given.items():
        attribute = kind.attributes.get(name)
        if attribute is None:
            errors += [] if name in kind.ignored else [_unknown(kind, name)]
            continue
        try:
            values[name] = attribute.read(name, value)
        except Invalid as error:
            errors.extend(error.errors)
    missing = [name for name in kind.required if new and name not in given]
    errors += [FieldError(name, _("This is needed.")) for name in missing]
    if errors:
        raise Invalid(errors)
    return values


def _unknown(kind: Kind, name: str) -> FieldError:
    shown = name[:50]
    text = _("“%(name)s” is not known here: take it out. Known are: %(known)s.")
    return FieldError(
        shown, text % {"name": shown, "known": ", ".join(kind.attributes)}
    )

"""The shape of a bundle: a team with all it needs as one JSON object.

``{schema, kind, team, agents, tasks, tools, profiles}``. Reading is lenient: parts
may be missing where the site has them, several teams may stand in ``teams``, and
each object may nest its ``attributes`` as Oracle's calls do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from supervisor_site.common.names import name_key
from teams.services.attributes.given import flat
from teams.services.attributes.kinds import AGENT, PROFILE, TASK, TEAM, TOOL, Kind

SCHEMA = 1
KIND = "supervisor-site/team"
PART_MAX = 500

# In the order in which they need each other.
PARTS: tuple[tuple[str, Kind], ...] = (
    ("profiles", PROFILE),
    ("tools", TOOL),
    ("agents", AGENT),
    ("tasks", TASK),
    ("teams", TEAM),
)


@dataclass(frozen=True)
class Item:
    """One object of a bundle: where it stands, what it is, its flat attributes."""

    path: str
    kind: Kind
    name: str
    given: dict[str, Any]


def read_bundle(bundle: Any) -> list[Item]:
    """The objects of a bundle in the order in which they need each other.

    Raises ``Invalid`` for what is no bundle, with each error at its path.
    """
    _check_head(bundle)
    items: list[Item] = []
    errors: list[FieldError] = []
    for key, kind in PARTS:
        for path, entry in _entries(bundle, key):
            try:
                items.append(_item(path, kind, entry))
            except Invalid as error:
                errors.extend(below(path, error))
    errors += _twice(items)
    if errors:
        raise Invalid(errors)
    if not items:
        raise invalid("", _("The bundle is empty: give a team or parts of one."))
    return items


def below(path: str, error: Invalid) -> list[FieldError]:
    """The same errors with their fields under ``path``."""
    return [
        FieldError(f"{path}.{each.field}" if each.field else path, each.message)
        for each in error.errors
    ]


def _check_head(bundle: Any) -> None:
    if not isinstance(bundle, dict):
        raise invalid("", _("Give the bundle as a JSON object."))
    known = {"schema", "kind", "team", *(key for key, _kind in PARTS)}
    errors = [
        FieldError(str(key)[:50], _("This is no part of a bundle: take it out."))
        for key in bundle
        if key not in known
    ]
    if bundle.get("kind", KIND) != KIND:
        errors.append(
            FieldError("kind", _("Only “%(kind)s” can be read here.") % {"kind": KIND})
        )
    schema = bundle.get("schema", SCHEMA)
    if isinstance(schema, bool) or schema != SCHEMA:
        errors.append(
            FieldError(
                "schema",
                _("Schema %(schema)d can be read here: export the team once more.")
                % {"schema": SCHEMA},
            )
        )
    if errors:
        raise Invalid(errors)


def _entries(bundle: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    found = bundle.get(key) or []
    if not isinstance(found, list):
        raise invalid(key, _("Give a list of objects."))
    if len(found) > PART_MAX:
        raise invalid(key, _("Give at most %(limit)d objects.") % {"limit": PART_MAX})
    entries = [(f"{key}.{position}", entry) for position, entry in enumerate(found)]
    if key == "teams" and bundle.get("team") is not None:
        entries.insert(0, ("team", bundle["team"]))
    return entries


def _item(path: str, kind: Kind, entry: Any) -> Item:
    given = flat(kind, entry)
    name = given.get("name")
    if not isinstance(name, str) or not name.strip():
        raise invalid("name", _("Give a name."))
    return Item(path, kind, name.strip(), given)


def _twice(items: list[Item]) -> list[FieldError]:
    seen: set[tuple[str, str]] = set()
    errors = []
    for item in items:
        key = (item.kind.name, name_key(item.name))
        if key in seen:
            errors.append(
                FieldError(
                    f"{item.path}.name",
                    _("“%(name)s” is in the bundle twice: take one out.")
                    % {"name": item.name},
                )
            )
        seen.add(key)
    return errors

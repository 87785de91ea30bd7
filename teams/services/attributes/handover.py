"""Readers of what only a handoff team has: who may hand to whom, and agents that are
named inside of its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from supervisor_site.common.names import name_key
from teams.models import Agent
from teams.rules.drafts import RuleDraft
from teams.services.attributes import links, readers

RULE = ("from", "to", "description")
# Where agents stand by name: as entries of a list, or as keys of an object.
LISTS = ("agents", "intermediate", "hidden")
KEYED = ("turn_limits", "prompts")


def handoffs(field: str, value: Any) -> list[RuleDraft]:
    """``[{from, to, description?}]`` as rows; unknown names are refused one by one."""
    given = [] if value is None else readers.list_of(_rule, field, value)
    names = [name for source, target, _text in given for name in (source, target)]
    found = links.live_by_key(Agent, names)
    errors = [
        error
        for position, (source, target, _text) in enumerate(given)
        for error in _unknown(f"{field}.{position}", (source, target), found)
    ]
    if errors:
        raise Invalid(errors)
    return [
        RuleDraft(found[name_key(source)], found[name_key(target)], text)
        for source, target, text in given
    ]


def _rule(field: str, value: Any) -> tuple[str, str, str]:
    if not isinstance(value, dict):
        raise invalid(field, _("Give an object with from and to."))
    errors = [
        FieldError(
            f"{field}.{str(key)[:50]}",
            _("Take it out: a rule has from, to and a description only."),
        )
        for key in value
        if key not in RULE
    ]
    if errors:
        raise Invalid(errors)
    return (
        readers.name(f"{field}.from", value.get("from")),
        readers.name(f"{field}.to", value.get("to")),
        readers.text(f"{field}.description", value.get("description")).strip(),
    )


def _unknown(
    field: str, names: tuple[str, str], found: dict[str, Agent]
) -> Iterator[FieldError]:
    for part, name in zip(("from", "to"), names, strict=True):
        if name_key(name) not in found:
            yield FieldError(
                f"{field}.{part}",
                _("There is no agent “%(name)s”: make it first, or take it out.")
                % {"name": name},
            )


def with_names(setting: Any, new: Callable[[str], str]) -> Any:
    """The same setting with each agent's name in it replaced by ``new(name)``.

    What has another shape than it should stays: the rules speak of it.
    """
    if not isinstance(setting, dict):
        return setting
    found = dict(setting)
    for key in LISTS:
        if isinstance(found.get(key), list):
            found[key] = [new(n) if isinstance(n, str) else n for n in found[key]]
    for key in KEYED:
        if isinstance(found.get(key), dict):
            found[key] = {new(name): value for name, value in found[key].items()}
    return found

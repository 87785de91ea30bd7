"""Readers of names of other objects: they answer the rows, locked until the end of
the transaction, so that nobody drops what is being attached."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import Group, User
from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from supervisor_site.common.names import name_key
from teams.models import Agent, Definition, Profile, Task, Tool
from teams.services.attributes import readers

D = TypeVar("D", bound=Definition)


def live_by_key(model: type[D], names: list[str]) -> dict[str, D]:
    """The live objects of these names, by ``name_key``."""
    keys = {name_key(name) for name in names}
    if not keys:
        return {}
    found = model.objects.live().filter(name_key__in=keys)
    return {row.name_key: row for row in found.select_for_update(of=("self",))}


def profile(field: str, value: Any) -> Profile:
    wanted = readers.name(field, value)
    found = live_by_key(Profile, [wanted]).get(name_key(wanted))
    if found is None:
        raise invalid(
            field,
            _("There is no profile “%(name)s”: make it first, or name another one.")
            % {"name": wanted},
        )
    return found


def tools(field: str, value: Any) -> list[Tool]:
    """Tools by name, each once."""
    text = _("There is no tool “%(name)s”: make it first, or take it out.")
    return _each(Tool, field, value, text)


def agents(field: str, value: Any) -> list[Agent]:
    """Agents by name, each once."""
    text = _("There is no agent “%(name)s”: make it first, or take it out.")
    return _each(Agent, field, value, text)


def _each(model: type[D], field: str, value: Any, problem: str) -> list[D]:
    names = readers.list_of(readers.name, field, value)
    found = live_by_key(model, names)
    errors = [
        FieldError(f"{field}.{position}", problem % {"name": name})
        for position, name in enumerate(names)
        if name_key(name) not in found
    ]
    if errors:
        raise Invalid(errors)
    return list(found.values())


def supervisor(field: str, value: Any) -> Agent | None:
    if isinstance(value, list):
        raise invalid(
            field, _("A team has exactly one supervisor: give one agent's name.")
        )
    return agent_or_none(field, value)


def agent_or_none(field: str, value: Any) -> Agent | None:
    text = _("There is no agent “%(name)s”: make it first, or name another one.")
    return _one(Agent, field, value, text)


def task_or_none(field: str, value: Any) -> Task | None:
    text = _("There is no task “%(name)s”: make it first, or name another one.")
    return _one(Task, field, value, text)


def _one(model: type[D], field: str, value: Any, problem: str) -> D | None:
    if value is None or value == "":
        return None
    wanted = readers.name(field, value)
    found = live_by_key(model, [wanted]).get(name_key(wanted))
    if found is None:
        raise invalid(field, problem % {"name": wanted})
    return found


def user_or_none(field: str, value: Any) -> User | None:
    """A user by name; who may choose whom is for the service to say (D6)."""
    wanted = readers.line(field, value)
    if not wanted:
        return None
    found = User.objects.filter(username=wanted, is_active=True).first()
    if found is None:
        raise invalid(
            field,
            _("There is no active user “%(name)s”: name another one.")
            % {"name": wanted[:150]},
        )
    return found


def groups(field: str, value: Any) -> list[Group]:
    names = readers.list_of(readers.line, field, value)
    found = {group.name: group for group in Group.objects.filter(name__in=names)}
    errors = [
        FieldError(
            f"{field}.{position}",
            _("There is no group “%(name)s”: make it first, or take it out.")
            % {"name": name},
        )
        for position, name in enumerate(names)
        if name not in found
    ]
    if errors:
        raise Invalid(errors)
    return list(found.values())

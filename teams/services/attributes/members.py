"""Readers of what only a team has: its pairs and its access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group
from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from supervisor_site.common.names import name_key
from teams.models import Agent, Task, Team
from teams.rules.drafts import MemberDraft
from teams.services.attributes import links, readers

MEMBERS_MAX = 100


@dataclass(frozen=True)
class Pair:
    """A pair as given: names, not yet looked up."""

    agent: str
    task: str


@dataclass(frozen=True)
class Access:
    """Who may run the team; None leaves that part as it is."""

    everyone: bool | None
    groups: list[Group] | None


def agents(field: str, value: Any) -> list[MemberDraft]:
    """``[{name, task?}]`` as rows; unknown names are refused one by one."""
    pairs: list[Pair] = readers.list_of(_pair, field, value)
    if len(pairs) > MEMBERS_MAX:
        raise invalid(
            field, _("Give at most %(limit)d entries.") % {"limit": MEMBERS_MAX}
        )
    found = links.live_by_key(Agent, [pair.agent for pair in pairs])
    tasks = links.live_by_key(Task, [pair.task for pair in pairs if pair.task])
    errors = [
        error
        for position, pair in enumerate(pairs)
        for error in _unknown(f"{field}.{position}", pair, (found, tasks))
    ]
    if errors:
        raise Invalid(errors)
    return [
        MemberDraft(
            found[name_key(pair.agent)],
            tasks[name_key(pair.task)] if pair.task else None,
        )
        for pair in pairs
    ]


def _pair(field: str, value: Any) -> Pair:
    if not isinstance(value, dict):
        raise invalid(field, _("Give an object with a name and a task."))
    errors = [_surplus(field, key) for key in value if key not in ("name", "task")]
    if errors:
        raise Invalid(errors)
    task = value.get("task")
    return Pair(
        agent=readers.name(f"{field}.name", value.get("name")),
        task="" if task is None else readers.name(f"{field}.task", task),
    )


def _surplus(field: str, key: Any) -> FieldError:
    if key == "tools":
        return FieldError(
            f"{field}.tools",
            _("Tools sit on tasks, never on the team: name them in the task's tools."),
        )
    return FieldError(
        f"{field}.{str(key)[:50]}",
        _("Take it out: an entry has a name and a task only."),
    )


def _unknown(
    field: str, pair: Pair, known: tuple[dict[str, Agent], dict[str, Task]]
) -> Iterator[FieldError]:
    found, tasks = known
    if name_key(pair.agent) not in found:
        yield FieldError(f"{field}.name", _no_agent(pair.agent))
    if pair.task and name_key(pair.task) not in tasks:
        yield FieldError(
            f"{field}.task",
            _("There is no task “%(name)s”: make it first, or name another one.")
            % {"name": pair.task},
        )


def _no_agent(name: str) -> str:
    if Team.objects.named(name).exists():
        return _(
            "“%(name)s” is a team, and no team works in another one: name agents."
        ) % {"name": name}
    return _("There is no agent “%(name)s”: make it first, or take it out.") % {
        "name": name
    }


def access(field: str, value: Any) -> Access:
    """``{everyone, groups}``, each of them optional."""
    if not isinstance(value, dict):
        raise invalid(field, _("Give an object with everyone and groups."))
    for key in value:
        if key not in ("everyone", "groups"):
            raise invalid(
                f"{field}.{str(key)[:50]}",
                _("Take it out: access has everyone and groups only."),
            )
    return Access(
        everyone=readers.flag(f"{field}.everyone", value["everyone"])
        if "everyone" in value
        else None,
        groups=links.groups(f"{field}.groups", value["groups"])
        if "groups" in value
        else None,
    )

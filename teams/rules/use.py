"""What hangs on what: edits and deletions that would break something saved (S3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, FieldError
from teams.models import Agent, Definition, HandoffRule, Profile, Task, Team, Tool

NAMED_AT_MOST = 10


@dataclass(frozen=True, order=True)
class Use:
    """A live object that needs another one."""

    kind: str
    name: str


def uses_of(definition: Definition) -> list[Use]:
    """The live objects that would miss this one if it were dropped."""
    users = _users(definition)
    return sorted(
        {
            Use(found.model.__name__.lower(), name)
            for found in users
            for name in found.order_by().values_list("name", flat=True)
        }
    )


def _users(definition: Definition) -> list[QuerySet[Any]]:
    agents, tasks, teams = (
        model.objects.live().exclude(pk=definition.pk)
        if isinstance(definition, model)
        else model.objects.live()
        for model in (Agent, Task, Team)
    )
    match definition:
        case Profile():
            return [agents.filter(profile=definition)]
        case Tool():
            return [agents.filter(tools=definition), tasks.filter(tools=definition)]
        case Agent():
            rules = HandoffRule.objects.filter(
                Q(source=definition) | Q(target=definition)
            )
            return [
                teams.filter(members__agent=definition),
                teams.filter(
                    Q(supervisor_agent=definition)
                    | Q(start_agent=definition)
                    | Q(pk__in=rules.values("team"))
                ),
                agents.filter(delegates=definition),
            ]
        case Task():
            return [
                teams.filter(members__task=definition),
                tasks.filter(input=definition),
            ]
        case _:
            return []


def lead_errors(agent: Agent) -> list[FieldError]:
    """``supervisor: false`` on an agent that leads a saved team is refused."""
    teams = _led(agent)
    if not teams:
        return []
    return [
        FieldError(
            "supervisor",
            _(
                "“%(name)s” leads %(teams)s: name another supervisor there first, or "
                "leave supervisor true."
            )
            % {"name": agent.name, "teams": _listed(teams)},
        )
    ]


def _led(agent: Agent) -> list[str]:
    if agent.supervisor or agent.pk is None:
        return []
    return list(
        Team.objects.live()
        .filter(supervisor_agent=agent)
        .values_list("name", flat=True)
    )


def refuse_broken_lead(agent: Agent) -> None:
    """Raises ``Conflict`` ``in_use``, which lists the teams in ``used_by``."""
    errors = lead_errors(agent)
    if errors:
        raise Conflict(
            errors[0].message,
            code="in_use",
            used_by=[{"kind": "team", "name": name} for name in _led(agent)],
        )


def drop_problem(definition: Definition) -> str:
    """Why the object cannot be dropped now; empty if it can."""
    uses = uses_of(definition)
    if not uses:
        return ""
    return _("“%(name)s” is in use by %(users)s: take it out there first.") % {
        "name": definition.name,
        "users": _listed(use.name for use in uses),
    }


def refuse_drop(definition: Definition) -> None:
    """Raises ``Conflict`` ``in_use``, which lists who uses it in ``used_by``."""
    problem = drop_problem(definition)
    if problem:
        raise Conflict(
            problem,
            code="in_use",
            used_by=[
                {"kind": use.kind, "name": use.name} for use in uses_of(definition)
            ],
        )


def _listed(names: Iterable[str]) -> str:
    every = [f"“{name}”" for name in names]
    shown = ", ".join(every[:NAMED_AT_MOST])
    return f"{shown}, …" if len(every) > NAMED_AT_MOST else shown

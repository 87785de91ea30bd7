"""Whose identity an edit would use: an agent's *run-as* is one that its editor may
use (D6), himself or, for a superuser, anyone.

What runs as somebody else may not be changed by others in what it can do, wherever
that stands: on the agent, in a task it is paired with, in a tool.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Forbidden
from teams.models import Agent, Definition, Task, Team, TeamMember, Tool
from teams.permissions import Person
from teams.services.describe import as_attributes


def reach(definition: Definition, user: Person | None) -> set[tuple[Any, ...]]:
    """What, of this object, runs as somebody whom the user is not. Nothing for the
    operator and for superusers."""
    if definition.pk is None or user is None:
        return set()
    if isinstance(user, User) and user.is_superuser and user.is_active:
        return set()
    match definition:
        case Agent():
            return _agent(definition, user)
        case Task():
            pairs = _foreign(user).filter(task=definition, task__tools__isnull=False)
            return set(pairs.values_list("agent", "task__tools"))
        case Team():
            pairs = _foreign(user).filter(team=definition, task__isnull=False)
            return set(pairs.values_list("agent", "task"))
        case Tool():
            return _tool(definition, user)
        case _:
            return set()


def refuse_wider_reach(
    before: set[tuple[Any, ...]], after: set[tuple[Any, ...]]
) -> None:
    """Raises ``Forbidden`` ``run_as_forbidden`` where an edit added to it."""
    if after - before:
        raise Forbidden(
            _(
                "This would work with the rights of another user: only that user and "
                "superusers may set it up."
            ),
            code="run_as_forbidden",
        )


def _agent(agent: Agent, user: Person) -> set[tuple[Any, ...]]:
    if agent.run_as_id in (None, user.pk):
        return set()
    attributes = as_attributes(agent)
    return {(name, json.dumps(value)) for name, value in attributes.items()}


def _tool(tool: Tool, user: Person) -> set[tuple[Any, ...]]:
    through = _foreign(user).filter(task__tools=tool).values("agent")
    agents = Agent.objects.live().exclude(run_as=None).exclude(run_as=user.pk)
    if not agents.filter(Q(tools=tool) | Q(pk__in=through)).exists():
        return set()
    return {(tool.function, json.dumps(tool.tool_params, sort_keys=True))}


def _foreign(user: Person) -> QuerySet[TeamMember]:
    pairs = TeamMember.objects.filter(team__dropped_at__isnull=True)
    return pairs.exclude(agent__run_as=None).exclude(agent__run_as=user.pk)

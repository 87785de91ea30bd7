"""No two functions of one name in what an agent is offered (D1, D2).

Tools and delegates of one version get different names anyway; but a delegate that is
called like a tool would be taken for it by people and models alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from supervisor_site.common.names import function_name
from teams.choices import Pattern
from teams.models import Agent, Definition, Task, Team, TeamMember, Tool

PRODUCT_NAMES = ("delegate_to_worker", "ask_human")
PRODUCT_PREFIX = "handoff_to_"


def offer_errors(definition: Definition) -> list[FieldError]:
    """The collisions that the object as it is now stored has part in, on its own
    fields. Reads the database: call it in the transaction that stored it."""
    errors = []
    for agent in _concerned(definition):
        for delegate, other in collisions(agent, _tools_of(agent)):
            field, message = _worded(definition, agent, (delegate, other))
            errors.append(FieldError(field, message))
    if isinstance(definition, Team) and definition.pattern == Pattern.HANDOFF:
        errors += _handoff_errors(definition)
    return list(dict.fromkeys(errors))


def _handoff_errors(team: Team) -> Iterator[FieldError]:
    """A participant's tool that is called like a handover (H0)."""
    members = team.members.select_related("agent", "task").order_by("position", "pk")
    for number, member in enumerate(members):
        own = [*member.agent.tools.all()]
        own += member.task.tools.all() if member.task else []
        for tool in own:
            if tool.name.lower().startswith(PRODUCT_PREFIX):
                yield FieldError(
                    f"agents.{number}.name",
                    _(
                        "The tool “%(tool)s” of “%(agent)s” is called like a handover: "
                        "rename it, or take it out."
                    )
                    % {"tool": tool.name, "agent": member.agent.name},
                )


def collisions(agent: Agent, tools: Iterable[Tool]) -> Iterator[tuple[Agent, str]]:
    """Its delegates that are called like one of these tools, or like the product's
    own functions; with the name of the other."""
    delegates = list(agent.delegates.all())
    if not delegates:
        return
    taken = {name: name for name in PRODUCT_NAMES}
    taken |= {function_name(tool.name).lower(): tool.name for tool in tools}
    for delegate in delegates:
        name = function_name(delegate.name).lower()
        if name.startswith(PRODUCT_PREFIX):
            yield delegate, PRODUCT_PREFIX
        elif name in taken and _is_ascii(delegate.name, taken[name]):
            yield delegate, taken[name]


def _is_ascii(*names: str) -> bool:
    """Names of other scripts may share what is left of them; they get numbers."""
    return all(name.isascii() for name in names)


def _concerned(definition: Definition) -> QuerySet[Agent]:
    """The live agents with delegates whose offer the object is a part of."""
    pairs = TeamMember.objects.filter(team__dropped_at__isnull=True)
    agents: QuerySet[Agent] = Agent.objects.live().filter(delegates__isnull=False)
    match definition:
        case Agent():
            own = agents.filter(pk=definition.pk)
            agents = own | agents.filter(delegates=definition)
        case Tool():
            through = pairs.filter(task__tools=definition).values("agent")
            agents = agents.filter(tools=definition) | agents.filter(pk__in=through)
        case Task():
            through = pairs.filter(task=definition).values("agent")
            agents = agents.filter(pk__in=through)
        case Team():
            through = definition.members.values("agent")
            agents = agents.filter(pk__in=through)
        case _:
            agents = agents.none()
    with_task = pairs.select_related("task").prefetch_related("task__tools")
    return agents.distinct().prefetch_related(
        "delegates", "tools", Prefetch("memberships", with_task, "live_pairs")
    )


def _tools_of(agent: Agent) -> list[Tool]:
    pairs: list[TeamMember] = agent.live_pairs  # type: ignore[attr-defined]
    tasks = [pair.task for pair in pairs if pair.task]
    return [
        *agent.tools.all(),
        *(tool for task in tasks for tool in task.tools.all()),
    ]


def _worded(
    definition: Definition, agent: Agent, pair: tuple[Agent, str]
) -> tuple[str, str]:
    delegate, other = pair
    names = {"agent": agent.name, "delegate": delegate.name, "other": other}
    text = _(
        "“%(agent)s” would be offered the delegate “%(delegate)s” beside “%(other)s”, "
        "under one name: rename one of the two, or take it out."
    )
    match definition:
        case Agent() if definition.pk == agent.pk:
            field = "delegates"
        case Agent() | Tool():
            field = "name"
        case Task():
            field = "tools"
        case _:
            field = "agents"
    return field, text % names

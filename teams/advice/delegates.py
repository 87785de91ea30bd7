"""Advice on delegates: unused ones, circles, roles that say too little (D1, D8, S5)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from teams.advice.base import HINT, WARNING, Advice, acting, advice
from teams.advice.wording import knows_language, words
from teams.models import Agent
from teams.rules.drafts import TeamParts

SHORT_ROLE = 6


def delegate_advice(parts: TeamParts) -> Iterator[Advice]:
    yield from _unused(parts)
    agents = acting(parts)
    yield from _circles(agents)
    yield from _roles(agents)
    yield from _identities(agents)


def _unused(parts: TeamParts) -> Iterator[Advice]:
    leader = parts.team.supervisor_agent
    if leader is None:
        return
    # As ``parts_of`` read it, with its delegates at hand.
    leader = next(agent for agent in parts.agents if agent.pk == leader.pk)
    names = ", ".join(other.name for other in leader.delegates.all())
    if names:
        yield advice(
            WARNING,
            "leader_delegates_unused",
            leader,
            _(
                "While it leads, an agent delegates to the team's workers only: its "
                "own delegates (%(names)s) are left out. Put them into the team."
            )
            % {"names": names},
        )


def _circles(agents: list[Agent]) -> Iterator[Advice]:
    """Each circle once, told where it was found first."""
    by_pk = {agent.pk: agent for agent in agents}
    done: set[int] = set()
    for agent in agents:
        circle = _circle(agent, by_pk)
        if circle and not done & {each.pk for each in circle}:
            done |= {each.pk for each in circle}
            chain = " → ".join(each.name for each in (*circle, circle[0]))
            yield advice(
                WARNING,
                "delegates_in_circle",
                agent,
                _(
                    "Its delegates lead back to it: %(chain)s. Ten levels of that end "
                    "the whole run."
                )
                % {"chain": chain},
            )


def _circle(agent: Agent, by_pk: dict[int, Agent]) -> list[Agent]:
    """The shortest way from the agent back to itself."""
    ways = [[agent]]
    seen: set[int] = set()
    for way in ways:
        for other in way[-1].delegates.all():
            if other.pk == agent.pk:
                return way
            if other.pk not in seen:
                seen.add(other.pk)
                ways.append([*way, by_pk.get(other.pk, other)])
    return []


def _roles(agents: list[Agent]) -> Iterator[Advice]:
    """A delegate's role is the description of its tool."""
    found = {other.pk: other for agent in agents for other in agent.delegates.all()}
    for delegate in found.values():
        short = len(words(delegate.role)) < SHORT_ROLE
        if short and knows_language(delegate.role):
            yield advice(
                HINT,
                "delegate_role_short",
                delegate,
                _(
                    "Its role is what others know of it when they delegate, and says "
                    "little: name what it is for and what it needs."
                ),
            )


def _identities(agents: list[Agent]) -> Iterator[Advice]:
    for agent in agents:
        if agent.run_as is not None and not agent.run_as.is_active:
            yield advice(
                WARNING,
                "run_as_inactive",
                agent,
                _("It runs as “%(user)s”, who is not active: its tools are refused.")
                % {"user": agent.run_as.get_username()},
            )

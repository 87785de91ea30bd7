"""Advice on a handoff team: who is reached, who can leave, what ends it (H1)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from supervisor_site.common.names import name_key
from teams.advice.base import HINT, WARNING, Advice, advice, workers
from teams.choices import Pattern
from teams.models import Agent
from teams.rules.drafts import TeamParts


def handover_advice(parts: TeamParts) -> Iterator[Advice]:
    if parts.team.pattern != Pattern.HANDOFF:
        return
    yield from _ways(parts)
    yield from _words(parts)
    yield from _endings(parts)
    yield from _answers(parts)


def _ways(parts: TeamParts) -> Iterator[Advice]:
    """Who is reached and who can leave, where rules say who may hand to whom."""
    pairs = [(rule.source_id, rule.target_id) for rule in parts.team.handoffs.all()]
    if not pairs:
        return
    reached: set[int | None] = set()
    left = [parts.team.start_agent_id]
    while left:
        here = left.pop()
        if here not in reached:
            reached.add(here)
            left += [target for source, target in pairs if source == here]
    for agent in workers(parts):
        if agent.pk not in reached:
            text = _("Nobody can reach it: no rule leads from the start agent to it.")
            yield advice(WARNING, "agent_unreachable", agent, text)
        elif agent.pk not in {source for source, _target in pairs}:
            text = _(
                "Nobody can leave it: no rule lets it hand over, so whatever comes "
                "next stays with it. Let it hand back to where it came from."
            )
            yield advice(HINT, "agent_no_way_out", agent, text)


def _words(parts: TeamParts) -> Iterator[Advice]:
    """A model chooses its receiver by the rule's words, else by the description."""
    told = {
        rule.target_id for rule in parts.team.handoffs.all() if rule.description.strip()
    }
    for agent in workers(parts):
        if not agent.description.strip() and agent.pk not in told:
            yield advice(
                HINT,
                "no_description",
                agent,
                _("Describe the agent in a sentence: others hand over to it by that."),
            )


def _endings(parts: TeamParts) -> Iterator[Advice]:
    mode = parts.team.autonomous
    if not isinstance(mode, dict) or parts.team.termination:
        return
    yield advice(
        HINT,
        "autonomous_without_end",
        parts.team,
        _(
            "Agents go on by themselves and nothing says when they are done: they may "
            "repeat themselves up to the limit. Give a termination condition."
        ),
    )


def _answers(parts: TeamParts) -> Iterator[Advice]:
    outputs = parts.team.outputs if isinstance(parts.team.outputs, dict) else {}
    silent = {
        name_key(str(name))
        for field in ("intermediate", "hidden")
        for name in outputs.get(field) or ()
    }
    agents: list[Agent] = workers(parts)
    if agents and all(name_key(agent.name) in silent for agent in agents):
        yield advice(
            WARNING,
            "no_answer_shown",
            parts.team,
            _("No agent's texts are the answer: all are steps or hidden."),
        )

"""Advice on names, descriptions, roles and instructions (S16)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from django.utils.translation import gettext as _

from teams.advice.base import HINT, WARNING, Advice, advice, pairs, workers
from teams.advice.wording import (
    content_words,
    is_generic,
    knows_language,
    likeness,
    speaks_of,
    words,
)
from teams.choices import Pattern
from teams.models import Agent, Task
from teams.rules.drafts import TeamParts

SHORT_INSTRUCTION = 8
ALIKE = 0.5
ALIKE_WITH_SAME_TOOLS = 0.35


def text_advice(parts: TeamParts) -> Iterator[Advice]:
    for task in parts.tasks:
        yield from _task_words(task)
    for agent, task in pairs(parts):
        yield from _pair_words(agent, task)
    if parts.team.pattern == Pattern.HANDOFF:
        for agent in workers(parts):
            yield from _participant_words(agent)
    if parts.team.supervisor_agent is not None:
        yield from _leader_words(parts.team.supervisor_agent)
        yield from _routing_words(parts)
        yield from _overlaps(parts)


def _task_words(task: Task) -> Iterator[Advice]:
    if is_generic(task.name):
        yield advice(
            WARNING,
            "task_name_vague",
            task,
            _("“%(name)s” says nothing of what the task is about: name its domain.")
            % {"name": task.name},
        )
    if len(words(task.instruction)) < SHORT_INSTRUCTION:
        yield advice(
            WARNING,
            "instruction_vague",
            task,
            _(
                "The instruction is very short: say what to do, with what, and what "
                "to give back."
            ),
        )
    elif not speaks_of("result", task.instruction):
        yield advice(
            HINT,
            "no_result_format",
            task,
            _("The instruction does not say what to return, and in which form."),
        )


def _pair_words(agent: Agent, task: Task) -> Iterator[Advice]:
    if not speaks_of("boundary", agent.role, task.instruction):
        yield advice(
            HINT,
            "no_boundary",
            agent,
            _(
                "Neither the role nor the instruction of “%(task)s” says what the "
                "agent leaves alone: draw the line of its domain."
            )
            % {"task": task.name},
        )


def _participant_words(agent: Agent) -> Iterator[Advice]:
    if not speaks_of("boundary", agent.role):
        yield advice(
            HINT,
            "no_boundary",
            agent,
            _(
                "The role does not say what the agent leaves to others: without that, "
                "it answers itself what it should hand over."
            ),
        )


def _leader_words(leader: Agent) -> Iterator[Advice]:
    if not speaks_of("self_contained", leader.role):
        yield advice(
            WARNING,
            "requests_not_self_contained",
            leader,
            _(
                "The supervisor's role does not ask for self-contained requests: a "
                "worker sees the request only, so tell it to put all context in."
            ),
        )


def _routing_words(parts: TeamParts) -> Iterator[Advice]:
    """A supervisor chooses by names, descriptions and instructions (S8)."""
    for agent in workers(parts):
        if not agent.description.strip():
            yield advice(
                HINT,
                "no_description",
                agent,
                _("Describe the agent in a sentence: the supervisor chooses by it."),
            )
    for task in parts.tasks:
        if not task.description.strip():
            yield advice(
                HINT,
                "no_description",
                task,
                _("Describe the task in a sentence: the supervisor chooses by it."),
            )


def _overlaps(parts: TeamParts) -> Iterator[Advice]:
    for first, second in combinations(parts.tasks, 2):
        tools = {tool.pk for tool in first.tools.all()}
        same_tools = bool(tools) and tools == {tool.pk for tool in second.tools.all()}
        limit = ALIKE_WITH_SAME_TOOLS if same_tools else ALIKE
        if likeness(_subject(first), _subject(second)) >= limit:
            yield advice(
                WARNING,
                "tasks_overlap",
                second,
                _(
                    "Its words are much like those of “%(other)s”: the supervisor may "
                    "take one for the other. Say what only this one does."
                )
                % {"other": first.name},
            )
    yield from _shared_tasks(parts)


def _subject(task: Task) -> set[str]:
    return content_words(f"{task.name} {task.description} {task.instruction}")


def _shared_tasks(parts: TeamParts) -> Iterator[Advice]:
    """Two agents with the same task differ by what is said of them, if at all."""
    for (first, task), (second, other) in combinations(pairs(parts), 2):
        if task.pk != other.pk or not knows_language(first.role + second.role):
            continue
        told = [content_words(f"{a.description} {a.role}") for a in (first, second)]
        if likeness(*told) >= ALIKE:
            yield advice(
                WARNING,
                "agents_overlap",
                second,
                _(
                    "“%(other)s” has the same task and much the same words: say what "
                    "only this agent is for."
                )
                % {"other": first.name},
            )

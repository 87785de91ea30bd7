"""Advice on what a task needs, and on asking the person for it (S16)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from django.utils.translation import gettext as _

from teams.advice.base import HINT, WARNING, Advice, advice, pairs, tools_of
from teams.advice.wording import knows_language, speaks_of, words
from teams.models import Agent, Task, Tool
from teams.rules.drafts import TeamParts


def input_advice(parts: TeamParts) -> Iterator[Advice]:
    for agent, task in pairs(parts):
        needed = [name for tool in tools_of(agent, task) for name in required(tool)]
        yield from _needs(task, needed)
        yield from _asking(agent, task, needed=bool(needed))


def required(tool: Tool) -> list[str]:
    """The names of the arguments that a call of the tool must have."""
    # Finding the functions imports every app's agent_tools, which may import us.
    from teams.toolbox.registry import registered

    function = registered(tool.function) if tool.function else None
    schema = function.parameters if function else tool.parameters
    found = schema.get("required", []) if isinstance(schema, dict) else []
    return [name for name in found if isinstance(name, str)]


def _needs(task: Task, needed: list[str]) -> Iterator[Advice]:
    if not needed or not knows_language(task.instruction):
        return
    told = set(words(task.instruction))
    if not any(told & set(words(name)) for name in needed):
        yield advice(
            WARNING,
            "no_inputs",
            task,
            _(
                "Its tools need %(names)s, and the instruction names none of them: say "
                "what the request must hold."
            )
            % {"names": ", ".join(dict.fromkeys(needed))},
        )


def _asking(agent: Agent, task: Task, *, needed: bool) -> Iterator[Advice]:
    own = task.enable_human_tool
    may_ask = agent.enable_human_tool if own is None else own
    told = speaks_of("ask", task.instruction, agent.role)
    if may_ask and needed and not told:
        yield advice(
            HINT,
            "no_word_on_asking",
            task,
            _(
                "“%(agent)s” may ask the person, and nothing says when: name the case, "
                "such as a missing id."
            )
            % {"agent": agent.name},
        )
    if not may_ask and speaks_of("ask", task.instruction) and _english_ask(task):
        yield advice(
            WARNING,
            "asking_is_off",
            task,
            _(
                "The instruction speaks of asking, and “%(agent)s” may not ask the "
                "person in this task: allow it, or leave it out."
            )
            % {"agent": agent.name},
        )


def _english_ask(task: Task) -> bool:
    """Only where the text says so in so many words; a guess would nag."""
    told = words(task.instruction)
    return any(
        word == "ask" and following in ("the", "for", "them", "him", "her", "person")
        for word, following in pairwise(told)
    )

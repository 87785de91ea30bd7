"""Calls of other agents that are offered as tools: one a turn, in their thread."""

from __future__ import annotations

import json

from teams.providers.rehearsal.briefing import request_for
from teams.providers.rehearsal.errand import Errand
from teams.providers.rehearsal.matching import Choice
from teams.providers.rehearsal.moves import Call
from teams.providers.rehearsal.parsing import ASK, Prompt, Step
from teams.providers.rehearsal.results import outcome_of

_THREAD = "conversation_id"


def next_delegation(choice: Choice, prompt: Prompt, errand: Errand) -> Call | None:
    """The call of an agent, once a turn; once more if its thread cannot be continued.

    What follows up goes on in the thread that the agent named last.
    """
    name = choice.unit.name
    made = [step for step in prompt.turn.steps if step.name == name]
    if made and (len(made) > 1 or not _is_lost(made[0])):
        return None
    found = [
        (step.name, outcome_of(step.result))
        for step in prompt.turn.steps
        if step.name not in (ASK, name) and step.result is not None
    ]
    arguments = {"prompt": request_for(choice, errand, prompt, found)}
    thread = "" if made else _last_thread(name, prompt)
    return Call(name, {**arguments, _THREAD: thread} if thread else arguments)


def _is_lost(step: Step) -> bool:
    """Whether a call was refused because of the thread it named."""
    refused = _THREAD in (step.result or "") and not _thread_in(step)
    return bool(step.arguments.get(_THREAD)) and refused


def _last_thread(name: str, prompt: Prompt) -> str:
    for turn in (prompt.turn, *reversed(prompt.history)):
        for step in reversed(turn.steps):
            if step.name == name and (thread := _thread_in(step)):
                return thread
    return ""


def _thread_in(step: Step) -> str:
    try:
        result = json.loads(step.result or "")
    except ValueError:
        return ""
    thread = result.get(_THREAD) if isinstance(result, dict) else None
    return thread if isinstance(thread, str) else ""

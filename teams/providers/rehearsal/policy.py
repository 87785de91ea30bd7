"""What the rehearsal model does next: a pure function of the request and the day."""

from __future__ import annotations

from datetime import date
from typing import Any

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.clauses import clauses_of, split_request
from teams.providers.rehearsal.errand import by_instruction, errand_of, is_small_talk
from teams.providers.rehearsal.leading import lead
from teams.providers.rehearsal.moves import Move, Say
from teams.providers.rehearsal.parsing import DELEGATE, Prompt, parse
from teams.providers.rehearsal.reading import read
from teams.providers.rehearsal.units import tool_units, worker_units
from teams.providers.rehearsal.working import work


def next_move(body: Any, *, today: date) -> Move:
    """The next move for a chat-completions body. Raises BadRequest for another."""
    prompt = parse(body)
    with phrases.language_of(prompt.turn.user):
        return _move(prompt, today)


def _move(prompt: Prompt, today: date) -> Move:
    led = any(step.name == DELEGATE for step in prompt.turn.steps)
    if prompt.delegate or led:
        workers = worker_units(prompt)
        return lead(prompt, workers, errand_of(prompt, workers, today))
    if prompt.functions or prompt.turn.steps:
        tools = tool_units(prompt.functions)
        errand = by_instruction(prompt, tools, errand_of(prompt, tools, today))
        return work(prompt, tools, errand)
    return Say(_words_only(prompt, today))


def _words_only(prompt: Prompt, today: date) -> str:
    """The answer of an agent without tools: it passes on what it was given."""
    head, material = split_request(prompt.turn.user)
    if is_small_talk(head[:400]) or not head.strip():
        return phrases.introduction(head, [])
    if any(clause.sending for clause in clauses_of(read(head, today))):
        return phrases.no_tool(head.strip())
    if material:
        return material.strip()
    return phrases.passed_on(head.strip())

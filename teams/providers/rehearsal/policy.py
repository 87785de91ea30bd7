"""What the rehearsal model does next: a pure function of the request and the day."""

from __future__ import annotations

from datetime import date
from typing import Any

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.clauses import clauses_of, split_request
from teams.providers.rehearsal.composing import as_json
from teams.providers.rehearsal.errand import by_instruction, errand_of, is_small_talk
from teams.providers.rehearsal.handing import take_part
from teams.providers.rehearsal.leading import conclusion, lead
from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.parsing import ALONE, BUDGET, DELEGATE, Prompt, parse
from teams.providers.rehearsal.reading import read
from teams.providers.rehearsal.reporting import report
from teams.providers.rehearsal.units import tool_units, worker_units
from teams.providers.rehearsal.working import work


def next_move(body: Any, *, today: date) -> Move:
    """The next move for a chat-completions body. Raises BadRequest for another."""
    prompt = parse(body)
    with phrases.language_of(prompt.turn.user):
        return _move(prompt, today)


def _move(prompt: Prompt, today: date) -> Move:
    if prompt.turn.notice == BUDGET:
        move: Move = Say(_report_now(prompt, today))
    elif prompt.shared:
        move = take_part(prompt, today)
    else:
        move = _work(prompt, today)
    if isinstance(move, Call):
        return move
    if prompt.turn.notice == ALONE and prompt.turn.answer:
        move = Say(phrases.nothing_left())
    if prompt.schema is not None:
        return Say(as_json(prompt, prompt.schema, move.text, today))
    return move


def _work(prompt: Prompt, today: date) -> Move:
    led = any(step.name == DELEGATE for step in prompt.turn.steps)
    if prompt.delegate or led:
        workers = worker_units(prompt)
        return lead(prompt, workers, errand_of(prompt, workers, today))
    if not prompt.turn.steps and phrases.is_idle(prompt.turn.user):
        # A step of a fixed order has nothing to work on: no more than that is said.
        return Say(prompt.turn.user)
    if prompt.functions or prompt.turn.steps:
        tools = tool_units(prompt.functions)
        errand = by_instruction(prompt, tools, errand_of(prompt, tools, today))
        return work(prompt, tools, errand)
    return Say(_words_only(prompt, today))


def _report_now(prompt: Prompt, today: date) -> str:
    """What is known when a budget is used up; nothing more is called."""
    errand = errand_of(prompt, [], today)
    if any(step.name == DELEGATE for step in prompt.turn.steps):
        return conclusion(prompt, worker_units(prompt), errand)
    found = report(prompt, tool_units(prompt.functions), errand.reading)
    return found or phrases.unfinished(errand.text.strip())


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

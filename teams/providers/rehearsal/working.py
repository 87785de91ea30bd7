"""The part of an agent with tools: which call next, what to ask, and the answer."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import without_joining
from teams.providers.rehearsal.delegating import next_delegation
from teams.providers.rehearsal.errand import Errand, as_topic
from teams.providers.rehearsal.filling import Filled, fill
from teams.providers.rehearsal.matching import Choice, Unit
from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.parsing import ASK, Function, Prompt, Step
from teams.providers.rehearsal.reading import NOTHING, read
from teams.providers.rehearsal.reporting import report
from teams.providers.rehearsal.results import outcome_of
from teams.providers.rehearsal.schema import slots_of
from teams.providers.rehearsal.sources import Sources
from teams.providers.rehearsal.text import split_words
from teams.providers.rehearsal.writing import joined, plain_text, written

# Bounds of one turn: calls of all tools, and questions to the person.
MAX_CALLS, MAX_QUESTIONS = 20, 3

# An answer of more characters or words is meant to be one.
_SHORT, _FEW_WORDS = 80, 6

# A topic is one line above material; what is longer is text.
_TOPIC_LENGTH = 160


def work(prompt: Prompt, units: list[Unit], errand: Errand) -> Move:
    """Each useful tool once, in order; then the answer."""
    undone: list[str] = []
    if len(prompt.turn.steps) < MAX_CALLS:
        for choice in errand.choices:
            if _in_vain(choice, errand, prompt):
                wish = without_joining(errand.own(choice).text)
                undone.append(phrases.left_out(wish))
                continue
            move = _next_call(choice, prompt, units, errand)
            if isinstance(move, Call):
                return move
            if move:
                undone.append(move.text)
    undone += [
        phrases.no_tool(without_joining(errand.reading.text[c.start : c.end]))
        for c in errand.unmet
    ]
    found = report(prompt, units, errand.reading)
    if found or undone:
        return Say(joined([found, *undone]))
    lines = [(unit.title, unit.about) for unit in units]
    return Say(phrases.introduction(prompt.turn.user, lines))


def _in_vain(choice: Choice, errand: Errand, prompt: Prompt) -> bool:
    """Whether there is nothing to send, since all that was to be gathered failed."""
    if not (choice.sending and errand.gathering):
        return False
    steps = _steps_before(choice.unit.name, prompt)
    results = [outcome_of(s.result or "") for s in steps if s.name != ASK]
    return bool(results) and not any(outcome.ok for outcome in results)


def _next_call(
    choice: Choice, prompt: Prompt, units: list[Unit], errand: Errand
) -> Move | None:
    """A call that is still to be made for this tool, a question for what it lacks,
    words on why it cannot be made, or ``None`` when it is done."""
    function = next(f for f in prompt.functions if f.name == choice.unit.name)
    if function.is_agent:
        return next_delegation(choice, prompt, errand)
    filled = fill(function.parameters, _sources(choice, prompt, errand))
    if filled.missing:
        helping = _helper(filled, choice, prompt, units, errand)
        return helping or _ask(filled, function, prompt)
    made = [_key(s.name, s.arguments) for s in prompt.turn.steps]
    for arguments in (filled.arguments, *filled.others):
        if _key(function.name, arguments) not in made:
            return Call(function.name, arguments)
    return None


def _key(name: str, arguments: dict[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"


def _steps_before(name: str, prompt: Prompt) -> tuple[Step, ...]:
    """What happened in this turn before a tool's first call: its arguments come from
    there, so that its own results never make for another call."""
    steps = prompt.turn.steps
    first = next((i for i, s in enumerate(steps) if s.name == name), len(steps))
    return steps[:first]


def _sources(choice: Choice, prompt: Prompt, errand: Errand) -> Sources:
    steps = _steps_before(choice.unit.name, prompt)
    results = [outcome_of(s.result or "") for s in steps if s.name != ASK]
    answers = [s.result or "" for s in reversed(steps) if s.name == ASK]
    topic, text = _told(choice, prompt, errand, steps)
    if errand.material and not _takes_topic(choice, prompt):
        topic, text = "", plain_text(errand.material.strip())
    return Sources(
        own=errand.own(choice),
        whole=errand.reading,
        today=errand.today,
        material=read(errand.material, errand.today) if errand.material else NOTHING,
        answers=tuple(read(a, errand.today) for a in answers if not _gives_up(a)),
        history=errand.history,
        data=tuple(o.data for o in reversed(results) if o.ok and o.data is not None),
        speaks=choice.unit.sends,
        topic=topic,
        body=text,
        known=frozenset(choice.unit.weights),
    )


def _told(
    choice: Choice, prompt: Prompt, errand: Errand, steps: tuple[Step, ...]
) -> tuple[str, str]:
    """Topic and text of a message: material, results, or the last answer."""
    topic, text = _given(errand.material)
    good = [outcome_of(s.result or "") for s in steps if s.name != ASK]
    texts = [written(outcome) for outcome in good if outcome.ok]
    if texts and errand.refers_back(choice):
        topic = topic or errand.topic(choice)
        text = joined([text, *texts])
    if text:
        return topic, plain_text(text)
    last = prompt.last_work
    if choice.sending and not errand.gathering and last:
        return as_topic(last.user), plain_text(last.answer)
    return "", ""


def _takes_topic(choice: Choice, prompt: Prompt) -> bool:
    """Whether a tool has a place for the line above a text."""
    function = next(f for f in prompt.functions if f.name == choice.unit.name)
    slots = slots_of(function.parameters)
    return choice.unit.sends or any(s.kind == "subject" and s.required for s in slots)


def _given(material: str) -> tuple[str, str]:
    """The line above material, if there is one, and the material."""
    topic, blank, text = material.strip().partition("\n\n")
    if blank and len(topic) <= _TOPIC_LENGTH and "\n" not in topic:
        return topic, text.strip()
    return "", material.strip()


def _helper(
    filled: Filled, choice: Choice, prompt: Prompt, units: list[Unit], errand: Errand
) -> Call | None:
    """Another tool that looks up what is missing, if the request has all *it* needs."""
    wanted = {part for slot in filled.missing for part in slot.stems}
    called = {step.name for step in prompt.turn.steps}
    for unit, function in zip(units, prompt.functions, strict=True):
        known = unit is not choice.unit and unit.looks and unit.name not in called
        if not known or function.is_agent or not wanted & set(unit.weights):
            continue
        sources = _sources(Choice(unit, choice.spans), prompt, errand)
        helping = fill(function.parameters, sources)
        if helping.grounded and not helping.missing:
            return Call(unit.name, helping.arguments)
    return None


def _ask(filled: Filled, function: Function, prompt: Prompt) -> Move:
    asked = [s for s in prompt.turn.steps if s.name == ASK]
    answers = [s.result or "" for s in asked]
    if any(_gives_up(answer) for answer in answers):
        return Say(phrases.given_up())
    question = phrases.question(filled.missing)
    if any(s.arguments.get("question") == question for s in asked):
        question = phrases.question_again(answers[-1], filled.missing)
    again = any(s.arguments.get("question") == question for s in asked)
    if prompt.ask is None or again or len(asked) >= MAX_QUESTIONS:
        # In a shared conversation the answer comes as the next message.
        why = "" if prompt.shared else phrases.is_missing(filled.missing)
        return Say(f"{why} {question}".strip())
    return Call(ASK, {"question": question, **_choices(filled, prompt.ask)})


def _gives_up(answer: str) -> bool:
    """Whether an answer is none: "never mind", "I do not know"."""
    words = [word.folded for word in split_words(answer[:_SHORT])]
    unknown = set(words) & lists.KNOWING and set(words) & lists.NEGATION
    if len(words) > _FEW_WORDS:
        return False
    return bool(unknown or (len(words) <= 3 and set(words) & lists.GIVING_UP))


def _choices(filled: Filled, ask: Function) -> dict[str, list[str]]:
    """The values to choose from, where the question is for one of a few."""
    properties = ask.parameters.get("properties")
    if len(filled.missing) != 1 or not isinstance(properties, dict):
        return {}
    slot = filled.missing[0]
    values = [str(value) for value in slot.schema.get("enum") or slot.options]
    if slot.kind == "boolean":
        # Django's own word list has it in every language.
        values = gettext("yes,no,maybe").split(",")[:2]
    return {"choices": values} if values and "choices" in properties else {}

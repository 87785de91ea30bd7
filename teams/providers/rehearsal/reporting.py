"""The results of a turn's tool calls as an answer."""

from __future__ import annotations

from collections.abc import Iterator

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.clauses import wants_to_know
from teams.providers.rehearsal.matching import Unit
from teams.providers.rehearsal.parsing import ASK, DELEGATE, HANDOVER, Prompt, Step
from teams.providers.rehearsal.reading import Reading
from teams.providers.rehearsal.results import Outcome, outcome_of
from teams.providers.rehearsal.text import all_stems, spaced
from teams.providers.rehearsal.words import LOOKING
from teams.providers.rehearsal.writing import asked_fields, joined, title, written


def report(prompt: Prompt, units: list[Unit], request: Reading) -> str:
    """What came of each call, in order; "" when nothing was called."""
    titles = {unit.name: unit.title for unit in units}
    steps = [
        s
        for s in prompt.turn.steps
        if s.name not in (ASK, DELEGATE)
        and not s.name.startswith(HANDOVER)
        and s.result is not None
    ]
    seen: dict[str, None] = {}
    for step in steps:
        name = titles.get(step.name) or title(step.name)
        text = _told(step, name, request, several=len(steps) > 1)
        seen.setdefault(text)
    return joined(list(seen))


def _told(step: Step, name: str, request: Reading, *, several: bool) -> str:
    outcome = outcome_of(step.result or "")
    if outcome.state == "denied":
        return phrases.denied(name, outcome.text)
    if not outcome.ok:
        return phrases.failed(name, outcome.text, _given(step, outcome.text))
    if outcome.is_empty:
        return phrases.done(name)
    asked = all_stems(request.text) if wants_to_know(request.text) else frozenset()
    text = written(_narrowed(outcome, step, asked), asked=asked)
    heading = _heading(step, name, outcome, text, several=several)
    return f"{heading}\n\n{text}" if heading else text


def _given(step: Step, text: str) -> str:
    """The short arguments of a failed call that its message does not name."""
    return ", ".join(
        f"{spaced(key).lower()} {value}"
        for key, value in _telling(step).items()
        if value not in text
    )


def _narrowed(outcome: Outcome, step: Step, asked: frozenset[str]) -> Outcome:
    """Of a record, what is asked for and what says whose it is."""
    data = outcome.data
    given = {spaced(key).casefold() for key in step.arguments}
    fields_asked = {
        key for key in asked_fields(data, asked) if spaced(key).casefold() not in given
    }
    if not fields_asked:
        return outcome
    kept = given | {"name", "title", "id"}
    fields = {
        key: value
        for key, value in data.items()
        if key in fields_asked or spaced(key).casefold() in kept
    }
    return Outcome(outcome.state, outcome.text, fields)


def _heading(
    step: Step, name: str, outcome: Outcome, text: str, *, several: bool
) -> str:
    """What a result is about: where there are several, and above a bare list."""
    if not several and not isinstance(outcome.data, list):
        return ""
    words = name.split()
    if len(words) > 1 and words[0].casefold() in LOOKING:
        name = " ".join(words[1:])
    name = f"{name[:1].upper()}{name[1:]}"
    if f"**{name}** (" in text:
        return ""
    about = ", ".join(_unsaid(step, text))
    return f"**{name}** ({about})" if about else f"**{name}**"


def _unsaid(step: Step, text: str) -> Iterator[str]:
    """The short arguments that the result does not repeat."""
    for key, value in _telling(step).items():
        if value not in text:
            yield f"{spaced(key).lower()}: {value}"


def _telling(step: Step) -> dict[str, str]:
    """The short arguments; not what another agent was asked, or where."""
    if step.arguments.keys() <= {"prompt", "conversation_id"}:
        return {}
    return {
        key: value
        for key, value in step.arguments.items()
        if isinstance(value, str) and 0 < len(value) <= 40
    }

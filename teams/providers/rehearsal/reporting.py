"""The results of a turn's tool calls as an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.matching import Unit
from teams.providers.rehearsal.parsing import ASK, DELEGATE, Prompt, Step
from teams.providers.rehearsal.reading import Reading
from teams.providers.rehearsal.results import Outcome, outcome_of
from teams.providers.rehearsal.sources import all_stems
from teams.providers.rehearsal.text import spaced
from teams.providers.rehearsal.words import LOOKING
from teams.providers.rehearsal.writing import asked_fields, joined, title, written

_QUESTION = re.compile(
    r"[?？؟]|^\s*(?:what|which|when|who|whose|where|how|quel|quelle|wann|was|wer)\b"
    r"|什么|多少|哪|几|何|いくら|ما |متى|كم ",
    re.IGNORECASE,
)


def report(prompt: Prompt, units: list[Unit], request: Reading) -> str:
    """What came of each call, in order; "" when nothing was called."""
    titles = {unit.name: unit.title for unit in units}
    steps = [
        s
        for s in prompt.turn.steps
        if s.name not in (ASK, DELEGATE) and s.result is not None
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
    text = written(_narrowed(outcome, step, request), asked=all_stems(request.text))
    heading = _heading(step, name, outcome, text, several=several)
    return f"{heading}\n\n{text}" if heading else text


def _given(step: Step, text: str) -> str:
    """The short arguments of a failed call that its message does not name."""
    return ", ".join(
        f"{spaced(key).lower()} {value}"
        for key, value in step.arguments.items()
        if len(str(value)) <= 40 and str(value) not in text
    )


def _narrowed(outcome: Outcome, step: Step, request: Reading) -> Outcome:
    """Of a record, what a question asks for and what says whose it is."""
    data = outcome.data
    asked = asked_fields(data, all_stems(request.text))
    if not asked or not _QUESTION.search(request.text):
        return outcome
    kept = set(asked) | set(step.arguments) | {"name", "title", "id"}
    fields = {key: value for key, value in data.items() if key in kept}
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
    about = ", ".join(_unsaid(step, text))
    heading = f"**{name[:1].upper()}{name[1:]}**"
    return f"{heading} ({about})" if about else heading


def _unsaid(step: Step, text: str) -> Iterator[str]:
    """The short arguments that the result does not repeat."""
    for key, value in step.arguments.items():
        if _is_short(value) and str(value) not in text:
            yield f"{spaced(key).lower()}: {value}"


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 40

"""The supervisor's part: which worker next, with what request, and the one answer."""

from __future__ import annotations

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.briefing import request_for, sections
from teams.providers.rehearsal.clauses import without_joining
from teams.providers.rehearsal.errand import Errand
from teams.providers.rehearsal.matching import Choice, Unit
from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.parsing import DELEGATE, Prompt
from teams.providers.rehearsal.results import (
    Outcome,
    is_good,
    outcome_of,
    tells_bad_news,
)
from teams.providers.rehearsal.writing import joined


def lead(prompt: Prompt, units: list[Unit], errand: Errand) -> Move:
    done = {
        str(s.arguments.get("worker")) for s in prompt.turn.steps if s.name == DELEGATE
    }
    if prompt.delegate:
        for choice in errand.choices:
            if choice.unit.name in done or _in_vain(choice, errand, prompt):
                continue
            request = request_for(choice, errand, prompt, _results(prompt))
            return Call(DELEGATE, {"worker": choice.unit.name, "request": request})
    return Say(conclusion(prompt, units, errand))


def _results(prompt: Prompt) -> list[tuple[str, Outcome]]:
    """What each worker came back with, in order."""
    return [
        (str(step.arguments.get("worker")), outcome_of(step.result))
        for step in prompt.turn.steps
        if step.name == DELEGATE and step.result is not None
    ]


def _in_vain(choice: Choice, errand: Errand, prompt: Prompt) -> bool:
    """Whether there is nothing to send, since all that was to be gathered failed."""
    found = _results(prompt)
    waits = choice.sending and errand.gathering and found
    return bool(waits) and not any(is_good(outcome) for _label, outcome in found)


def conclusion(prompt: Prompt, units: list[Unit], errand: Errand) -> str:
    """The one answer made of what the workers came back with."""
    titles = {unit.name: unit.title for unit in units}
    found = _results(prompt)
    if not found:
        return joined([*_undone(errand, prompt), _introduction(prompt, units)])
    good = [
        (titles.get(label, label), _explained(titles.get(label, label), outcome))
        for label, outcome in found
        if outcome.ok
    ]
    bad = [_bad_news(titles.get(label, label), o) for label, o in found if not o.ok]
    return joined([sections(good) if good else "", *bad, *_undone(errand, prompt)])


def _explained(name: str, outcome: Outcome) -> str:
    """A worker that says it did not work has succeeded: the person is told so."""
    if outcome.is_empty:
        return phrases.done(name)
    if not tells_bad_news(outcome.text):
        return outcome.text
    return joined([phrases.came_to_nothing(name), outcome.text])


def _bad_news(name: str, outcome: Outcome) -> str:
    if outcome.state == "denied":
        return phrases.denied(name, outcome.text)
    return phrases.failed(name, outcome.text)


def _undone(errand: Errand, prompt: Prompt) -> list[str]:
    """What was asked for and could not be done, said plainly."""
    texts = [errand.reading.text[c.start : c.end] for c in errand.unmet]
    undone = [phrases.nobody_for(without_joining(text)) for text in texts]
    for choice in errand.choices:
        if _in_vain(choice, errand, prompt):
            wish = without_joining(errand.own(choice).text)
            undone.append(phrases.left_out(wish))
    return undone


def _introduction(prompt: Prompt, units: list[Unit]) -> str:
    return phrases.introduction(
        prompt.turn.user, [(unit.title, unit.about) for unit in units]
    )

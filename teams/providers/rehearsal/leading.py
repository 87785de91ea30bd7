"""The supervisor's part: which worker next, with what request, and the one answer."""

from __future__ import annotations

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import MATERIAL, without_joining
from teams.providers.rehearsal.errand import Errand, as_topic
from teams.providers.rehearsal.finders import alike
from teams.providers.rehearsal.matching import NAME, Choice, Unit
from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.parsing import DELEGATE, Prompt
from teams.providers.rehearsal.reading import Mention, Reading
from teams.providers.rehearsal.results import Outcome, outcome_of, tells_bad_news
from teams.providers.rehearsal.text import all_stems
from teams.providers.rehearsal.writing import joined

# What is handed on of earlier results, at most.
_HANDED_ON = 8000

# At most so many ids of earlier turns are put into a request.
_REMEMBERED_IDS = 3


def lead(prompt: Prompt, units: list[Unit], errand: Errand) -> Move:
    done = {
        str(s.arguments.get("worker")) for s in prompt.turn.steps if s.name == DELEGATE
    }
    if prompt.delegate:
        for choice in errand.choices:
            if choice.unit.name in done or _in_vain(choice, errand, prompt):
                continue
            request = _request(choice, errand, prompt)
            return Call(DELEGATE, {"worker": choice.unit.name, "request": request})
    return Say(_answer(prompt, units, errand))


def _results(prompt: Prompt) -> list[tuple[str, Outcome]]:
    """What each worker came back with, in order."""
    return [
        (str(step.arguments.get("worker")), outcome_of(step.result))
        for step in prompt.turn.steps
        if step.name == DELEGATE and step.result is not None
    ]


def _is_good(outcome: Outcome) -> bool:
    return outcome.ok and not tells_bad_news(outcome.text)


def _in_vain(choice: Choice, errand: Errand, prompt: Prompt) -> bool:
    """Whether there is nothing to send, since all that was to be gathered failed."""
    found = _results(prompt)
    waits = choice.sending and errand.gathering and found
    return bool(waits) and not any(_is_good(outcome) for _label, outcome in found)


def _request(choice: Choice, errand: Errand, prompt: Prompt) -> str:
    """A request that holds all the worker needs: it sees nothing else."""
    own = errand.own(choice)
    if errand.is_single:
        text = without_joining(errand.text)
        text = text[:1].upper() + text[1:]
    else:
        text = _sentence(own.text, errand.reading)
    material = _handed_on(choice, errand, prompt)
    if not material or not choice.sending:
        context = ", ".join(dict.fromkeys(_context(choice, own, errand)))
        text = _with_context(text, context)
    return f"{text}\n{MATERIAL}{material}" if material else text


def _sentence(text: str, whole: Reading) -> str:
    text = without_joining(" ".join(text.split()))
    first = text.split(" ", 1)[0].casefold()
    opening = whole.words[0] if whole.words else None
    if opening and first in lists.ARTICLES and opening.folded in lists.LOOKING:
        return f"{opening.raw} {text}"
    return text[:1].upper() + text[1:]


def _with_context(text: str, context: str) -> str:
    if not context:
        return text
    end = text[-1:] if text[-1:] in "?？؟" else "."
    return f"{text.rstrip(' .?？؟!')} ({context}){end}"


def _context(choice: Choice, own: Reading, errand: Errand) -> list[str]:
    """What the rest of the request, or an earlier turn, says that holds here too."""
    kinds = {mention.kind for mention in own.mentions}
    context = [
        mention.phrase
        for mention in errand.reading.mentions
        if mention.kind not in kinds and _is_shared(mention, choice, errand)
    ]
    if not errand.reading.of("id"):
        earlier = next((r.of("id") for r in errand.history if r.of("id")), [])
        fitting = [
            mention
            for mention in earlier
            if any(alike(mention.raw, example) for example in choice.unit.examples)
        ]
        remembered = (fitting or earlier)[:_REMEMBERED_IDS]
        context += [mention.phrase for mention in remembered]
    return context


def _is_shared(mention: Mention, choice: Choice, errand: Errand) -> bool:
    if mention.kind in ("id", "date", "period", "time"):
        return True
    if mention.kind == "number":
        counted = all_stems(mention.after)
        named = {
            part
            for other in errand.choices
            if other is not choice
            for part, weight in other.unit.weights.items()
            if weight >= NAME
        }
        return bool(mention.after) and not counted & named
    if mention.kind == "mail":
        return choice.sending
    return mention.kind in ("name", "quote") and bool(mention.before)


def _handed_on(choice: Choice, errand: Errand, prompt: Prompt) -> str:
    """Earlier results for a worker that needs them, under a line that names them."""
    found = [(label, o) for label, o in _results(prompt) if _is_good(o)]
    if errand.refers_back(choice) and found:
        titles = {c.unit.name: c.unit.title for c in errand.choices}
        texts = _sections([(titles.get(label, label), o.text) for label, o in found])
        return f"{errand.topic(choice)}\n\n{texts}"[:_HANDED_ON]
    last = prompt.last_work
    if choice.sending and not errand.gathering and last:
        return f"{as_topic(last.user)}\n\n{last.answer}"[:_HANDED_ON]
    return errand.material[:_HANDED_ON]


def _sections(texts: list[tuple[str, str]]) -> str:
    """The texts one after the other, each under its title if there are several."""
    if len(texts) == 1:
        return texts[0][1]
    return joined([f"### {title}\n\n{text}" for title, text in texts])


def _answer(prompt: Prompt, units: list[Unit], errand: Errand) -> str:
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
    return joined([_sections(good) if good else "", *bad, *_undone(errand, prompt)])


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

"""A subtask in words of its own, for a worker or a delegate that sees nothing else."""

from __future__ import annotations

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import MATERIAL, without_joining
from teams.providers.rehearsal.errand import Errand, as_topic
from teams.providers.rehearsal.matching import NAME, Choice
from teams.providers.rehearsal.parsing import Prompt
from teams.providers.rehearsal.reading import Mention, Reading
from teams.providers.rehearsal.results import Outcome, is_good
from teams.providers.rehearsal.text import alike, all_stems, stems
from teams.providers.rehearsal.writing import joined

# What is handed on of earlier results, at most.
_HANDED_ON = 8000

# At most so many ids of earlier turns are put into a request.
_REMEMBERED_IDS = 3

Results = list[tuple[str, Outcome]]


def request_for(choice: Choice, errand: Errand, prompt: Prompt, found: Results) -> str:
    """A request that holds all the receiver needs: it sees nothing else. ``found`` is
    what came back in this turn, each with the name of who found it."""
    own = errand.own(choice)
    if errand.is_single:
        text = without_joining(errand.text)
        text = text[:1].upper() + text[1:]
    else:
        text = _sentence(own.text, errand.reading)
    material = _handed_on(choice, errand, prompt, found)
    if not material or not choice.sending:
        context = ", ".join(dict.fromkeys(_context(choice, own, errand)))
        text = _with_context(text, context)
    return f"{text}\n{MATERIAL}{material}" if material else text


def _sentence(text: str, whole: Reading) -> str:
    text = without_joining(" ".join(text.split()))
    first = text.split(" ", 1)[0].casefold()
    opening = whole.words[0] if whole.words else None
    if opening and first in lists.ARTICLES and opening.folded in lists.LOOKING:
        verb = [word.raw for word in whole.words[:2] if word.folded != first]
        return f"{' '.join(verb if verb[1:] == ['up'] else verb[:1])} {text}"
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
        earlier = (
            [m for m in reading.of("id") if _is_wanted(m, choice)]
            for reading in errand.history
        )
        remembered = next((found for found in earlier if found), [])
        context += [mention.phrase for mention in remembered[:_REMEMBERED_IDS]]
    return context


def _is_wanted(mention: Mention, choice: Choice) -> bool:
    """Whether an id of an earlier turn may be for a unit: like those its texts show,
    else named by one of its words, if it has to do with ids at all."""
    unit = choice.unit
    if unit.examples:
        return any(alike(mention.raw, example) for example in unit.examples)
    naming = set(stems(mention.before))
    return unit.named and (not naming or bool(naming & unit.weights.keys()))


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


def _handed_on(choice: Choice, errand: Errand, prompt: Prompt, found: Results) -> str:
    """Earlier results for a worker that needs them, under a line that names them."""
    good = [(label, outcome) for label, outcome in found if is_good(outcome)]
    if errand.refers_back(choice) and good:
        titles = {c.unit.name: c.unit.title for c in errand.choices}
        texts = sections([(titles.get(label, label), o.text) for label, o in good])
        return f"{errand.topic(choice)}\n\n{texts}"[:_HANDED_ON]
    last = prompt.last_work
    if choice.sending and not errand.gathering and last:
        return f"{as_topic(last.user)}\n\n{last.answer}"[:_HANDED_ON]
    return errand.material[:_HANDED_ON]


def sections(texts: list[tuple[str, str]]) -> str:
    """The texts one after the other, each under its title if there are several."""
    if len(texts) == 1:
        return texts[0][1]
    return joined([f"### {title}\n\n{text}" for title, text in texts])

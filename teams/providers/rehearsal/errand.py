"""What a turn asks for: its words, and which workers or tools they call for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import (
    Clause,
    clauses_of,
    split_request,
    wants_to_know,
    without_joining,
)
from teams.providers.rehearsal.filling import fill
from teams.providers.rehearsal.following import (
    REMEMBERED,
    follow_up,
    is_circumstance,
    pointed,
)
from teams.providers.rehearsal.matching import Choice, Unit, best, choose
from teams.providers.rehearsal.parsing import ASK, Prompt, Turn
from teams.providers.rehearsal.reading import Reading, read, without_names
from teams.providers.rehearsal.sources import Sources
from teams.providers.rehearsal.text import alike, analysed, shape, split_words
from teams.providers.rehearsal.texts import is_long

_HAN_OPENING = re.compile(
    f"^(?:{'|'.join(sorted((w for w in lists.LOOKING if w > '一'), reverse=True))})"
)
_TO_ME = re.compile(r"\s+to (?:me|us|\S+@\S+)$", re.IGNORECASE)
_ADDRESS = re.compile(r"\s+\S+@\S+\s+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?;\n]\s|[。！？；]")


@dataclass(frozen=True, slots=True)
class Errand:
    """``choices`` in the order of need; ``unmet`` are wishes to send something that
    nobody can fulfil; ``text`` is the request uncut, ``material`` came with it."""

    text: str
    reading: Reading
    material: str
    choices: list[Choice]
    unmet: list[Clause]
    history: tuple[Reading, ...]
    today: date

    @property
    def gathering(self) -> list[Choice]:
        return [choice for choice in self.choices if not choice.sending]

    @property
    def is_single(self) -> bool:
        """Whether all of the request is for one unit."""
        return len(self.choices) == 1 and not self.unmet

    def own(self, choice: Choice) -> Reading:
        """The part of the request that speaks of a unit."""
        return self.reading if self.is_single else self.reading.part(choice.spans)

    def refers_back(self, choice: Choice) -> bool:
        """Whether a choice needs what others found: it sends, or says "it"."""
        if choice.sending:
            return True
        words = self.own(choice).words
        return choice is not self.choices[0] and any(
            word.folded in lists.POINTING for word in words
        )

    def topic(self, choice: Choice) -> str:
        """What was gathered before a choice, as a line: "Order A-17"."""
        before = takewhile(lambda other: other is not choice, self.choices)
        spans = [span for c in before if not c.sending for span in c.spans]
        if not spans:
            return ""
        text = self.reading.text
        whole = text[min(s for s, _ in spans) : max(e for _, e in spans)]
        if not _SENTENCE_END.search(whole.strip()):
            return as_topic(whole)
        return ", ".join(as_topic(text[start:end]) for start, end in sorted(spans))


def errand_of(prompt: Prompt, units: Sequence[Unit], today: date) -> Errand:
    # What others have just said of it is nearer than any earlier turn.
    heard = [read(text, today) for _name, text in reversed(prompt.turn.others)]
    history = (*heard, *_readings(prompt.history, today))
    head, material = split_request(prompt.turn.user)
    reading = pointed(read(head, today), history, today)
    head = reading.text if reading.text != analysed(head) else head
    lacking = _lacking(prompt, reading, history, today)
    choices, unmet = choose(clauses_of(reading), units, lacking)
    if (not choices and not unmet) or is_circumstance(reading):
        followed = follow_up(reading, prompt.history, units, today)
        if followed.adds_id:
            choices = choices or _by_example(reading, units)
        if followed.choices and (not choices or is_circumstance(reading)):
            reading, choices = followed.reading, followed.choices
            head = reading.text
    if not choices and not unmet:
        choices = _by_example(reading, units)
    if not choices and units and prompt.choice not in ("auto", "none"):
        forced = best(clauses_of(reading), units)
        choices = [Choice(forced, [(0, len(reading.text))])] if forced else []
    return Errand(head, reading, material, choices, unmet, history, today)


def by_instruction(prompt: Prompt, units: Sequence[Unit], errand: Errand) -> Errand:
    """A step of a fixed order gets the last step's text as its request: what to do
    with it stands in the agent's own instruction."""
    text = prompt.turn.user.strip()
    _role, _heading, task = prompt.system.partition("# Task\n")
    told = task.partition("\n# ")[0].strip()
    if not told or errand.unmet:
        return errand
    whole = [(0, len(errand.reading.text))]
    if not errand.choices and not is_long(text):
        return replace(errand, choices=_all_told(prompt, told, units, errand))
    if errand.choices:
        wishes = clauses_of(read(told.partition("\n")[0], errand.today))
        units = [choice.unit for choice in choose(wishes, units)[0]]
        if not _is_for_all(errand, units):
            return errand
        return replace(errand, choices=[Choice(unit, list(whole)) for unit in units])
    choices, _unmet = choose(clauses_of(read(told, errand.today)), units)
    choices = [Choice(c.unit, list(whole), c.sending) for c in choices]
    return replace(errand, choices=choices, material=errand.material or text)


def _all_told(
    prompt: Prompt, told: str, units: Sequence[Unit], errand: Errand
) -> list[Choice]:
    """What the instruction says to look up, where a short request names no more than
    what that needs: "the figures of last week"."""
    wishes = clauses_of(read(told.partition("\n")[0], errand.today))
    functions = {f.name: f for f in prompt.functions if not f.is_agent}
    sources = Sources(own=errand.reading, whole=errand.reading, today=errand.today)
    chosen = []
    for choice in choose(wishes, units)[0]:
        function = functions.get(choice.unit.name)
        if function is None or not choice.unit.looks:
            return []
        filled = fill(function.parameters, sources)
        if filled.missing or not filled.grounded:
            return []
        chosen.append(Choice(choice.unit, [(0, len(errand.reading.text))]))
    return chosen


def _is_for_all(errand: Errand, units: Sequence[Unit]) -> bool:
    """Whether a request speaks of a subject that all these only look at, and asks for
    none of them in particular: then the instruction says what is wanted."""
    chosen = {choice.unit.name for choice in errand.choices}
    if not chosen < {unit.name for unit in units} or wants_to_know(errand.text):
        return False
    words = {word for c in clauses_of(errand.reading) for word in c.stems}
    telling = {w for w in words if any(w in c.unit.weights for c in errand.choices)}
    return all(unit.looks and telling <= set(unit.weights) for unit in units)


def _readings(history: Sequence[Turn], today: date) -> Iterator[Reading]:
    """Earlier turns, newest first: what the person said, then what was answered."""
    for turn in reversed(history[-REMEMBERED:]):
        yield read(split_request(turn.user)[0], today)
        for step in reversed(turn.steps):
            if step.name == ASK and step.result:
                yield read(step.result, today)
        for _name, text in reversed(turn.others):
            yield read(text, today)
        yield without_names(read(turn.answer, today))


def _by_example(reading: Reading, units: Sequence[Unit]) -> list[Choice]:
    """An id alone speaks for the first unit whose texts show one like it: before
    those that change something."""
    known = sorted((u for u in units if not u.sends), key=lambda unit: unit.does)
    for fits in (alike, _has_form):
        for mention in reading.of("id"):
            for unit in known:
                if any(fits(mention.raw, example) for example in unit.examples):
                    return [Choice(unit, [(0, len(reading.text))])]
    return []


def _has_form(raw: str, example: str) -> bool:
    return shape(raw) == shape(example)


def _lacking(
    prompt: Prompt, reading: Reading, history: tuple[Reading, ...], today: date
) -> Callable[[Unit], int]:
    """How many values a tool needs that neither the request nor an earlier turn has:
    the same all through the turn."""
    functions = {f.name: f for f in prompt.functions if not f.is_agent}

    def count(unit: Unit) -> int:
        function = functions.get(unit.name)
        if function is None:
            return 0
        sources = Sources(own=reading, whole=reading, today=today, history=history)
        return len(fill(function.parameters, sources).missing)

    return count


def as_topic(text: str) -> str:
    """A request as a title: without its verb of looking up."""
    line = without_joining(" ".join(text.split())).rstrip(" .,;?？。؟")
    line = _ADDRESS.sub(" ", _TO_ME.sub("", line))
    words = split_words(line)
    dropped = [
        {"please", "bitte"},
        lists.LOOKING | lists.SENDING,
        {"up", "for", "me", "us", "moi", "mir"},
        {"the", "a", "an", "all", "le", "la"},
    ]
    for known in dropped:
        if len(words) > 1 and words[0].folded in known:
            words = words[1:]
    line = line[words[0].start :] if words else line
    line = _HAN_OPENING.sub("", line)
    return line[:1].upper() + line[1:]


def is_small_talk(text: str) -> bool:
    """Whether a text holds nothing but a greeting or thanks."""
    words = [word.folded for word in split_words(text)]
    known = lists.GREETING | lists.THANKS
    return bool(set(words) & known) and all(
        word in known or word in lists.STOP for word in words
    )

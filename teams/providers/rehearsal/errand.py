"""What a turn asks for: its words, and which workers or tools they call for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
from teams.providers.rehearsal.finders import alike, shape
from teams.providers.rehearsal.matching import Choice, Unit, best, choose
from teams.providers.rehearsal.parsing import ASK, Prompt, Turn
from teams.providers.rehearsal.periods import in_words, moved
from teams.providers.rehearsal.reading import Mention, Reading, read
from teams.providers.rehearsal.text import split_words, stems
from teams.providers.rehearsal.texts import is_long

_HAN_OPENING = re.compile(
    f"^(?:{'|'.join(sorted((w for w in lists.LOOKING if w > '一'), reverse=True))})"
)
_TO_ME = re.compile(r"\s+to (?:me|us|\S+@\S+)$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n]\s|[。！？；]")

_WHAT_ABOUT = re.compile(r"\s*(?:what|how) about\b|\s*was ist mit\b", re.IGNORECASE)

# A message of at most so many words may be short for the one before it.
_SHORT = 12

# How many earlier turns are looked at.
_REMEMBERED = 8


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
    reading = read(head, today)
    choices, unmet = choose(clauses_of(reading), units)
    if not choices and _may_follow(reading):
        carried = _carried(reading, prompt.history, units, today)
        if carried:
            reading, choices = carried
            head = reading.text
    if not choices:
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
    if not told or (not errand.choices and not is_long(text)):
        return errand
    whole = [(0, len(errand.reading.text))]
    if errand.choices:
        wishes = clauses_of(read(told.partition("\n")[0], errand.today))
        units = [choice.unit for choice in choose(wishes, units)[0]]
        if not _is_for_all(errand, units):
            return errand
        return replace(errand, choices=[Choice(unit, list(whole)) for unit in units])
    choices, _unmet = choose(clauses_of(read(told, errand.today)), units)
    choices = [Choice(c.unit, list(whole), c.sending) for c in choices]
    return replace(errand, choices=choices, material=errand.material or text)


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
    for turn in reversed(history[-_REMEMBERED:]):
        yield read(split_request(turn.user)[0], today)
        for step in reversed(turn.steps):
            if step.name == ASK and step.result:
                yield read(step.result, today)
        for _name, text in reversed(turn.others):
            yield read(text, today)
        yield read(turn.answer, today)


def _may_follow(reading: Reading) -> bool:
    """Whether a message may be short for the last one: "And A-18?"."""
    known = lists.GREETING | lists.THANKS
    if any(word.folded in known for word in reading.words):
        return False
    joins = bool(reading.words) and reading.words[0].folded in lists.JOINING
    telling = {"id", "mail", "date", "period", "name"}
    if len(reading.words) == 1:
        telling.add("number")
    asks = not joins and wants_to_know(reading.text)
    if asks and not _WHAT_ABOUT.match(reading.text):
        telling.remove("name")
    told = any(mention.kind in telling for mention in reading.mentions)
    # A whole question of its own is not short for another.
    told = told and not (asks and _speaks_of_more(reading))
    return len(reading.words) <= _SHORT and (told or joins)


def _speaks_of_more(reading: Reading) -> bool:
    """Whether there is a subject beside what is mentioned."""
    mentioned = {
        word for m in reading.mentions for word in stems(f"{m.before} {m.raw}")
    }
    return bool(set(stems(reading.text)) - mentioned)


def _carried(
    reading: Reading, history: Sequence[Turn], units: Sequence[Unit], today: date
) -> tuple[Reading, list[Choice]] | None:
    """The last request that called for something, with what is new put in its place.
    Nothing is sent again because of it."""
    followed = [reading]
    for turn in reversed(history[-_REMEMBERED:]):
        earlier = renewed = read(split_request(turn.user)[0], today)
        for later in reversed(followed):
            renewed = read(_renewed(renewed, later, today), today)
        clauses = [clause for clause in clauses_of(renewed) if not clause.sending]
        choices, _unmet = choose(clauses, units)
        if choices:
            return renewed, choices
        if _may_follow(earlier):
            followed.append(earlier)
    return None


def _by_example(reading: Reading, units: Sequence[Unit]) -> list[Choice]:
    """An id alone speaks for the first unit whose texts show one like it."""
    for mention in reading.of("id"):
        for unit in units:
            if not unit.sends and any(alike(mention.raw, e) for e in unit.examples):
                return [Choice(unit, [(0, len(reading.text))])]
    return []


def _renewed(earlier: Reading, reading: Reading, today: date) -> str:
    text = earlier.text
    added = []
    gone: list[Mention] = []
    for mention in reading.mentions:
        old = next(
            (m for m in earlier.mentions if m not in gone and _same_kind(m, mention)),
            None,
        )
        if old is None:
            added.append(mention.phrase)
        else:
            gone.append(old)
            text = text.replace(old.raw, _instead(old, mention, today))
    return f"{text.rstrip(' .')} ({', '.join(added)})" if added else text


def _instead(old: Mention, new: Mention, today: date) -> str:
    """What to say for the old one: "the week before" counts from it."""
    value = moved(new.raw, str(old.value)) if new.kind == "period" else ""
    return in_words(value, today) if value else new.raw


def _same_kind(old: Mention, new: Mention) -> bool:
    if {old.kind, new.kind} == {"date", "period"}:
        return True
    same = old.kind == new.kind
    return same and (old.kind != "id" or shape(old.raw) == shape(new.raw))


def as_topic(text: str) -> str:
    """A request as a title: without its verb of looking up."""
    line = without_joining(" ".join(text.split())).rstrip(" .,;?？。؟")
    line = _TO_ME.sub("", line)
    words = split_words(line)
    dropped = [
        lists.LOOKING | lists.SENDING,
        {"me", "us", "moi", "mir"},
        {"the", "a", "all", "le", "la"},
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

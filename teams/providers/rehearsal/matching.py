"""Which of the offered workers or tools a request needs, by its words.

Each is known by its words, weighed by where they stand: name, description,
parameters, instruction. A word that many share says little about any of them.
Within a clause the best one explains its words; another is needed too only if what
is left speaks clearly for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import Clause, opens_doing
from teams.providers.rehearsal.text import (
    DOING_STEMS,
    ENDING_STEMS,
    SEND,
    SENDING_VERBS,
    TIME_STEMS,
    alike,
    is_sending,
    split_words,
    stem,
    stems,
)

# The weights of the places a word may stand in.
NAME, DESCRIPTION, PARAMETER, INSTRUCTION = 3.0, 1.5, 1.0, 0.8

# What a clause must score for the first that takes it, and for one more.
FIRST, FURTHER = 0.45, 1.4

# A pair of characters says less than a word; one that sends is not one that knows.
_PAIR, _TIME_UNIT = 0.6, 0.4
_SENDER_ASKED_TO_READ, _DOER_ASKED_TO_LOOK = 0.5, 0.7

# Of what follows "about" or "in" less speaks for one more unit.
_ASIDE = 0.4

# An id like those that a unit's texts show, shared among the units that do.
_EXAMPLE = 1.0

# One that has all it needs is better than one so far ahead that lacks something.
_NEARLY = 0.7

# "Hall North leaks": the word before a name says what the name is, not what to do.
_INTRODUCING = 0.4

# "A delivered parcel": what has happened to a thing is not what a tool does.
_PARTICIPLE = re.compile(r"\b[a-z]{3,}ed\b", re.IGNORECASE)

# Verbs in several words of getting a figure from what is there.
_RECKONING = re.compile(
    r"\s*(?:adds? up|sums?(?: up)?|totals?|calculates?|computes?|works? out)\b",
    re.IGNORECASE,
)

# A description may begin with these: they name what comes back.
_TELLING = frozenset({"tell", "tells", "return", "returns", "give", "gives"})

# Among so many words of a description its verbs are looked for.
_OPENING = 4

_SENTENCES = re.compile(r"[.!?;\n。！？；؛]+\s*")
_PARTS = re.compile(r"[,:，、：،]+\s*")
# "Leave this and that to others."
_OTHERS = re.compile(r"\bto others\b|\baux autres\b|\banderen\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unit:
    """A worker or tool that may be chosen. ``name`` is what a call names, ``about``
    what a person reads; ``does``: it changes something; ``examples`` are ids its texts
    show, ``named``: they speak of ids at all."""

    name: str
    title: str
    about: str
    weights: dict[str, float]
    sends: bool
    looks: bool
    does: bool = False
    examples: tuple[str, ...] = ()
    named: bool = True


@dataclass(slots=True)
class Choice:
    """A chosen unit with the places of the request that speak of it."""

    unit: Unit
    spans: list[tuple[int, int]] = field(default_factory=list)
    sending: bool = False


def weigh(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The words of texts, each with the weight of the best place it stands in.
    What a text says *not* to do is left out."""
    weights: dict[str, float] = {}
    for text, weight in parts:
        for found in stems("\n".join(_affirmed(text))):
            weights[found] = max(weights.get(found, 0), weight)
            if is_sending(found):
                weights[SEND] = max(weights.get(SEND, 0), weight)
    return weights


def _affirmed(text: str) -> Iterator[str]:
    for sentence in _SENTENCES.split(text):
        if not _OTHERS.search(sentence) and not _is_negated(sentence):
            yield from (p for p in _PARTS.split(sentence) if not _is_negated(p))


def _is_negated(part: str) -> bool:
    first = split_words(part)[:3]
    if any(word.folded in lists.NEGATION for word in first):
        return True
    return part.lstrip()[:3].startswith(lists.NEGATION_SIGNS)


def is_sender(title: str, about: str) -> bool:
    """Whether its name, or a verb early in its description, is of sending."""
    opening = stems(_PARTICIPLE.sub("", about))[:_OPENING]
    if any(is_sending(found) for found in (*stems(title), *opening[:1])):
        return True
    return any(found in SENDING_VERBS for found in opening)


def is_looker(title: str, about: str) -> bool:
    """Whether its name or its description begins with a verb of looking up, or its
    description with a question word."""
    told = split_words(about)[:1]
    asks = any(w.folded in lists.ASKING or w.folded in _TELLING for w in told)
    return asks or any(_opens_looking(text) for text in (title, about))


def is_doer(title: str, about: str) -> bool:
    """Whether its name or its description begins with a verb of changing something."""
    return opens_doing(title) or opens_doing(about)


def _opens_looking(text: str) -> bool:
    if _RECKONING.match(text):
        return True
    words = split_words(text)
    first = words[0].folded if words else ""
    if first in lists.LOOKING or stem(first) in lists.LOOKING:
        return True
    return any(first.startswith(verb) for verb in lists.LOOKING if verb > "一")


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be chosen from. ``lacking`` says how many of the values that a unit
    needs are not there; it is asked only where two fit nearly as well."""

    units: Sequence[Unit]
    totals: dict[str, float]
    lacking: Callable[[Unit], int]


def choose(
    clauses: Sequence[Clause],
    units: Sequence[Unit],
    lacking: Callable[[Unit], int] = lambda unit: 0,
) -> tuple[list[Choice], list[Clause]]:
    """The units a request needs, senders last, else in the order of the request;
    and the wishes to send something, or to end it, that nobody can fulfil.

    Any other clause that speaks of no unit belongs to the one before it.
    """
    offer = Offer(units, _totals(units), lacking)
    chosen: dict[str, Choice] = {}
    waiting: list[Clause] = []
    unmet: list[Clause] = []
    last: Choice | None = None
    for clause in clauses:
        if clause.ending and not any(_ends(unit) for unit in units):
            unmet.append(clause)
            continue
        found = _takers(clause, offer, chosen)
        for unit in found:
            choice = chosen.setdefault(unit.name, Choice(unit))
            choice.spans += [(c.start, c.end) for c in (*waiting, clause)]
            choice.sending |= clause.sending and unit.sends
            last, waiting = choice, []
        if not found and clause.sending:
            unmet.append(clause)
        elif not found and last:
            last.spans.append((clause.start, clause.end))
        elif not found:
            waiting.append(clause)
    return sorted(chosen.values(), key=lambda choice: choice.sending), unmet


def _ends(unit: Unit) -> bool:
    return not ENDING_STEMS.isdisjoint(unit.weights)


def best(clauses: Sequence[Clause], units: Sequence[Unit]) -> Unit | None:
    """The unit with the most evidence, however little; the first if there is none."""
    totals = _totals(units)
    found = {stem: 1.0 for clause in clauses for stem in clause.stems}
    return max(units, key=lambda unit: _score(unit, found, totals), default=None)


def _totals(units: Sequence[Unit]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for unit in units:
        for found, weight in unit.weights.items():
            totals[found] = totals.get(found, 0) + weight
    return totals


def _takers(clause: Clause, offer: Offer, chosen: dict[str, Choice]) -> list[Unit]:
    left = {found: _factor(found, clause) for found in clause.stems}
    if clause.sending:
        left[SEND] = 1.0
    takers: list[Unit] = []
    shown = _shown(clause, offer.units)
    while (left or shown) and offer.units and len(takers) < len(offer.units):
        scores = {
            unit.name: _score(unit, _its(left, unit, clause), offer.totals)
            * _aptness(unit, clause, offer.units)
            + shown.get(unit.name, 0)
            for unit in offer.units
        }
        unit = _leading(clause, offer, scores, chosen)
        if scores[unit.name] < (FURTHER if takers else FIRST):
            break
        takers.append(unit)
        shown = {}
        left = {
            found: factor if factor < 1 or found not in clause.aside else _ASIDE
            for found, factor in left.items()
            if found not in unit.weights or _is_not_its(found, unit, clause)
        }
    return takers


def _shown(clause: Clause, units: Sequence[Unit]) -> dict[str, float]:
    """What the ids of a clause say for the units whose texts show ids like them; an
    id alone may be short for an earlier request."""
    if not clause.stems:
        return {}
    found = [
        unit.name
        for unit in units
        if any(alike(raw, example) for raw in clause.ids for example in unit.examples)
    ]
    return {name: _EXAMPLE / len(found) for name in found}


def _is_not_its(found: str, unit: Unit, clause: Clause) -> bool:
    """Words of sending, where something is to be sent, speak for senders only."""
    sends = found == SEND or is_sending(found)
    return sends and clause.sending and not unit.sends


def _its(left: dict[str, float], unit: Unit, clause: Clause) -> dict[str, float]:
    if unit.sends or not clause.sending:
        return left
    return {f: factor for f, factor in left.items() if not _is_not_its(f, unit, clause)}


def _aptness(unit: Unit, clause: Clause, units: Sequence[Unit]) -> float:
    """Less than one for what sends or acts, where nothing is to be sent or done."""
    if unit.sends and not clause.sending:
        return _SENDER_ASKED_TO_READ
    acts = not unit.looks and any(other.looks for other in units)
    return _DOER_ASKED_TO_LOOK if acts and clause.looking else 1.0


def _leading(
    clause: Clause, offer: Offer, scores: dict[str, float], chosen: dict[str, Choice]
) -> Unit:
    """The best one; of two that are nearly as good, the one already at work, else the
    one that lacks less of what it needs, else the one that changes nothing."""
    leading = max(offer.units, key=lambda unit: scores[unit.name])
    for unit in offer.units:
        if unit.name in chosen and scores[unit.name] >= 0.9 * scores[leading.name]:
            return unit
    if scores[leading.name] < FIRST or _is_told(leading, clause):
        return leading
    near = [u for u in offer.units if scores[u.name] >= _NEARLY * scores[leading.name]]
    if len(near) == 1:
        return leading
    return min(near, key=lambda u: (offer.lacking(u), u.does, -scores[u.name]))


def _is_told(unit: Unit, clause: Clause) -> bool:
    """Whether a clause tells to do what a unit is named after."""
    return any(
        found in DOING_STEMS and unit.weights.get(found, 0) >= NAME
        for found in clause.stems
    )


def _factor(found: str, clause: Clause) -> float:
    if found in clause.introducing:
        return _INTRODUCING
    if found in TIME_STEMS:
        return _TIME_UNIT
    return _PAIR if len(found) <= 2 and not found.isascii() else 1.0


def _score(unit: Unit, found: dict[str, float], totals: dict[str, float]) -> float:
    score = 0.0
    for part, factor in found.items():
        if weight := unit.weights.get(part):
            score += factor * weight * sqrt(weight / totals[part])
    return score

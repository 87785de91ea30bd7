"""Values of a list that a slot is chosen from, found in a text by their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from teams.providers.rehearsal.clauses import ADDED
from teams.providers.rehearsal.days import as_spans, find_span
from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.reading import Mention, Reading
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.sides import fits_side, side_of
from teams.providers.rehearsal.sources import Hit, Search
from teams.providers.rehearsal.text import spaced, stem, stems

# What stands between the values of a list: "and a".
_LISTING = re.compile(
    r"s?\s*(?:[,&、和与と]|(?:, )?(?:and|plus|et|und|y|و))\s*(?:an?|une?|eine?n?)?\s*",
    re.IGNORECASE,
)

# So much of a text before a word says from where or where to.
_LEAD = 16


def find_option(slot: Slot, search: Search) -> list[Hit]:
    values = slot.schema["enum"]
    words = tuple(value for value in values if isinstance(value, str))
    spans = as_spans(words, search.sources.today)
    if len(spans) * 2 > len(values):
        return find_span(slot, search, spans)
    for reading in search.sources.said:
        if hits := _hits(slot, reading, values, search):
            return hits
    if not search.strong and slot.required and len(values) == 1:
        return [Hit(values[0])]
    return []


def _hits(
    slot: Slot, reading: Reading, values: Sequence[Any], search: Search
) -> list[Hit]:
    """What a text says of the values. A slot for where something comes from or goes
    to takes the one that is said to, before it takes any."""
    said = [
        mention
        for mention in (_said(reading, values) or _hinted(reading, values))
        if mention not in search.taken.mentions
    ]
    if side_of(slot) and search.strong:
        said = [mention for mention in said if fits_side(slot, mention.lead)]
    added = ADDED.search(reading.base)
    last = [m for m in said if added and m.start > added.start()]
    return [Hit(mention.value, mention) for mention in last or said]


def _said(reading: Reading, values: Sequence[Any]) -> list[Mention]:
    """Where values stand in a text, in order; of one inside another the longer."""
    found: list[Mention] = []
    texts = [value for value in values if isinstance(value, str) and value]
    for value in sorted(texts, key=len, reverse=True):
        for start, end in _places(reading, value):
            if all(end <= m.start or start >= m.end for m in found):
                found.append(_mention(reading, value, start, end))
    return sorted(found, key=lambda mention: mention.start)


def _mention(reading: Reading, value: Any, start: int, end: int) -> Mention:
    lead = reading.base[max(0, start - _LEAD) : start].lower()
    return Mention("option", value, start, end, reading.base[start:end], lead)


def _places(reading: Reading, value: str) -> Iterator[tuple[int, int]]:
    if not value.isascii():
        sign = re.escape(fold(value))
        yield from ((m.start(), m.end()) for m in re.finditer(sign, fold(reading.base)))
        return
    wanted = [stem(part) or part for part in fold(spaced(value)).split()]
    known = [(w.stem or w.folded, w) for w in reading.words]
    rest = set(wanted[1:])
    if not wanted or not rest <= {name for name, _word in known}:
        return
    for name, word in known:
        if name == wanted[0]:
            yield word.start, word.end


def _hinted(reading: Reading, values: Sequence[Any]) -> list[Mention]:
    """The values of which one word that no other value has is said."""
    words = {v: set(stems(spaced(v))) for v in values if isinstance(v, str)}
    found = []
    for value, own in words.items():
        others = set().union(*(w for v, w in words.items() if v != value))
        for word in reading.words:
            if word.stem in own - others:
                found.append(_mention(reading, value, word.start, word.end))
                break
    return found


def listed_after(
    hits: Sequence[Hit], own: Reading
) -> Iterator[tuple[Hit, int | float | None]]:
    """The values that a text lists after the first, each with the number before it."""
    for last, hit in pairwise(hits):
        if last.mention is None or hit.mention is None:
            return
        start, end = last.mention.end, hit.mention.start
        numbers = [m for m in own.of("number") if start <= m.start and m.end <= end]
        between = own.base[start:end]
        for number in numbers:
            between = between.replace(number.raw, " ")
        if len(numbers) > 1 or not _LISTING.fullmatch(between):
            return
        yield hit, _value(numbers)


def _value(numbers: Sequence[Mention]) -> int | float | None:
    value = numbers[0].value if numbers else None
    return None if isinstance(value, str) else value

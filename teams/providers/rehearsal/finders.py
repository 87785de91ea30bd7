"""Values in the sources that fit a slot, by its kind.

Each finder is asked twice: first for values the text itself ties to the slot
(``strong``: "order A-17", "12 people"), once all slots had their turn for those
that merely fit it. All hits of an answer are of equal rank, the first is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import re2

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import is_doing
from teams.providers.rehearsal.days import find_date, find_datetime, find_time
from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.options import find_option
from teams.providers.rehearsal.reading import Mention, Reading
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.sources import Hit, Search, Taken, in_data
from teams.providers.rehearsal.text import (
    TIME_STEMS,
    alike,
    all_stems,
    shape,
    stem,
    stems,
)

_ME = re.compile(
    r"(?<![\w])(?:me|myself|moi|mir|mich|mí|لي|إلي)(?!\w)|我|私|自分", re.IGNORECASE
)
_SINGLE = re.compile(
    r"\b(?:last|latest|newest|most recent|derni[eè]re?|letzten?)\s+(\w+)", re.IGNORECASE
)

_NEGATIVE = re.compile(r"\bnegative (?:to|for|means?|when) (\w+)", re.IGNORECASE)

_JOINED = re.compile(r"\s*(?:[,&、和与と]|(?:, )?(?:and|or|et|und|y|o|و))\s*")

# Characters that stand in the names of any number.
_UNTELLING = frozenset("数量个個的号番请先")

# A number of so many digits may be an id by itself.
_LONG_NUMBER = 3


def find(slot: Slot, search: Search) -> list[Hit]:
    finder = _FINDERS.get(slot.kind)
    return finder(slot, search) if finder else []


def _const(slot: Slot, _search: Search) -> list[Hit]:
    return [Hit(slot.schema["const"])]


def _boolean(slot: Slot, search: Search) -> list[Hit]:
    if not search.strong:
        return []
    named = slot.stems - {"is", "has", "with", "includ", "want", "need"}
    for reading in search.sources.asked:
        before: list[str] = []
        for word in reading.words:
            if (word.stem or word.folded) in named:
                return [Hit(not lists.NEGATION & set(before[-3:]))]
            before.append(word.folded)
    return []


def _id(slot: Slot, search: Search) -> list[Hit]:
    for reading in search.sources.near:
        if hits := _ids_of(slot, reading, search):
            return hits
    found = next(in_data(slot, search.sources.data), None) if search.strong else None
    if found is not None:
        return [Hit(found)]
    if search.strong and any(
        _ids_of(slot, reading, replace(search, strong=False))
        for reading in search.sources.near
    ):
        # What merely fits, but was said now, goes before what was said earlier.
        return []
    for reading in search.sources.history:
        if hits := _ids_of(slot, reading, search):
            return hits[:1]
    return []


def _ids_of(slot: Slot, reading: Reading, search: Search) -> list[Hit]:
    hits: list[Hit] = []
    for mention in search.taken.free(reading, "id", "number"):
        last = hits[-1].mention if hits else None
        listed = last and _JOINED.fullmatch(reading.base[last.end : mention.start])
        same = last and last.kind == mention.kind and listed
        if same or _fits_id(slot, mention, strong=search.strong):
            value = _as_id(slot, mention)
            if value is not None and all(hit.value != value for hit in hits):
                hits.append(Hit(value, mention))
    return hits


def _fits_id(slot: Slot, mention: Mention, *, strong: bool) -> bool:
    pattern = slot.schema.get("pattern")
    if pattern:
        return matches(pattern, str(_as_id(slot, mention)))
    introduced = bool(all_stems(mention.before) & _naming(slot))
    if mention.kind == "number":
        bare = slot.required and not slot.examples and not mention.before
        long = mention.raw.isdecimal() and len(mention.raw) >= _LONG_NUMBER
        return introduced if strong else bare and long
    if strong:
        return introduced or any(alike(mention.raw, e) for e in slot.examples)
    if not slot.required or not slot.examples:
        return slot.required
    named_otherwise = slot.stems and mention.before and not introduced
    formed = any(shape(mention.raw) == shape(example) for example in slot.examples)
    return formed and not named_otherwise


def _naming(slot: Slot) -> frozenset[str]:
    """The words that introduce an id: of its name, and of a description in another
    script."""
    return slot.stems.union(word for word in slot.hints if not word.isascii())


def _as_id(slot: Slot, mention: Mention) -> str | int | None:
    raw = mention.raw.lstrip("#")
    if slot.schema.get("type") in ("integer", "number"):
        named = all_stems(mention.before) & slot.stems
        if not named and any(c.isalpha() for c in raw):
            return None
        digits = re.sub(r"\D", "", raw)
        return int(digits) if digits else None
    if slot.examples and slot.examples[0].isupper():
        return raw.upper()
    return raw


def matches(pattern: Any, text: str) -> bool:
    """Whether a schema's pattern is found; one that is no pattern hinders nothing."""
    compiled = _compiled(pattern) if isinstance(pattern, str) else None
    return compiled is None or compiled.search(text) is not None


@lru_cache(maxsize=128)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None


def _number(slot: Slot, search: Search) -> list[Hit]:
    sources = search.sources
    if not search.strong and not (slot.required or slot.is_limit or slot.is_quantity):
        return []
    # A limit counts what its own part of the request speaks of.
    wide = search.strong or not slot.is_limit
    readings = sources.said if wide else sources.asked
    if not search.strong and slot.is_quantity and not slot.required:
        readings = (sources.own,)
    for reading in readings:
        for mention in search.taken.free(reading, "number"):
            if _counts(slot, mention) if search.strong else _may_count(slot, mention):
                return _number_hit(slot, mention, sources.own)
    return [Hit(1)] if search.strong and _asks_single(slot, sources.own) else []


def _counts(slot: Slot, mention: Mention) -> bool:
    after, before = all_stems(mention.after), all_stems(mention.before)
    named = slot.stems | slot.hints
    if after & named or before & slot.stems:
        return True
    # 6个人 for 人数: what is counted is a character of the name.
    signs = {sign for sign in slot.name + slot.description if sign > "\u3400"}
    return bool(signs - _UNTELLING & set(mention.after[:2]))


def _may_count(slot: Slot, mention: Mention) -> bool:
    if slot.is_limit:
        return not mention.before
    if slot.required:
        return True
    # "Order 40": a verb is no name of the number.
    told = not mention.before or is_doing(fold(mention.before))
    return told and bool(mention.after) and not all_stems(mention.after) & TIME_STEMS


def _is_taken_away(slot: Slot, own: Reading) -> bool:
    """Whether the request has the verb for which a description wants a minus:
    "negative to remove"."""
    match = _NEGATIVE.search(slot.description)
    return bool(match and stem(fold(match[1])) in stems(own.text))


def _number_hit(slot: Slot, mention: Mention, own: Reading) -> list[Hit]:
    value = float(mention.value) if "." in str(mention.value) else int(mention.value)
    if slot.schema.get("type") == "integer":
        value = int(value)
    if value > 0 and _is_taken_away(slot, own):
        value = -value
    if slot.is_limit:
        lowest, highest = slot.schema.get("minimum"), slot.schema.get("maximum")
        value = max(value, lowest) if isinstance(lowest, int) else value
        value = min(value, highest) if isinstance(highest, int) else value
    return [Hit(value, mention)]


def _asks_single(slot: Slot, reading: Reading) -> bool:
    """Whether one is wanted of what a limit counts: "the last order"."""
    match = _SINGLE.search(reading.text) if slot.is_limit else None
    if match is None or match[1].endswith("s"):
        return False
    return bool(all_stems(match[1]) & slot.hints)


def _mail(slot: Slot, search: Search) -> list[Hit]:
    # Never from material: an address in a result is not one to write to.
    for reading in search.sources.said:
        for mention in search.taken.free(reading, "mail"):
            if not search.strong or fold(slot.name) in mention.lead.split():
                return [Hit(mention.value, mention)]
    knows_me = re.search(r"\bme\b", f"{slot.description} {slot.schema.get('default')}")
    if not search.strong and knows_me and _ME.search(search.sources.own.text):
        return [Hit("me")]
    if search.strong or slot.schema.get("format") == "email" or "mail" in slot.hints:
        return []
    return free(search.sources.asked, search.taken, "name")[:1]


def _link(_slot: Slot, search: Search) -> list[Hit]:
    sources = search.sources
    return free((*sources.near, *sources.history), search.taken, "link")[:1]


def free(readings: Iterable[Reading], taken: Taken, *kinds: str) -> list[Hit]:
    return [
        Hit(mention.value, mention)
        for reading in readings
        for mention in taken.free(reading, *kinds)
    ]


_FINDERS: dict[str, Callable[[Slot, Search], list[Hit]]] = {
    "const": _const,
    "enum": find_option,
    "boolean": _boolean,
    "id": _id,
    "number": _number,
    "date": find_date,
    "time": find_time,
    "datetime": find_datetime,
    "mail": _mail,
    "link": _link,
}

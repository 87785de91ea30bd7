"""A tool's arguments, filled from what the conversation says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.days import close_range
from teams.providers.rehearsal.finders import find, matches
from teams.providers.rehearsal.options import listed_after
from teams.providers.rehearsal.schema import Slot, make_slot, resolved, slots_of
from teams.providers.rehearsal.sources import Hit, Search, Sources, Taken
from teams.providers.rehearsal.text import split_words
from teams.providers.rehearsal.texts import find_text, shortened

_TEXT_KINDS = ("text", "name", "query", "subject", "body")

# A person's answer that is longer than this is no id and no name.
_SHORT_ANSWER = 60


@dataclass(slots=True)
class Filled:
    """``missing`` are required slots nothing was found for; ``others`` are further
    sets of arguments where the request names several ids; ``grounded`` says that
    at least one value was in the request itself."""

    arguments: dict[str, Any]
    missing: list[Slot]
    others: list[dict[str, Any]] = field(default_factory=list)
    grounded: bool = False


def fill(parameters: Mapping[str, Any], sources: Sources) -> Filled:
    slots = slots_of(parameters)
    taken = Taken()
    found = _search(slots, sources, taken)
    if not found and not any(slot.required for slot in slots):
        found = _anything(slots, sources)
    close_range(slots, found, sources.today)
    _use_answers(_wanting(slots, found), found, sources, taken)
    _name_by_text(slots, found)
    arguments = {s.name: found[s.name][0].value for s in slots if s.name in found}
    missing = [s for s in _wanting(slots, found) if "default" not in s.schema]
    grounded = any(hits[0].mention for hits in found.values())
    others = _others(slots, found, arguments, sources)
    return Filled(arguments, missing, others, grounded)


def _anything(slots: list[Slot], sources: Sources) -> dict[str, list[Hit]]:
    """Where nothing is required: the first that the request itself has a value for."""
    for slot in slots:
        wanted = replace(slot, required=True)
        for hit in _hits(wanted, Search(sources, Taken(), strong=False)):
            if hit.mention in sources.own.mentions:
                return {slot.name: [hit]}
    return {}


def _wanting(slots: list[Slot], found: dict[str, list[Hit]]) -> list[Slot]:
    """The required slots nothing was found for. A subject is made from its text:
    where that is missing, only that is asked for."""
    missing = [s for s in slots if s.required and s.name not in found]
    bodies = [s for s in missing if s.kind == "body"]
    return [s for s in missing if s.kind != "subject"] if bodies else missing


def _name_by_text(slots: list[Slot], found: dict[str, list[Hit]]) -> None:
    body = next((s for s in slots if s.kind == "body" and s.name in found), None)
    for slot in slots:
        if body and slot.kind == "subject" and slot.required and slot.name not in found:
            line = str(found[body.name][0].value).strip().splitlines()[0]
            found[slot.name] = [Hit(shortened(line))]


def _search(slots: list[Slot], sources: Sources, taken: Taken) -> dict[str, list[Hit]]:
    """Hits for each slot, the first to be used: what is tied to a slot goes before
    what merely fits it, and texts come last, made of what is left."""
    found: dict[str, list[Hit]] = {}
    for strong in (True, False):
        search = Search(sources, taken, strong)
        for turn in (0, 1, 2):
            for slot in slots:
                if slot.name in found or _turn(slot) != turn:
                    continue
                if hits := _hits(slot, search):
                    found[slot.name] = hits
                    taken.use(hits[0])
    return found


def _turn(slot: Slot) -> int:
    """Texts after all else, and a subject after them: it can be made from a text."""
    return 2 if slot.kind == "subject" else int(slot.kind in _TEXT_KINDS)


def _hits(slot: Slot, search: Search) -> list[Hit]:
    if slot.kind in _TEXT_KINDS:
        return find_text(slot, search)
    if slot.kind == "list":
        return _list_hits(slot, search)
    if slot.kind == "object":
        return _object_hits(slot, search)
    return find(slot, search)


def _list_hits(slot: Slot, search: Search) -> list[Hit]:
    """All values that fit the items, as one value."""
    items = slot.schema.get("items")
    schema = dict(items) if isinstance(items, dict) else {"type": "string"}
    schema.setdefault("description", slot.description)
    name = slot.name.removesuffix("s") or slot.name
    item = make_slot(
        name, resolved(schema, slot.schema.get("$defs")), required=slot.required
    )
    values: list[Any] = []
    seen = Taken(search.taken.mentions)
    inner = Search(search.sources, seen, search.strong)
    while len(values) < 20:
        hits = [hit for hit in _hits(item, inner) if hit.value not in values]
        if values and not any(hit.mention for hit in hits):
            break
        values += [hit.value for hit in hits]
        for hit in hits:
            seen.use(hit)
        if not any(hit.mention for hit in hits):
            break
    values = _split_labelled(values) if item.kind in _TEXT_KINDS else values
    return [Hit(values)] if values else []


def _split_labelled(values: list[Any]) -> list[Any]:
    """One text that lists several: "tags: red, blue"."""
    if len(values) == 1 and isinstance(values[0], str):
        return [part for part in re.split(r"\s*[,、，]\s*", values[0]) if part]
    return values


def _object_hits(slot: Slot, search: Search) -> list[Hit]:
    if search.strong:
        return []
    slots = slots_of(slot.schema)
    inner = _search(slots, search.sources, search.taken)
    if _wanting(slots, inner) or not (inner or slot.required):
        return []
    said = [hits[0].mention for hits in inner.values() if hits[0].mention]
    value = {name: hits[0].value for name, hits in inner.items()}
    return [Hit(value, said[0] if said else None)]


def _use_answers(
    missing: list[Slot], found: dict[str, list[Hit]], sources: Sources, taken: Taken
) -> None:
    """An answer that was not understood is itself the value that was asked for."""
    for answer in sources.answers:
        unread = not taken.mentions & set(answer.mentions)
        if not missing or not unread:
            continue
        texts = [answer.text.strip()]
        if len(missing) > 1:
            texts = [part for part in re.split(r"\s*[,;\n，、]\s*", texts[0]) if part]
        if len(texts) == len(missing):
            for slot, text in zip(missing, texts, strict=True):
                if (value := _as_value(slot, text)) is not None:
                    found[slot.name] = [Hit(value)]
            return


def _as_value(slot: Slot, text: str) -> Any:
    if not text:
        return None
    if slot.kind in ("query", "subject", "body"):
        return text
    pattern = slot.schema.get("pattern")
    short = len(text) <= _SHORT_ANSWER and text.count(" ") <= 5
    if slot.kind in ("id", "name", "text", "mail", "link"):
        fits = short and (not pattern or matches(pattern, text))
        return _typed(slot, text.strip(" .!？?。")) if fits else None
    if slot.kind == "boolean":
        return _as_boolean(text)
    if slot.kind == "list" and not slot.parts:
        return [part for part in re.split(r"\s*[,、，]\s*", text) if part]
    return None


def _as_boolean(text: str) -> bool | None:
    first = next((word.folded for word in split_words(text)), "")
    if first in lists.YES:
        return True
    return False if first in lists.NO else None


def _typed(slot: Slot, text: str) -> str | int | None:
    if slot.schema.get("type") not in ("integer", "number"):
        return text
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits else None


def _others(
    slots: list[Slot],
    found: dict[str, list[Hit]],
    arguments: dict[str, Any],
    sources: Sources,
) -> list[dict[str, Any]]:
    """More calls for more ids, where only one id is wanted at a time; else for more
    values of a list, each with its own number: "two of this and one of that"."""
    ids = [slot for slot in slots if slot.kind == "id" and slot.name in found]
    if len(ids) == 1 and found[ids[0].name][1:]:
        name = ids[0].name
        return [{**arguments, name: hit.value} for hit in found[name][1:]]
    chosen = [slot for slot in slots if slot.kind == "enum" and slot.name in found]
    if len(chosen) != 1:
        return []
    numbers = [slot for slot in slots if slot.is_quantity]
    return [
        _with_own_number({**arguments, chosen[0].name: hit.value}, numbers, number)
        for hit, number in listed_after(found[chosen[0].name], sources.own)
    ]


def _with_own_number(
    arguments: dict[str, Any], numbers: list[Slot], number: int | float | None
) -> dict[str, Any]:
    for slot in numbers:
        if number is not None:
            arguments[slot.name] = number
        elif not slot.required:
            arguments.pop(slot.name, None)
    return arguments

"""Slots for the two ends of something: where it comes from, where it goes to."""

from __future__ import annotations

import re

from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.text import stem

FROM_BEFORE = re.compile(
    r"(?:\bfrom|\bsince|\bstarting|\bafter|\bab|\bvon|\bdu|\bde|\bdesde|从|من)"
    r"\s*(?:the )?$"
)
TO_BEFORE = re.compile(
    r"(?:\bto|\buntil|\btill|\bthrough|\bbis|\bau|\bà|\bnach|\bhasta|\binto|到|至|إلى|-|–)"
    r"\s*(?:the )?$"
)
_FROM = frozenset(
    stem(word) for word in ("from", "source", "origin", "departure", "depart", "sender")
)
_TO = frozenset(
    stem(word) for word in ("to", "destination", "target", "arrival", "arrive", "dest")
)


def side_of(slot: Slot) -> str:
    """``from``, ``to`` or "" for a slot, by its name, else by its description."""
    for words in (slot.stems, slot.hints):
        if words is slot.hints:
            # "The company we buy from" says nothing.
            words = words - {"from", "to"}
        begins, ends = bool(words & _FROM), bool(words & _TO)
        if begins is not ends:
            return "from" if begins else "to"
    return ""


def on_other_side(slot: Slot, lead: str) -> bool:
    """Whether what stands right before a value says that it is the other end's."""
    before = {"from": TO_BEFORE, "to": FROM_BEFORE}.get(side_of(slot))
    return bool(before and before.search(lead))


def fits_side(slot: Slot, lead: str) -> bool:
    """Whether "from" or "to" right before a value says that it is this slot's."""
    before = {"from": FROM_BEFORE, "to": TO_BEFORE}.get(side_of(slot))
    return bool(before and before.search(lead))

"""What arguments may be taken from, nearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from teams.providers.rehearsal.reading import NOTHING, Mention, Reading
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.text import spaced


@dataclass(frozen=True, slots=True)
class Sources:
    """``own`` is the part of the request that speaks of the tool, ``whole`` all of
    it, ``material`` what came with it; ``answers`` are a person's, newest first;
    ``history`` the earlier turns, newest first; ``data`` results as JSON values,
    newest first. ``speaks``: what is filled goes to somebody. ``topic`` and ``body``
    are texts made of what is known; ``known`` are stems of the tool's own words."""

    own: Reading
    whole: Reading
    today: date
    material: Reading = NOTHING
    answers: tuple[Reading, ...] = ()
    history: tuple[Reading, ...] = ()
    data: tuple[Any, ...] = ()
    speaks: bool = False
    topic: str = ""
    body: str = ""
    known: frozenset[str] = frozenset()

    @property
    def asked(self) -> tuple[Reading, ...]:
        """What was said for this tool: the person's answers and the own part."""
        return (*self.answers, self.own)

    @property
    def said(self) -> tuple[Reading, ...]:
        return (*self.answers, self.own, self.whole)

    @property
    def near(self) -> tuple[Reading, ...]:
        return (*self.answers, self.own, self.whole, self.material)


@dataclass(frozen=True, slots=True)
class Hit:
    """A value that fits a slot, and the mention it comes from, if from one."""

    value: Any
    mention: Mention | None = None


class Taken:
    """The mentions that have been used for a slot already."""

    def __init__(self, mentions: Iterable[Mention] = ()) -> None:
        self.mentions = set(mentions)

    def use(self, hit: Hit) -> None:
        if hit.mention:
            self.mentions.add(hit.mention)

    def free(self, reading: Reading, *kinds: str) -> list[Mention]:
        return [
            mention
            for mention in reading.mentions
            if mention.kind in kinds and mention not in self.mentions
        ]


@dataclass(frozen=True, slots=True)
class Search:
    """One pass over the sources; ``strong`` asks for what is tied to the slot."""

    sources: Sources
    taken: Taken
    strong: bool


def in_data(slot: Slot, data: tuple[Any, ...]) -> Iterator[Any]:
    """Values that results hold under the slot's own name."""
    wanted = spaced(slot.name).casefold()
    for value in data:
        yield from _under(value, wanted, depth=0)


def _under(value: Any, wanted: str, *, depth: int) -> Iterator[Any]:
    if depth > 4:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str | int | float) and not isinstance(inner, bool):
                if spaced(str(key)).casefold() == wanted:
                    yield inner
            else:
                yield from _under(inner, wanted, depth=depth + 1)
    elif isinstance(value, list):
        for inner in value[:20]:
            yield from _under(inner, wanted, depth=depth + 1)

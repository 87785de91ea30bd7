"""Who takes part in a shared conversation: oneself, and whom one may hand over to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.matching import (
    DESCRIPTION,
    NAME,
    PARAMETER,
    Unit,
    is_sender,
    weigh,
)
from teams.providers.rehearsal.parsing import HANDOVER, Function, Prompt
from teams.providers.rehearsal.text import spaced, split_words, stem, stems
from teams.providers.rehearsal.units import proper, shown, titled

# The name of what stands for oneself among the units.
MYSELF = "(myself)"

# How much of a role or a description is read.
_READ = 2000

# What one's own role says of a target counts more than the target's description.
_ORDERED = 2.0

# Whoever sorts requests names the subjects of all, and whoever has just handed over
# does not want it back: their words count so much.
_DIMMED = 0.25

_OPENING = re.compile(r"Hand the conversation over to (.+?)\.(?:\s+|$)", re.DOTALL)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+|;\s+|[。！？；؛]\s*")
_SORTING = re.compile(
    r"\b(?:triage|router|routes|routing|reception(?:ist)?|dispatcher|switchboard"
    r"|concierge|first contact|finds? out (?:what|which|who|whom|where)"
    r"|accueil|aiguillage|empfang|verteilt)\b"
    r"|分诊|分派|前台|接待|受付|振り分け|استقبال|فرز",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:(?:any|every)thing (?:else|other|that)|(?:any|all) other"
    r"|other (?:matters|questions|requests|topics|subjects)"
    r"|tout le reste|alles andere)\b|其他|その他",
    re.IGNORECASE,
)
_PASSING_ON = re.compile(
    r"\b(?:hand(?:s|ed|ing)? (?:\S+ ){0,8}?(?:over|back|off)|hand over"
    r"|pass(?:es)? (?:\S+ ){0,8}?on|transfers?|forwards?"
    r"|to others)\b|转交|转给|移交|引き継|تحويل",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Party:
    """``sorting`` are the names of targets that find out who fits; ``spoken`` of those
    that have said something in this turn."""

    myself: Unit
    targets: tuple[Unit, ...]
    sorting: frozenset[str]
    spoken: frozenset[str]
    names: dict[str, frozenset[str]]

    def target_named(self, author: str) -> Unit | None:
        """The target that speaks under a name."""
        key = _key(author)
        return next((t for t in self.targets if key in self.names[t.name]), None)

    @property
    def experts(self) -> list[Unit]:
        return [unit for unit in self.targets if unit.name not in self.sorting]


def party_of(prompt: Prompt) -> Party:
    role = _role(prompt.system)
    targets = [_Target.of(function) for function in prompt.handovers]
    said = list(_sentences(role))
    authors = {_key(name) for name, _text in prompt.turn.others}
    sorting = {t.name for t in targets if t.sorts(said)}
    spoken = {t.name for t in targets if t.keys & authors}
    units = tuple(
        t.unit(said, dimmed=t.name in sorting or t.name in spoken) for t in targets
    )
    mine = [
        sentence
        for sentence in said
        if not _PASSING_ON.search(sentence)
        and not any(t.in_(sentence) for t in targets)
    ]
    return Party(
        myself=_myself("\n".join(mine)),
        targets=units,
        sorting=frozenset(sorting),
        spoken=frozenset(spoken),
        names={t.name: t.keys for t in targets},
    )


@dataclass(frozen=True, slots=True)
class _Target:
    name: str
    title: str
    about: str
    keys: frozenset[str]

    @staticmethod
    def of(function: Function) -> _Target:
        own = function.name.removeprefix(HANDOVER)
        match = _OPENING.match(function.description)
        title = match[1].strip() if match else titled(spaced(own))
        about = function.description[match.end() if match else 0 :][:_READ].strip()
        keys = frozenset({_key(own), _key(title)})
        shown_as = titled(spaced(title)) if title.isupper() else title
        return _Target(function.name, shown_as, about, keys)

    def in_(self, sentence: str) -> bool:
        """Whether a sentence of one's own role speaks of this target."""
        words = [word.folded for word in split_words(sentence)]
        return any(len(key) > 1 and _is_said(key, words) for key in self.keys)

    def sorts(self, role: Iterable[str]) -> bool:
        own = f"{spaced(self.name)}. {self.title}. {self.about}"
        told = "\n".join(sentence for sentence in role if self.in_(sentence))
        return bool(_SORTING.search(own) or _REST.search(f"{own}\n{told}"))

    def unit(self, role: Iterable[str], *, dimmed: bool) -> Unit:
        factor = _DIMMED if dimmed else 1.0
        name = proper(spaced(self.name.removeprefix(HANDOVER)))
        parts = [(name, NAME), (proper(self.title), NAME), (self.about, DESCRIPTION)]
        weights = {s: w * factor for s, w in weigh(parts).items()}
        for sentence in role:
            if self.in_(sentence):
                for found in stems(sentence):
                    weights[found] = max(weights.get(found, 0), _ORDERED)
        return Unit(
            name=self.name,
            title=self.title,
            about=shown(self.about),
            weights=_without_talk(weights),
            sends=is_sender(name, self.about),
            looks=False,
        )


@lru_cache(maxsize=256)
def _myself(role: str) -> Unit:
    weights = _without_talk(weigh([(role, PARAMETER)]))
    return Unit(MYSELF, "", "", weights, sends=False, looks=False)


def _without_talk(weights: dict[str, float]) -> dict[str, float]:
    """Without what anybody does in a conversation: explain, answer."""
    return {found: weight for found, weight in weights.items() if found not in TALK}


TALK = frozenset(stem(word) for word in lists.TALKING)


def _role(system: str) -> str:
    """The role and, without its heading, the task; not the product's own rules."""
    text, _heading, _rules = system.partition("\n\n# Rules")
    return text.replace("# Task\n", "")[:_READ]


def _sentences(role: str) -> Iterator[str]:
    return (part for part in _SENTENCES.split(role) if part.strip())


def _is_said(key: str, words: list[str]) -> bool:
    """Whether a name is among the words: "night desk", "NightDesk", "the labs"; not
    the beginning of another word."""
    if not key.isascii():
        return key in "".join(words)
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            if joined in (key, f"{key}s"):
                return True
            if len(joined) > len(key):
                break
    return False


@lru_cache(maxsize=1024)
def _key(name: str) -> str:
    """A name or a sentence without case, accents, spaces and signs."""
    return "".join(c for c in fold(name) if c.isalnum())

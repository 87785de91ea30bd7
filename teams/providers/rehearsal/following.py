"""Messages that are short for an earlier request: "And A-18?", "the second one"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import (
    clauses_of,
    is_doing,
    split_request,
    wants_to_know,
    without_joining,
)
from teams.providers.rehearsal.matching import Choice, Unit, choose
from teams.providers.rehearsal.parsing import Turn
from teams.providers.rehearsal.periods import in_words, moved
from teams.providers.rehearsal.reading import Mention, Reading, read
from teams.providers.rehearsal.text import is_sending, shape, split_words, stems

# How many earlier turns are looked at.
REMEMBERED = 8

# A message of at most so many words may be short for the one before it.
_SHORT = 12

_TELLING = frozenset({"id", "mail", "date", "period", "name", "quote"})
_WHAT_ABOUT = re.compile(
    r"\s*(?:what|how) about\b|\s*was ist mit\b|\s*qu'en est-il d[eu]\b|\s*وماذا عن",
    re.IGNORECASE,
)
_CORRECTING = re.compile(
    r"\s*(?:no|non|nein|sorry|pardon|oops|actually|désolée?|entschuldigung|lo siento"
    r"|I mean(?:t)?|je voulais dire|ich meinte)\b"
    r"|\s*(?:不对|不是|我是说|いいえ|すみません)",
    re.IGNORECASE,
)
_ORDINALS = {
    word: number
    for number, words in (
        (1, "first 1st premier première erste ersten primero primera 一"),
        (2, "second 2nd deuxième seconde zweite zweiten segundo segunda 二"),
        (3, "third 3rd troisième dritte dritten tercero tercera 三"),
        (4, "fourth 4th quatrième vierte vierten cuarto cuarta 四"),
        (5, "fifth 5th cinquième fünfte fünften quinto quinta 五"),
        (-1, "last dernier dernière letzte letzten último última 最后一"),
    )
    for word in words.split()
}
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_POINTED = re.compile(
    rf"\bthe ({_ORDINAL}) (?:one\b|of (?:them|these|those)\b)"
    rf"|\b(?:le|la|der|die|das|den|el) ({_ORDINAL})(?=\s*(?:[?.!,]|$))"
    rf"|第?({_ORDINAL})(?:个|個|番目|つ目)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The earlier request with what is new in it, and whom it called for.
    ``adds_id``: it names an id where the earlier request had none."""

    reading: Reading
    choices: list[Choice]
    adds_id: bool = False


def follow_up(
    reading: Reading, history: Sequence[Turn], units: Sequence[Unit], today: date
) -> FollowUp:
    """The last request that called for something, with what is new put in its place.
    Nothing is sent again because of it."""
    followed = [reading]
    for turn in reversed(history[-REMEMBERED:] if _may_follow(reading) else ()):
        earlier = renewed = read(split_request(turn.user)[0], today)
        added: list[str] = []
        for later in reversed(followed):
            if more := _added(renewed, later):
                added.append(more)
            renewed = read(_renewed(renewed, later, today), today)
        choices = _wanted(renewed, units)
        if added:
            text = f"{renewed.text.rstrip(' .?')} ({', '.join(added)})"
            renewed = read(text, today)
            rest = (text.rindex("("), len(text))
            choices = [replace(c, spans=[*c.spans, rest]) for c in choices]
            choices = choices or _wanted(renewed, units)
        if choices:
            adds_id = bool(reading.of("id")) and not earlier.of("id")
            return FollowUp(renewed, choices, adds_id)
        if _may_follow(earlier):
            followed.append(earlier)
    return FollowUp(reading, [])


def _wanted(reading: Reading, units: Sequence[Unit]) -> list[Choice]:
    clauses = [clause for clause in clauses_of(reading) if not clause.sending]
    return choose(clauses, units)[0]


def _may_follow(reading: Reading) -> bool:
    """Whether a message may be short for the last one: it joins, it corrects, or it
    names things and says nothing else."""
    known = lists.GREETING | lists.THANKS
    if _POINTED.search(reading.text):
        # Nothing was named that it could point at.
        return False
    if len(reading.words) > _SHORT or any(w.folded in known for w in reading.words):
        return False
    told = any(mention.kind in _TELLING for mention in reading.mentions)
    if _CORRECTING.match(reading.text):
        return told
    if _joins(reading):
        return not _wishes(reading)
    if len(reading.words) == 1 and reading.of("number"):
        return True
    return told and not _speaks_of_more(reading)


def is_circumstance(reading: Reading) -> bool:
    """Whether a message only changes where, when or for whom: "and on Friday?"."""
    if not _joins(reading) or not _may_follow(reading):
        return False
    rest = split_words(without_joining(reading.text))
    return bool(rest) and rest[0].folded in lists.CIRCUMSTANCE


def _joins(reading: Reading) -> bool:
    if _WHAT_ABOUT.match(reading.text):
        return True
    return bool(reading.words) and reading.words[0].folded in lists.JOINING


def _wishes(reading: Reading) -> bool:
    """Whether there is a wish of its own in it: "and book a table"."""
    if _WHAT_ABOUT.match(reading.text):
        return any(
            wants_to_know(reading.text[clause.start : clause.end])
            for clause in clauses_of(reading)[1:]
        )
    rest = split_words(without_joining(reading.text))
    if not rest:
        return False
    first = rest[0].folded
    verb = is_doing(first) or is_sending(first) or first in lists.LOOKING
    return (verb or wants_to_know(reading.text)) and _speaks_of_more(reading)


def _speaks_of_more(reading: Reading) -> bool:
    """Whether there is a subject beside what is mentioned."""
    mentioned = {
        word for m in reading.mentions for word in stems(f"{m.before} {m.raw}")
    }
    return bool(set(stems(reading.text)) - mentioned)


def _renewed(earlier: Reading, reading: Reading, today: date) -> str:
    """The earlier request with what a message mentions, without its rest."""
    text = earlier.text
    gone = _replaced(earlier, reading)
    for old, new in sorted(gone.items(), key=lambda pair: -pair[0].start):
        text = f"{text[: old.start]}{_instead(old, new, today)}{text[old.end :]}"
    return text


def _added(earlier: Reading, reading: Reading) -> str:
    """What a message says beside that: of more than is mentioned, all of it."""
    if _speaks_of_more(reading) and not _CORRECTING.match(reading.text):
        fragment = _WHAT_ABOUT.sub("", reading.text)
        return without_joining(fragment).rstrip(" .?!。？！؟")
    gone = _replaced(earlier, reading).values()
    return ", ".join(m.phrase for m in reading.mentions if m not in gone)


def _replaced(earlier: Reading, reading: Reading) -> dict[Mention, Mention]:
    """What an earlier request mentions, and what a message has in its place."""
    gone: dict[Mention, Mention] = {}
    for mention in reading.mentions:
        alike = (m for m in earlier.mentions if m not in gone)
        old = next((m for m in alike if _same_kind(m, mention)), None)
        if old is not None:
            gone[old] = mention
    return gone


def _instead(old: Mention, new: Mention, today: date) -> str:
    """What to say for the old one: "the week before" counts from it."""
    value = moved(new.raw, str(old.value)) if new.kind == "period" else ""
    return in_words(value, today) if value else new.raw


def _same_kind(old: Mention, new: Mention) -> bool:
    if {old.kind, new.kind} == {"date", "period"}:
        return True
    same = old.kind == new.kind
    return same and (old.kind != "id" or shape(old.raw) == shape(new.raw))


def pointed(reading: Reading, history: Sequence[Reading], today: date) -> Reading:
    """The message with the id that "the second one" stands for, of those that were
    named last; as it is where there are not so many."""
    match = _POINTED.search(reading.text) if len(reading.words) <= _SHORT else None
    if match is None:
        return reading
    number = _ORDINALS[match[match.lastindex or 0].lower()]
    for earlier in history:
        named = _alike_ids(earlier)
        if len(named) > 1:
            place = number - 1 if number > 0 else -1
            if place >= len(named):
                return reading
            start, end = match.span()
            text = f"{reading.text[:start]}{named[place]}{reading.text[end:]}"
            return read(text, today)
    return reading


def _alike_ids(reading: Reading) -> list[str]:
    """The ids of the form that most of a text have, each once."""
    forms: dict[str, list[str]] = {}
    for mention in reading.of("id"):
        named = forms.setdefault(shape(mention.raw), [])
        if mention.raw not in named:
            named.append(mention.raw)
    return max(forms.values(), key=len, default=[])

"""What a text mentions: ids, addresses, numbers, dates, times, quotations, names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.dates import lowered, moments
from teams.providers.rehearsal.folding import plain
from teams.providers.rehearsal.numbers import numbers
from teams.providers.rehearsal.periods import periods
from teams.providers.rehearsal.text import Word, analysed, last_han_part, split_words

_MAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_LINK = re.compile(r"https?://[^\s<>\"'”»）)]*[^\s<>\"'”»）).,;:!?。，]")
_QUOTE = re.compile(
    r"“([^”]+)”|\"([^\"]+)\"|«\s*([^»]+?)\s*»|„([^“”]+)[“”]|「([^」]+)」|『([^』]+)』"
    r"|《([^》]+)》|(?<!\w)'([^'\n]+)'(?!\w)"
)
_TOKEN = re.compile(r"#?[A-Za-z0-9]+(?:[-_./:][A-Za-z0-9]+)*")
_DATE_LIKE = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[./]\d\d?[./]\d{4}")
_NO_ID = re.compile(r"\d+(?:st|nd|rd|th|er|h|am|pm|x|%)?$", re.IGNORECASE)
_HAN_END = re.compile("[\u3400-\u9fff]{1,6}$")
_HAN_START = re.compile("[\u3400-\u9fff]{1,6}")
_SENTENCE_END = re.compile(r"(?:^[\s>*#-]*|[.!?:;。！？：；]\s*)$")
_HONOURED = re.compile(
    "([\u3400-\u9fff]{1,4}|[\u30a1-\u30fa\u30fc]{2,12})(?:さん|さま|様|氏)"
)
_IN_NAMES = (" ", "-", "’", "'", ". ")
_BETWEEN = " \t#=:：*|_-()（）“\"'"
# What may stand inside another: "2026-03-01T10:00", "the last 7 days".
_OVER = {"date": "time", "number": "period"}
_ID_WORDS = frozenset({"id", "ids", "identifier", "number", "no", "nr", "numero"})
_LINKING = frozenset({"is", "with", "the", "named", "called"})


@dataclass(frozen=True, slots=True)
class Mention:
    """Something a text mentions. ``kind`` is id, mail, link, number, date, period,
    time, quote or name; ``raw`` is it as written, ``lead`` the text right before it,
    ``before`` the words that introduce it ("order id"), ``after`` the next one."""

    kind: str
    value: str | int | float
    start: int
    end: int
    raw: str
    lead: str = ""
    before: str = ""
    after: str = ""

    @property
    def phrase(self) -> str:
        """As one would say it again: "order A-17", "12 people"."""
        if self.kind in ("date", "time", "period"):
            return self.raw
        if self.kind == "number" and not self.before.isascii():
            return f"{self.raw}{self.after}"
        if self.kind == "number" and not self.before:
            return f"{self.raw} {self.after}".strip()
        return f"{self.before} {self.raw}".strip()


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with its words and all it mentions, in order. Their places are those
    in ``base``, of which ``text`` may be a part."""

    text: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    base: str

    def of(self, kind: str) -> list[Mention]:
        return [mention for mention in self.mentions if mention.kind == kind]

    def part(self, spans: Iterable[tuple[int, int]]) -> Reading:
        """The reading of some places of the text; the rest of it is not there."""
        kept = sorted(set(spans))

        def inside(start: int, end: int) -> bool:
            return any(first <= start and end <= last for first, last in kept)

        return Reading(
            "\n".join(self.text[start:end].strip() for start, end in kept),
            tuple(w for w in self.words if inside(w.start, w.end)),
            tuple(m for m in self.mentions if inside(m.start, m.end)),
            self.base,
        )


NOTHING = Reading("", (), (), "")


@lru_cache(maxsize=256)
def read(text: str, today: date) -> Reading:
    """Read a text; of a huge one, its beginning and its end."""
    clear = plain(analysed(text))
    found = _Finder(clear)
    for kind, value, span in _candidates(clear, found.words, today):
        found.add(kind, value, span, over=_OVER.get(kind, ""))
    mentions = sorted(found.mentions, key=lambda mention: mention.start)
    return Reading(clear, found.words, tuple(mentions), clear)


def without_names(reading: Reading) -> Reading:
    """What was answered: capitals in it are headings and labels as well."""
    kept = tuple(mention for mention in reading.mentions if mention.kind != "name")
    return replace(reading, mentions=kept)


def ids_in(text: str) -> list[str]:
    """What looks like an id, as in "such as A-17"."""
    found = _TOKEN.findall(plain(text))
    ids = [token.lstrip("#") for token in found if _is_id(token)]
    return [token for token in ids if not _DATE_LIKE.fullmatch(token)]


def _candidates(
    text: str, words: tuple[Word, ...], today: date
) -> Iterator[tuple[str, str | int | float, tuple[int, int]]]:
    """All that may be a mention, the surest kinds first."""
    for kind, pattern in (("link", _LINK), ("mail", _MAIL), ("quote", _QUOTE)):
        for match in pattern.finditer(text):
            yield kind, match.group(match.lastindex or 0), match.span()
    dates, times = moments(text, today)
    for kind, listed in (("time", times), ("date", dates)):
        for moment in listed:
            yield kind, moment.value, (moment.start, moment.end)
    for span in periods(lowered(text), today):
        yield "period", span.value, (span.start, span.end)
    for match in _TOKEN.finditer(text):
        if _is_id(match[0]):
            yield "id", match[0].lstrip("#"), match.span()
    yield from (("number", value, span) for value, span in numbers(text, words))
    yield from (("name", name, span) for name, span in _names(text, words))


class _Finder:
    """Collects mentions that do not overlap: what is added first has its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = split_words(text)
        self.mentions: list[Mention] = []
        self._starts = [word.start for word in self.words]
        self._taken = [""] * len(text)

    def add(
        self, kind: str, value: str | float, span: tuple[int, int], *, over: str = ""
    ) -> None:
        """``over``: the kind of mention that this one may hold or stand in."""
        start, end = span
        if any(taken and taken != over for taken in self._taken[start:end]):
            return
        self._taken[start:end] = [kind] * (end - start)
        first = bisect_left(self._starts, start)
        before = self.words[max(0, first - 4) : first]
        introduction = _introduction(self.text, before, start)
        after = self._after(end)
        raw = self.text[start:end]
        lead = self.text[max(0, start - 16) : start].lower()
        self.mentions.append(
            Mention(kind, value, start, end, raw, lead, introduction, after)
        )

    def _after(self, end: int) -> str:
        if match := _HAN_START.match(self.text, end):
            return match[0]
        next_word = bisect_left(self._starts, end)
        return self.words[next_word].raw if next_word < len(self.words) else ""


def _introduction(text: str, before: tuple[Word, ...], start: int) -> str:
    """The words that introduce a mention: "order id" in "my order id is A-17"."""
    kept: list[str] = []
    place = start
    for word in reversed(before):
        if text[word.end : place].strip(_BETWEEN):
            break
        place = word.start
        if match := _HAN_END.search(text[word.start : min(word.end, start)]):
            return last_han_part(match[0])
        if word.folded in _ID_WORDS:
            kept.insert(0, word.raw)
        elif word.folded in lists.STOP or word.folded in lists.JOINING:
            if word.folded not in _LINKING:
                break
        else:
            return " ".join([word.raw, *kept])
    return ""


def _is_id(token: str) -> bool:
    if not any(c.isdigit() for c in token) or _NO_ID.match(token):
        return False
    if token.startswith("#") or any(c.isalpha() for c in token):
        return True
    return any(c in "-_/" for c in token) or token.count(".") > 1


def _names(text: str, words: tuple[Word, ...]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Who is called Mr or Ms, and runs of capitalised words that do not merely begin
    a sentence."""
    for match in _HONOURED.finditer(text):
        yield match[1], match.span(1)
    alone = _all_capitals(text)
    run: list[Word] = []
    for word in words:
        named = word.raw[0].isupper() and (alone or not _begins(text, word))
        goes_on = run and text[run[-1].end : word.start] in _IN_NAMES
        if run and not (named and goes_on):
            yield text[run[0].start : run[-1].end], (run[0].start, run[-1].end)
            run = []
        if named and word.raw != "I":
            run.append(word)
    if run:
        yield text[run[0].start : run[-1].end], (run[0].start, run[-1].end)


def _begins(text: str, word: Word) -> bool:
    line = text.rfind("\n", 0, word.start) + 1
    return bool(_SENTENCE_END.search(text[max(line, word.start - 20) : word.start]))


def _all_capitals(text: str) -> bool:
    """A short text of capitalised words alone is a name, not a sentence."""
    parts = text[:80].split()
    return len(parts) < 5 and all(
        part[:1].isupper() and part.casefold() not in lists.STOP for part in parts
    )

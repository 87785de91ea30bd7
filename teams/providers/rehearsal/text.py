"""Words and their stems, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.folding import fold

# What is analysed of a long text: its beginning and its end.
ANALYSED_HEAD, ANALYSED_TAIL = 4000, 1000

# The stem that all words of sending share.
SEND = "<send>"

_HAN = "\u3400-\u9fff\uf900-\ufaff々"
_SYLLABLES = "\uac00-\ud7af\u0e00-\u0eff\u1780-\u17ff"  # Hangul, Thai, Lao, Khmer
_KANA = "\u3041-\u30ff"
# Vowel signs and accents are no letters for ``re``, though they stand inside words.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<pairs>[{_SYLLABLES}]+)|(?P<katakana>[\u30a0-\u30ff]+)"
    f"|(?P<hiragana>[\u3041-\u309f]+)|(?:[^\\W_{_HAN}{_SYLLABLES}{_KANA}]|[{_MARKS}])+"
)
_HAN_STOP = re.compile(
    "|".join(sorted(word for word in lists.STOP if re.fullmatch(f"[{_HAN}]+", word)))
    + f"|[{''.join(sorted(lists.HAN_BREAKS))}]"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ARABIC = re.compile("[\u0600-\u06ff]")
_ARABIC_STARTS = ("وال", "بال", "فال", "كال", "لل", "ال", "و")
_ARABIC_ENDS = ("تها", "ته", "تي", "ها", "هم", "ات", "ين", "ون", "ه", "ي")
_ENDINGS = (
    ("ication", 3), ("ation", 3), ("ition", 3), ("ment", 3), ("ness", 3),
    ("ance", 4), ("ence", 4), ("able", 4), ("ible", 4), ("ity", 4), ("ing", 3),
    ("ed", 3), ("er", 4), ("or", 4), ("ee", 4), ("al", 4), ("ly", 4),
)  # fmt: skip
_SAME = {"email": "mail", "emails": "mail", "mails": "mail"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as written, folded, and where it stands."""

    raw: str
    folded: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        return stem(self.folded)


def analysed(text: str) -> str:
    """The part of a text that is looked at, so that a huge one costs no more."""
    if len(text) <= ANALYSED_HEAD + ANALYSED_TAIL:
        return text
    return f"{text[:ANALYSED_HEAD]}\n{text[-ANALYSED_TAIL:]}"


@lru_cache(maxsize=512)
def split_words(text: str) -> tuple[Word, ...]:
    """All words in order; runs of Han and the like are one word each."""
    return tuple(
        Word(match[0], fold(match[0]), match.start(), match.end())
        for match in _WORD.finditer(text)
    )


def spaced(name: str) -> str:
    """An identifier as words: ``listOpen_items`` is ``list Open items``."""
    return " ".join(re.split(r"[\W_]+", _HUMP.sub(" ", name))).strip()


def shape(text: str) -> str:
    """The form of an id: ``A-17`` and ``BC-1234`` are alike."""
    letters = re.sub(r"[^\W\d_]+", "A", text)
    return re.sub(r"\d+", "9", letters)


def alike(raw: str, example: str) -> bool:
    """The same form with the same letters in front."""
    letters = re.match(r"[^\W\d_]*", example)
    start = letters[0].casefold() if letters else ""
    return shape(raw) == shape(example) and raw.casefold().startswith(start)


@lru_cache(maxsize=2048)
def stem(word: str) -> str:
    """The part of a folded word that its relatives share; "" for a number."""
    if word in _SAME:
        return _SAME[word]
    if any(c.isdigit() for c in word):
        return ""
    if word.isascii() or not _ARABIC.match(word):
        return _latin_stem(word)
    return _arabic_stem(word)


def _latin_stem(word: str) -> str:
    word = _singular(lists.IRREGULAR.get(word, word))
    shorter = _without_ending(word)
    if word.endswith(("ing", "ed")):
        # "registering" as "register".
        shorter = _without_ending(shorter) if shorter.endswith("er") else shorter
    word = shorter
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


def _without_ending(word: str) -> str:
    for ending, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= rest:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        return word[:-1]
    return word


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def _arabic_stem(word: str) -> str:
    for start in _ARABIC_STARTS:
        if word.startswith(start) and len(word) - len(start) >= 3:
            word = word[len(start) :]
            break
    for end in _ARABIC_ENDS:
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word


def content_words(text: str) -> Iterator[Word]:
    """The words that carry a subject."""
    for word in split_words(text):
        if _has_content(word.folded):
            yield word


@lru_cache(maxsize=1024)
def stems(text: str) -> tuple[str, ...]:
    """Stems of the content words in order: pairs of characters for scripts that
    write no spaces; numbers and ids left out."""
    return tuple(_stems(text))


def all_stems(text: str) -> frozenset[str]:
    """Stems of all words, the common ones too: names of slots are made of them."""
    words = {stem(word.folded) or word.folded for word in split_words(text)}
    return frozenset(words.union(stems(text)))


def _stems(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        folded = fold(match[0])
        if match["han"]:
            yield from _han_stems(folded)
        elif match["pairs"]:
            yield from _pairs(folded)
        elif not match["hiragana"] and _has_content(folded) and stem(folded):
            yield stem(folded)


def _has_content(folded: str) -> bool:
    if folded in lists.STOP or folded in lists.NUMBERS or stem(folded) in lists.STOP:
        return False
    return len(folded) > 1 or not folded.isascii()


def last_han_part(run: str) -> str:
    """The end of a run of Han characters that means something: 订单 of 我的订单."""
    return _HAN_STOP.split(run)[-1]


def _han_stems(run: str) -> Iterator[str]:
    for part in _HAN_STOP.split(run):
        yield from _pairs(part)


def _pairs(run: str) -> Iterator[str]:
    if len(run) < 2:
        yield from run
    for i in range(len(run) - 1):
        yield run[i : i + 2]


def _with_stems(words: frozenset[str]) -> frozenset[str]:
    return words.union(stem(word) for word in words)


DOING_STEMS = _with_stems(lists.DOING)
ENDING_STEMS = _with_stems(lists.ENDING)
TIME_STEMS = frozenset(stem(word) for word in lists.TIME_UNITS)
SENDING_STEMS = _with_stems(lists.SENDING)
SENDING_VERBS = _with_stems(lists.SENDING_VERBS)


def is_sending(found: str) -> bool:
    return found in SENDING_STEMS

"""Numbers in a text, in digits or words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from teams.providers.rehearsal.text import Word
from teams.providers.rehearsal.words import ARTICLES, NUMBERS, POINTING, TIMES

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(rf"{_GROUPED.pattern}|\d+(?:[.,]\d+)?")
# "-7" and "minus 7"; not the hyphen of "A-7" or "3-7".
_SIGN = re.compile(
    r"(?<![^\s(=:])(?:-|(?:minus|moins|menos|negative) )$|负$", re.IGNORECASE
)
_HAN_NUMBER = re.compile(
    r"[一二两三四五六七八九十百]+(?=[个個条條笔位人次本份张件名天小周间])"
)
_HAN_DIGITS = {**{c: i for i, c in enumerate("〇一二三四五六七八九")}, "两": 2}

# More digits than this are no number anybody counts with.
_LONGEST = 18

_NOT_ONE = POINTING | ARTICLES | {"which", "no"}

Span = tuple[int, int]


def numbers(text: str, words: tuple[Word, ...]) -> Iterator[tuple[int | float, Span]]:
    for match in _NUMBER.finditer(text):
        grouped = _GROUPED.fullmatch(match[0])
        digits = match[0].replace(",", "" if grouped else ".")
        value = float(digits) if "." in digits else int(digits[:_LONGEST])
        sign = _SIGN.search(text[max(0, match.start() - 10) : match.start()])
        if sign is None:
            yield value, match.span()
        else:
            yield -value, (match.start() - len(sign[0]), match.end())
    for match in _HAN_NUMBER.finditer(text):
        yield _han_number(match[0]), match.span()
    yield from _number_words(text, words)


def _han_number(text: str) -> int:
    if "百" in text:
        hundreds, rest = text.split("百", 1)
        return _han_number(hundreds or "一") * 100 + (_han_number(rest) if rest else 0)
    if "十" in text:
        tens, ones = text.split("十", 1)
        return _HAN_DIGITS.get(tens, 1) * 10 + _HAN_DIGITS.get(ones, 0)
    return _HAN_DIGITS.get(text[:1], 1)


def _number_words(text: str, words: tuple[Word, ...]) -> Iterator[tuple[int, Span]]:
    """Numbers in words: "twenty five" is one number, "this one" is none."""
    total: int | None = None
    start = end = 0
    before = ""
    for word in words:
        value = NUMBERS.get(word.folded, TIMES.get(word.folded))
        if word.folded == "one" and before in _NOT_ONE:
            value = None
        if total is not None and (value is None or text[end : word.start] not in " -"):
            yield total, (start, end)
            total = None
        if value is not None:
            start = word.start if total is None else start
            total = _joined(total, value, word.folded)
            end = word.end
        before = word.folded
    if total is not None:
        yield total, (start, end)


def _joined(total: int | None, value: int, word: str) -> int:
    if total is None:
        return value
    return total * value if word in TIMES else total + value

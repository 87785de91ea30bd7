"""Spans of days in a text: "last week", "in March", "the last 7 days"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta

from teams.providers.rehearsal.dates import MONTHS, Moment, any_of, apart, whole
from teams.providers.rehearsal.words import NUMBERS

# A span counted back from today reaches no further than this.
_MOST_DAYS = 3660

_UNITS = {
    word: unit
    for unit, words in (
        ("day", "day days jour jours tag tage tagen"),
        ("week", "week weeks semaine semaines woche wochen semana semanas"),
        ("month", "month months mois monat monate monaten mes meses"),
        ("quarter", "quarter quarters trimestre quartal"),
        ("year", "year years annee année an ans jahr jahre jahren año años"),
    )
    for word in words.split()
}
_UNIT = any_of(_UNITS)
_THIS = "this|the current|current|cette|ce|cet|diese|diesen|dieser|dieses|este|esta"
_LAST = "last|previous|past|letzte|letzten|letzter|letztes|vorige|vorigen"
_NEXT = "next|following|nächste|nächsten|nächstes|kommende|kommenden"

_NAMED = whole(rf"(?:the )?({_THIS}|{_LAST}|{_NEXT}) ({_UNIT})")
_NAMED_AFTER = whole(
    rf"(?:la |le |l'|l’|el )?({_UNIT}) (derni[eè]re?|pass[eé]e?|pasad[ao]|prochaine?)"
)
_BEFORE_LAST = whole(rf"(?:the )?({_UNIT}) before last")
_RELATIVE = whole(
    rf"(?:the )?(?:({_UNIT}) (before|after)(?: that| this)?(?! last| yesterday|"
    rf" tomorrow)|(preceding) ({_UNIT}))"
)
_ROLLING = whole(rf"(?:the )?(?:last|past) (\w{{1,12}}) ({_UNIT})")
_MONTH = whole(rf"(?:in|of|for|during|en|de|im) ({any_of(MONTHS)})(?: (\d{{4}}))?")
_OTHER = {
    word: (unit, offset)
    for unit, offset, words in (
        ("week", -1, "上周|上星期|先週|الأسبوع الماضي|الاسبوع الماضي"),
        ("week", 0, "本周|这周|这星期|今週|هذا الأسبوع|هذا الاسبوع"),
        ("week", -2, "上上周|先々週"),
        ("month", -1, "上个月|上月|先月|الشهر الماضي"),
        ("month", 0, "本月|这个月|今月|هذا الشهر"),
        ("month", -2, "上上个月|先々月"),
        ("year", -1, "去年|昨年|السنة الماضية|العام الماضي"),
        ("year", 0, "今年|هذه السنة|هذا العام"),
    )
    for word in words.split("|")
}
_OTHER_WORDS = re.compile(any_of(_OTHER))
_LAST_WORDS = re.compile(rf"{_LAST}|derni|pass|pasad")
_NEXT_WORDS = re.compile(rf"{_NEXT}|prochain")

Span = tuple[date, date]


def periods(low: str, today: date) -> list[Moment]:
    """The spans in a text of small letters, as ``2026-03-02/2026-03-08``, in order.
    Without a span before it, "the week before" counts from this one."""
    return apart(_found(low, today))


def _found(low: str, today: date) -> Iterator[Moment]:
    for match in _BEFORE_LAST.finditer(low):
        yield _moment(match, span_of(_UNITS[match[1]], today, -2))
    for match in _RELATIVE.finditer(low):
        unit, direction = _step(match)
        yield _moment(match, span_of(unit, today, direction))
    yield from _named(low, today)
    for match in _ROLLING.finditer(low):
        if span := _rolling(match[1], _UNITS[match[2]], today):
            yield _moment(match, span)
    for match in _MONTH.finditer(low):
        yield _moment(match, _month(MONTHS[match[1]], match[2], today))


def _named(low: str, today: date) -> Iterator[Moment]:
    """What is named with this or last. "Next week" is a day: the one in seven days."""
    for match in _NAMED.finditer(low):
        if not _NEXT_WORDS.match(match[1]):
            offset = -1 if _LAST_WORDS.match(match[1]) else 0
            yield _moment(match, span_of(_UNITS[match[2]], today, offset))
    for match in _NAMED_AFTER.finditer(low):
        if not _NEXT_WORDS.match(match[2]):
            yield _moment(match, span_of(_UNITS[match[1]], today, -1))
    for match in _OTHER_WORDS.finditer(low):
        unit, offset = _OTHER[match[0]]
        yield _moment(match, span_of(unit, today, offset))


def _moment(match: re.Match[str], span: Span) -> Moment:
    return Moment(f"{span[0]}/{span[1]}", match.start(), match.end())


def _step(match: re.Match[str]) -> tuple[str, int]:
    """The unit and the direction of "the week before"."""
    if match[3]:
        return _UNITS[match[4]], -1
    return _UNITS[match[1]], -1 if match[2] == "before" else 1


def span_of(unit: str, day: date, offset: int = 0) -> Span:
    """The whole week (from Monday), month, quarter or year of a day, or the one
    ``offset`` further."""
    if unit in ("day", "week"):
        length = 7 if unit == "week" else 1
        back = day.weekday() if unit == "week" else 0
        first = day + timedelta(days=offset * length - back)
        return first, first + timedelta(days=length - 1)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    index = (day.year * 12 + day.month - 1) // months * months + offset * months
    last = index + months - 1
    days = calendar.monthrange(last // 12, last % 12 + 1)[1]
    return date(index // 12, index % 12 + 1, 1), date(last // 12, last % 12 + 1, days)


def _rolling(number: str, unit: str, today: date) -> Span | None:
    """So many days up to today."""
    count = int(number) if number.isdecimal() else NUMBERS.get(number, 0)
    days = count * {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}[unit]
    if not 0 < days <= _MOST_DAYS:
        return None
    return today - timedelta(days=days - 1), today


def _month(month: int, year: str | None, today: date) -> Span:
    """The month of that name: of this year, or of the last if it is still to come."""
    known = int(year) if year else today.year - (month > today.month)
    return span_of("month", date(max(known, 1), month, 1))


def ends_of(value: str) -> Span:
    """First and last day of a period, or of a day."""
    first, _, last = value.partition("/")
    return date.fromisoformat(first[:10]), date.fromisoformat((last or first)[:10])


def moved(raw: str, value: str) -> str:
    """The period that ``raw`` ("the week before") names when ``value`` was spoken of
    last; "" if it says by itself which one it is."""
    match = _RELATIVE.fullmatch(raw.lower())
    if match is None:
        return ""
    unit, direction = _step(match)
    first, last = ends_of(value)
    start = last if direction > 0 else first
    try:
        span = span_of(unit, start, direction)
    except (OverflowError, ValueError):  # there is no such day
        return ""
    return f"{span[0]}/{span[1]}"


def in_words(value: str, today: date) -> str:
    """A period as one says it: "last week", else from which day to which."""
    first, last = ends_of(value)
    for unit in ("week", "month", "quarter", "year"):
        names = ((0, f"this {unit}"), (-1, f"last {unit}"))
        for offset, name in (*names, (-2, f"the {unit} before last")):
            if span_of(unit, today, offset) == (first, last):
                return name
    if first == last:
        return f"on {first}"
    return f"from {first} to {last}"

"""Dates and times in a text, written out or relative to today."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from teams.providers.rehearsal.words import NUMBERS

# A date without a year that lies further back than this is meant for next year.
_PAST_DAYS = 180

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january يناير janvier januar enero jan janv",
            "february فبراير fevrier février februar febrero feb févr",
            "march مارس mars märz marz marzo mar",
            "april أبريل avril abril apr avr abr",
            "may مايو mai mayo",
            "june يونيو juin juni junio jun",
            "july يوليو juillet juli julio jul",
            "august أغسطس août aout agosto aug",
            "september سبتمبر septembre septiembre sep sept",
            "october أكتوبر octobre oktober octubre oct okt",
            "november نوفمبر novembre noviembre nov",
            "december ديسمبر décembre decembre dezember diciembre dec déc dez",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday lundi montag lunes 周一 星期一 礼拜一 月曜日 الاثنين الإثنين",
            "tuesday mardi dienstag martes 周二 星期二 礼拜二 火曜日 الثلاثاء",
            "wednesday mercredi mittwoch miércoles 周三 星期三 礼拜三 水曜日 الأربعاء",
            "thursday jeudi donnerstag jueves 周四 星期四 礼拜四 木曜日 الخميس",
            "friday vendredi freitag viernes 周五 星期五 礼拜五 金曜日 الجمعة",
            "saturday samedi samstag sábado 周六 星期六 礼拜六 土曜日 السبت",
            "sunday dimanche sonntag domingo 周日 星期日 星期天 周天 日曜日 الأحد",
        )
    )
    for name in names.split()
}
_RELATIVE = {
    phrase: days
    for days, phrases in (
        (2, "day after tomorrow|après-demain|übermorgen|pasado mañana|后天|明後日"),
        (2, "بعد غد"),
        (-2, "day before yesterday|avant-hier|vorgestern|前天"),
        (1, "tomorrow|demain|morgen|mañana|明天|明日|غدًا|غدا|غداً"),
        (-1, "yesterday|hier|gestern|ayer|昨天|昨日|أمس|امس"),
        (0, "today|tonight|aujourd'hui|aujourd’hui|heute|hoy|今天|今日|今晚|اليوم"),
        (7, "next week|la semaine prochaine|nächste woche|下周|来週"),
    )
    for phrase in phrases.split("|")
}


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Moment:
    """A date (``2026-03-01``) or a time of day (``14:30``) and where it stands."""

    value: str
    start: int
    end: int


_LATIN = "A-Za-z0-9_\u00c0-\u024f"


def whole(pattern: str) -> re.Pattern[str]:
    """The pattern where no word of letters with case goes on before or after it."""
    return re.compile(rf"(?<![{_LATIN}-])(?:{pattern})(?![{_LATIN}-])")


_ISO = whole(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t(\d\d:\d\d)\S*)?")
_DAY_FIRST = whole(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")
_DAY_MONTH = whole(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?: of| de)? ({any_of(MONTHS)})\.?"
    r"(?:,? (?:de )?(\d{4}))?"
)
_MONTH_DAY = whole(
    rf"({any_of(MONTHS)})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?"
)
_HAN_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_IN_DAYS = whole(
    r"(?:in|dans|en) (\w{1,12}) "
    r"(days?|weeks?|jours?|semaines?|tagen?|wochen?|días?|semanas?)"
)
_DAYS_AGO = whole(r"(\w{1,12}) (days?|weeks?) ago")
_ASCII_RELATIVE = {k: v for k, v in _RELATIVE.items() if ord(k[-1]) < 0x600}
_OTHER_RELATIVE = {k: v for k, v in _RELATIVE.items() if ord(k[-1]) >= 0x600}
_ASCII_WEEKDAYS = {k: v for k, v in _WEEKDAYS.items() if ord(k[-1]) < 0x600}
_OTHER_WEEKDAYS = {k: v for k, v in _WEEKDAYS.items() if ord(k[-1]) >= 0x600}
_WORDS = whole(any_of(_ASCII_RELATIVE))
_OTHER_WORDS = re.compile(any_of(_OTHER_RELATIVE))
_WEEKDAY = whole(rf"(?:(next|this|on) )?({any_of(_ASCII_WEEKDAYS)})")
_OTHER_WEEKDAY = re.compile(rf"(下)?({any_of(_OTHER_WEEKDAYS)})")
_CLOCK = re.compile(r"(?<![\d:.-])(\d{1,2}):(\d{2})(?::\d\d)?(?: ?([ap])\.?m\b)?(?!\d)")
_CLOCK_12 = re.compile(r"(?<![\w.-])(\d{1,2}) ?([ap])\.?m\b")
_CLOCK_H = re.compile(r"(?<![\w.-])(\d{1,2}) ?h ?(\d{2})?(?!\w)")
_CLOCK_HAN = re.compile(r"(上午|下午|晚上)?(\d{1,2})[点時时](半|(\d{1,2})分)?")
_NOON = whole(r"noon|midnight|midi|minuit")

_FEW = {**NUMBERS, "a": 1, "un": 1, "une": 1, "einem": 1, "einer": 1}


def lowered(text: str) -> str:
    """The text in small letters, place for place."""
    low = text.lower()
    # A letter may have no small form of one character.
    return low if len(low) == len(text) else text


def moments(text: str, today: date) -> tuple[list[Moment], list[Moment]]:
    """The dates and the times of day in a text, each in order, none overlapping."""
    low = lowered(text)
    dates = apart(_dates(low, today))
    times = apart(_times(low))
    return dates, times


def apart(found: Iterator[Moment]) -> list[Moment]:
    kept: list[Moment] = []
    for moment in found:
        if all(moment.end <= k.start or moment.start >= k.end for k in kept):
            kept.append(moment)
    return sorted(kept, key=lambda moment: moment.start)


def _dates(low: str, today: date) -> Iterator[Moment]:
    forms: tuple[tuple[re.Pattern[str], Callable[..., date | None]], ...] = (
        (_ISO, lambda y, m, d, _t: _day(y, m, d, today)),
        (_DAY_FIRST, lambda d, m, y: _day(y, m, d, today) or _day(y, d, m, today)),
        (_DAY_MONTH, lambda d, m, y: _day(y, MONTHS[m], d, today)),
        (_MONTH_DAY, lambda m, d, y: _day(y, MONTHS[m], d, today)),
        (_HAN_DATE, lambda y, m, d: _day(y, m, d, today)),
        (_IN_DAYS, lambda n, unit: _shift(today, n, unit, 1)),
        (_DAYS_AGO, lambda n, unit: _shift(today, n, unit, -1)),
        (_WEEKDAY, lambda how, day: _weekday(today, _WEEKDAYS[day], how or "")),
        (_OTHER_WEEKDAY, lambda how, day: _weekday(today, _WEEKDAYS[day], how or "")),
    )
    for pattern, make in forms:
        for match in pattern.finditer(low):
            if found := make(*match.groups()):
                yield Moment(found.isoformat(), match.start(), match.end())
    for pattern in (_WORDS, _OTHER_WORDS):
        for match in pattern.finditer(low):
            found = today + timedelta(days=_RELATIVE[match[0]])
            yield Moment(found.isoformat(), match.start(), match.end())


def _day(
    year: str | None, month: str | int, day: str | int, today: date
) -> date | None:
    try:
        found = date(int(year or today.year), int(month), int(day))
        if year is None and (today - found).days > _PAST_DAYS:
            found = found.replace(year=today.year + 1)
    except ValueError:
        return None
    return found


def _shift(today: date, number: str, unit: str, sign: int) -> date | None:
    count = int(number) if number.isdecimal() else _FEW.get(number)
    if count is None or count > 3660:
        return None
    weeks = unit.startswith(("week", "sem", "woch"))
    return today + timedelta(days=sign * count * (7 if weeks else 1))


def _weekday(today: date, weekday: int, how: str) -> date:
    """The coming one; "this" may be today, 下 is the one of the week after."""
    if how == "下":
        return today + timedelta(days=7 - today.weekday() + weekday)
    ahead = (weekday - today.weekday()) % 7
    return today + timedelta(days=ahead if ahead or how == "this" else 7)


def _times(low: str) -> Iterator[Moment]:
    for match in _CLOCK.finditer(low):
        yield from _time(match, match[1], match[2], half=match[3] or "")
    for match in _CLOCK_12.finditer(low):
        yield from _time(match, match[1], "0", half=match[2])
    for match in _CLOCK_H.finditer(low):
        yield from _time(match, match[1], match[2] or "0")
    for match in _CLOCK_HAN.finditer(low):
        minutes = "30" if match[3] == "半" else match[4] or "0"
        half = "p" if match[1] in ("下午", "晚上") else ""
        yield from _time(match, match[2], minutes, half=half)
    for match in _NOON.finditer(low):
        hour = "12" if match[0] in ("noon", "midi") else "0"
        yield from _time(match, hour, "0")


def _time(
    match: re.Match[str], hour: str, minute: str, *, half: str = ""
) -> Iterator[Moment]:
    number = int(hour) % 12 if half and int(hour) <= 12 else int(hour)
    number += 12 if half == "p" and number < 12 else 0
    if number < 24 and int(minute) < 60:
        yield Moment(f"{number:02}:{int(minute):02}", match.start(), match.end())

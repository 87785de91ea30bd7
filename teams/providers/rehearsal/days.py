"""Values for slots that take days: dates, times, ends of periods, names of periods."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from teams.providers.rehearsal.periods import Span, ends_of
from teams.providers.rehearsal.reading import Reading, read
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.sides import FROM_BEFORE, TO_BEFORE
from teams.providers.rehearsal.sources import Hit, Search
from teams.providers.rehearsal.text import spaced

_START = frozenset({"start", "from", "begin", "since", "after", "first"})
_END = frozenset({"end", "to", "until", "till", "before", "last"})


def find_date(slot: Slot, search: Search) -> list[Hit]:
    return _moment(slot, search, "date") or _end_of_period(slot, search)


def _end_of_period(slot: Slot, search: Search) -> list[Hit]:
    """The first day of "last week", or its last where the slot is for that."""
    for reading in search.sources.said:
        for mention in reading.of("period"):
            first, last = ends_of(str(mention.value))
            if slot.stems & _END:
                return [Hit(last.isoformat(), mention)]
            if slot.stems & _START or (slot.required and not search.strong):
                return [Hit(first.isoformat(), mention)]
    return []


def find_time(slot: Slot, search: Search) -> list[Hit]:
    return _moment(slot, search, "time")


def _moment(slot: Slot, search: Search, kind: str) -> list[Hit]:
    sources = search.sources
    for reading in sources.near if slot.required else sources.said:
        for mention in search.taken.free(reading, kind):
            if not search.strong or _bounds(slot, mention.lead):
                return [Hit(mention.value, mention)]
    return []


def close_range(
    slots: Iterable[Slot], found: dict[str, list[Hit]], today: date
) -> None:
    """A day that is over ends where it began; what goes on since then ends today."""
    dates = [slot for slot in slots if slot.kind == "date"]
    starts = [slot for slot in dates if slot.stems & _START and slot.name in found]
    for slot in dates:
        if not starts or slot.name in found or not slot.stems & _END:
            continue
        hit = found[starts[0].name][0]
        if hit.mention is None or str(hit.value) > today.isoformat():
            continue
        if not FROM_BEFORE.search(hit.mention.lead):
            found[slot.name] = [hit]
        elif slot.required:
            found[slot.name] = [Hit(today.isoformat())]


def _bounds(slot: Slot, before: str) -> bool:
    """Whether "from" or "until" before a date says that it is this slot's."""
    if slot.stems & _END:
        return bool(TO_BEFORE.search(before))
    return bool(slot.stems & _START and FROM_BEFORE.search(before))


def find_datetime(slot: Slot, search: Search) -> list[Hit]:
    days = find_date(slot, search)
    times = find_time(slot, search)
    if not days and not times:
        return []
    day = days[0].value if days else search.sources.today.isoformat()
    time = times[0].value if times else "00:00"
    mention = (days or times)[0].mention
    return [Hit(f"{day}T{time}:00", mention)]


@lru_cache(maxsize=128)
def as_spans(values: tuple[str, ...], today: date) -> dict[str, Span]:
    """The days that a value stands for, of those that do: "last week"."""
    found = {value: _days_of(read(spaced(value).lower(), today)) for value in values}
    return {value: days for value, days in found.items() if days}


def _days_of(reading: Reading) -> Span | None:
    """The days a text speaks of: a period, a date, or from one to another."""
    spoken = [m for m in reading.mentions if m.kind in ("date", "period")]
    if len(spoken) > 1 and spoken[0].kind == spoken[1].kind == "date":
        return ends_of(f"{spoken[0].value}/{spoken[1].value}")
    return ends_of(str(spoken[0].value)) if spoken else None


def find_span(slot: Slot, search: Search, spans: dict[str, Span]) -> list[Hit]:
    """The value for the days that are spoken of, else for those spoken of before."""
    sources = search.sources
    earlier = sources.history if slot.required else ()
    for reading in (*sources.said, *earlier):
        if days := _days_of(reading):
            said = next(m for m in reading.mentions if m.kind in ("date", "period"))
            return [Hit(value, said) for value, its in spans.items() if its == days]
    return []

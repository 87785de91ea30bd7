"""The time axis of a trace, in percent of its width.

Time in which nothing works (a person thinks for hours) would leave the work itself
a pixel wide: a long pause is drawn short, with its real length written on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from conversations.trace import figures

Interval = tuple[datetime, datetime]

_STEPS_MS = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000,
    60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000,
    21_600_000, 43_200_000, 86_400_000,
]  # fmt: skip
_TICKS_AT_MOST = 6
_PAUSE_FROM_MS = 2_000.0
# A pause is drawn at most so long, as a share of all the work.
_PAUSE_SHARE = 0.15
_TICK_ROOM = 12.0
# What the label of a pause takes on a narrow chart.
_PAUSE_ROOM = 32.0


@dataclass(frozen=True, slots=True)
class Mark:
    """A tick or a pause, at ``x`` percent and ``width`` percent wide. An empty label
    has no room beside another one."""

    x: float
    label: str
    width: float = 0.0

    @property
    def label_x(self) -> float:
        """Where the label of a pause begins: in its middle, and inside the axis."""
        middle = self.x + self.width / 2
        return min(max(0.0, middle - _PAUSE_ROOM / 2), 100.0 - _PAUSE_ROOM)

    @property
    def label_end(self) -> float:
        return self.label_x + _PAUSE_ROOM

    @property
    def label_middle(self) -> float:
        return self.label_x + _PAUSE_ROOM / 2


@dataclass(frozen=True, slots=True)
class _Piece:
    """Milliseconds since the start, and where they are drawn."""

    start: float
    end: float
    drawn: float
    drawn_at: float

    @property
    def is_pause(self) -> bool:
        return self.drawn < self.end - self.start


class Axis:
    """Maps moments to percent. Ticks count from the start, and anew after a pause."""

    def __init__(
        self, start: datetime, end: datetime, busy: Iterable[Interval]
    ) -> None:
        self._origin = start
        length = max(1.0, _ms(end - start))
        self._pieces = _pieces(
            length, [(_ms(a - start), _ms(b - start)) for a, b in busy]
        )
        last = self._pieces[-1]
        self._drawn = max(1.0, last.drawn_at + last.drawn)
        self.pauses = _apart(self._pauses())
        told = [pause for pause in self.pauses if pause.label]
        self.ticks = [
            _beside(tick, told) for piece in self._pieces for tick in self._ticks(piece)
        ]

    def at(self, moment: datetime) -> float:
        """Percent from the start of the axis, within 0 and 100."""
        when = _ms(moment - self._origin)
        for piece in self._pieces:
            if when <= piece.end:
                inside = max(0.0, when - piece.start)
                share = inside / (piece.end - piece.start)
                return self._percent(piece.drawn_at + share * piece.drawn)
        return 100.0

    def _percent(self, drawn: float) -> float:
        return 100.0 * drawn / self._drawn

    def _pauses(self) -> Iterator[Mark]:
        for piece in self._pieces:
            if piece.is_pause:
                yield Mark(
                    self._percent(piece.drawn_at),
                    figures.duration(piece.end - piece.start),
                    self._percent(piece.drawn),
                )

    def _ticks(self, piece: _Piece) -> Iterator[Mark]:
        if piece.is_pause:
            return
        wanted = self._drawn / _TICKS_AT_MOST
        step = next((s for s in _STEPS_MS if s >= wanted), _STEPS_MS[-1])
        length = piece.end - piece.start
        first = piece.start == 0
        at = 0.0 if first else float(step)
        # A label needs room before the next pause, or before the edge.
        while at == 0 or at <= length - self._drawn * _TICK_ROOM / 100:
            words = figures.brief(at)
            yield Mark(
                self._percent(piece.drawn_at + at),
                words if first else _("+%(time)s") % {"time": words},
            )
            at += step


def _apart(pauses: Iterable[Mark]) -> list[Mark]:
    """The pauses, each label only where it does not cover the one before."""
    found: list[Mark] = []
    free_from = 0.0
    for pause in pauses:
        fits = pause.label_x >= free_from
        found.append(pause if fits else replace(pause, label=""))
        free_from = pause.label_end if fits else free_from
    return found


def _beside(tick: Mark, pauses: Iterable[Mark]) -> Mark:
    """The tick, without its label where that of a pause stands."""
    covered = any(
        pause.label_x < tick.x + _TICK_ROOM and tick.x < pause.label_end
        for pause in pauses
    )
    return replace(tick, label="") if covered else tick


def _ms(length: timedelta) -> float:
    return length / timedelta(milliseconds=1)


def _pieces(length: float, busy: list[tuple[float, float]]) -> list[_Piece]:
    merged = _merged(busy, length)
    work = sum(end - start for start, end in merged)
    longest = max(_PAUSE_FROM_MS, _PAUSE_SHARE * work)
    pieces: list[_Piece] = []
    drawn_at = at = 0.0
    for start, end in [*_pauses(merged, length, longest), (length, length)]:
        if start > at:
            pieces.append(_Piece(at, start, start - at, drawn_at))
            drawn_at += start - at
        if end > start:
            pieces.append(_Piece(start, end, longest, drawn_at))
            drawn_at += longest
        at = end
    return pieces


def _pauses(
    merged: list[tuple[float, float]], length: float, longest: float
) -> list[tuple[float, float]]:
    """The stretches without work that are longer than they may be drawn."""
    ends = [0.0, *(end for _start, end in merged)]
    starts = [*(start for start, _end in merged), length]
    return [(a, b) for a, b in zip(ends, starts, strict=True) if b - a > longest]


def _merged(
    busy: list[tuple[float, float]], length: float
) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for start, end in sorted(busy):
        start, end = max(0.0, start), min(length, end)
        if end < start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def total_ms(intervals: Iterable[Interval]) -> float:
    """Milliseconds covered by the intervals, overlaps counted once."""
    known = list(intervals)
    if not known:
        return 0.0
    origin = min(start for start, _end in known)
    spans = [(_ms(start - origin), _ms(end - origin)) for start, end in known]
    return sum(end - start for start, end in _merged(spans, float("inf")))

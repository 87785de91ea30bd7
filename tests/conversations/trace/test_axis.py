"""The time axis: percent of its width, long pauses drawn short."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from conversations.trace.axis import Axis, total_ms

START = datetime(2025, 5, 2, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def test_moments_are_placed_in_proportion():
    axis = Axis(START, after(10), [(START, after(10))])
    assert [axis.at(after(s)) for s in (0, 2.5, 10)] == [0, 25, 100]
    assert axis.pauses == []


def test_moments_outside_are_kept_inside():
    axis = Axis(START, after(10), [(START, after(10))])
    assert axis.at(after(-5)) == 0
    assert axis.at(after(20)) == 100


def test_ticks_are_round_and_few():
    axis = Axis(START, after(13), [(START, after(13))])
    assert [tick.label for tick in axis.ticks] == ["0", "5 s", "10 s"]


def test_a_long_pause_is_drawn_short_and_says_its_length():
    # 20 s of work around three hours of waiting: drawn as 3 s of 23.
    axis = Axis(
        START, after(10_820), [(START, after(10)), (after(10_810), after(10_820))]
    )
    assert [pause.label for pause in axis.pauses] == ["3 h 00 min"]
    assert round(axis.at(after(10)), 2) == round(100 * 10 / 23, 2)
    assert round(axis.at(after(10_810)), 2) == round(100 * 13 / 23, 2)


def test_ticks_count_anew_after_a_pause():
    axis = Axis(
        START, after(10_820), [(START, after(10)), (after(10_810), after(10_820))]
    )
    assert [tick.label for tick in axis.ticks] == ["0", "5 s", "+5 s"]


def test_a_short_pause_stays_as_it_is():
    axis = Axis(START, after(21), [(START, after(10)), (after(11), after(21))])
    assert axis.pauses == []


def test_nothing_has_happened_yet():
    axis = Axis(START, START, [])
    assert axis.at(START) == 0
    assert axis.ticks[0].label == "0"


def test_a_pause_at_the_end_is_still_going_on():
    axis = Axis(START, after(100), [(START, after(10))])
    assert [pause.label for pause in axis.pauses] == ["1 min 30 s"]
    assert axis.at(after(100)) == 100


def test_time_covered_twice_counts_once():
    assert (
        total_ms([(START, after(4)), (after(2), after(6)), (after(8), after(9))])
        == 7000
    )
    assert total_ms([]) == 0


def test_a_pause_at_the_edge_says_its_length_inside_the_axis():
    axis = Axis(START, after(730), [(START, after(10))])
    (pause,) = axis.pauses
    assert pause.x + pause.width == 100
    assert (pause.label, pause.label_end) == ("12 min 00 s", 100)


def test_no_two_labels_cover_each_other():
    # Work of ten seconds, broken by two long pauses close to each other.
    busy = [(START, after(8)), (after(1000), after(1001)), (after(5000), after(5001))]
    axis = Axis(START, after(5001), busy)
    first, second = axis.pauses
    assert (first.label, second.label) == ("16 min 32 s", "")
    for tick in axis.ticks:
        clear = tick.x >= first.label_end or tick.x + 12 <= first.label_x
        assert clear or not tick.label

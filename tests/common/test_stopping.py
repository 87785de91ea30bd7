"""A stop is announced at the signal, before the server's own handler runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from supervisor_site.common import stopping


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What happened, in order; the process's handlers are put back."""
    order: list[str] = []
    before = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)
    }
    signal.signal(signal.SIGTERM, lambda _number, _frame: order.append("server"))
    note = lambda: order.append("told")  # noqa: E731 - the very same object twice
    stopping.on_stop(note)
    stopping.on_stop(note)
    yield order
    stopping._callbacks.remove(note)
    stopping._stopping.clear()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_signal_is_announced_and_passed_on(told: list[str]) -> None:
    stopping.watch_signals()
    assert not stopping.is_stopping()

    signal.raise_signal(signal.SIGTERM)

    assert told == ["told", "server"]
    assert stopping.is_stopping()


def test_outside_the_main_thread_the_handlers_stay(told: list[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)

    thread = threading.Thread(target=stopping.watch_signals)
    thread.start()
    thread.join()

    assert signal.getsignal(signal.SIGTERM) is before


def test_a_new_start_forgets_an_earlier_stop(told: list[str]) -> None:
    stopping.announce_stop()

    stopping.watch_signals()

    assert not stopping.is_stopping()

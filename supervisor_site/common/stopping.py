"""Knowing early that this server process is to stop.

A server waits for open responses before it tells the application that it stops. A
response that would go on for hours has to end at the signal itself.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

_stopping = threading.Event()
_callbacks: list[Callable[[], None]] = []


def is_stopping() -> bool:
    return _stopping.is_set()


def on_stop(callback: Callable[[], None]) -> None:
    """Call it once a stop is asked for, from a signal handler: it must be short."""
    if callback not in _callbacks:
        _callbacks.append(callback)


def announce_stop() -> None:
    _stopping.set()
    for callback in list(_callbacks):
        callback()


def watch_signals() -> None:
    """Announce a stop at SIGINT and SIGTERM, then do what was done before.

    To be called at the start of a server, once it has set handlers of its own. Only
    the main thread may do this; elsewhere (tests) nothing happens.
    """
    _stopping.clear()
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, _announcing(before))


def _announcing(
    before: Callable[[int, FrameType | None], object],
) -> Callable[[int, FrameType | None], object]:
    def handler(number: int, frame: FrameType | None) -> object:
        announce_stop()
        return before(number, frame)

    return handler

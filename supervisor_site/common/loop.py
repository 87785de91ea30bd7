"""One background event loop per process, for everything asynchronous outside the
server's own loop: model streams and ordered publishing.

It is made on first use and again after a fork, so that no loop is shared between
processes.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


def background_loop() -> asyncio.AbstractEventLoop:
    loop = _loops.get(os.getpid())
    if loop is not None:
        return loop
    with _lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(
                target=loop.run_forever, name="background-loop", daemon=True
            ).start()
            _loops.clear()
            _loops[os.getpid()] = loop
    return loop


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Run a coroutine in the background loop; cancelling the future cancels it."""
    return asyncio.run_coroutine_threadsafe(work, background_loop())

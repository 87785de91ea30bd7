"""How a queued run reaches the engine. The only place that knows which way is set."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections

from conversations.engine.lease import held, stop_holders
from conversations.engine.loop import advance
from conversations.engine.recovery import runs_to_take_up
from supervisor_site.common.connections import release_connection
from supervisor_site.common.threads import ThreadPool

logger = logging.getLogger("supervisor.dispatch")

Sender = Callable[[UUID], None]

HOUR = 3600.0

_senders: dict[str, Sender] = {}
_hourly: list[Callable[[], object]] = []
_lock = threading.Lock()
_pool: ThreadPool | None = None
_sweeper: threading.Thread | None = None
_stop = threading.Event()


def register(name: str, sender: Sender) -> None:
    """Another way than threads; ``RUN_DISPATCHER`` names it."""
    _senders[name] = sender


def enqueue(run_id: UUID) -> None:
    """Hand over a run, after its rows are committed. A run handed over twice is
    worked on once: the second claim finds it taken. One that cannot be handed over
    now, for the broker is away, stays queued: a sweep takes it up."""
    if settings.RUN_DISPATCHER == "thread":
        if not _stop.is_set():
            _threads().submit(partial(_advance, run_id))
        return
    try:
        _senders[settings.RUN_DISPATCHER](run_id)
    except Exception as error:  # noqa: BLE001 - each broker has its own
        logger.warning("run %s: could not be handed over yet: %s", run_id, error)


def _threads() -> ThreadPool:
    global _pool  # noqa: PLW0603 - one pool per process
    with _lock:
        if _pool is None:
            _pool = ThreadPool(settings.RUN_THREADS, "run")
        return _pool


def _advance(run_id: UUID) -> None:
    if _stop.is_set():
        # What waited in line stays queued, for the next process.
        return
    try:
        close_old_connections()
        advance(run_id)
    except Exception:
        logger.exception("run %s: could not be worked on", run_id)
    finally:
        release_connection()


def take_up() -> int:
    """Queue all runs that want a holder and have none; returns how many."""
    runs = runs_to_take_up()
    for run_id in runs:
        enqueue(run_id)
    return len(runs)


def hourly(job: Callable[[], object]) -> None:
    """Have the sweeper do this as well, once an hour, first after an hour."""
    if job not in _hourly:
        _hourly.append(job)


def start_background() -> None:
    """Start the sweeper of this process: recovery and expiry, and what is hourly."""
    global _sweeper  # noqa: PLW0603 - one sweeper per process
    _stop.clear()
    with _lock:
        if _sweeper is None or not _sweeper.is_alive():
            _sweeper = threading.Thread(target=_sweep, name="sweeper", daemon=True)
            _sweeper.start()


def _sweep() -> None:
    next_hour = time.monotonic() + HOUR
    while True:
        try:
            close_old_connections()
            take_up()
            if time.monotonic() >= next_hour:
                next_hour = time.monotonic() + HOUR
                for job in _hourly:
                    job()
        except Exception:
            logger.exception("the sweep failed")
        finally:
            release_connection()
        if _stop.wait(settings.RUN_SWEEP_SECONDS):
            return


def hand_back_after_grace() -> None:
    """Let the runs of this process go on for the grace period, then give back those
    that have not come to an end, until the process is gone."""
    time.sleep(settings.RUN_GRACE_SECONDS)
    while True:
        stop_holders()
        time.sleep(0.2)


def stop_soon() -> None:
    """At the signal to stop, from its handler: hand back what this process holds while
    the server still closes its connections. Another thread does it, for a handler may
    interrupt who holds a lock."""
    threading.Thread(target=_begin_to_stop, name="hand-back", daemon=True).start()


def _begin_to_stop() -> None:
    _stop.set()
    stop_holders()


def stop_background(grace_seconds: float) -> None:
    """Hand back what this process holds: streams cancelled, leases released."""
    _stop.set()
    deadline = time.monotonic() + grace_seconds
    while held() and time.monotonic() < deadline:
        # Each time: one may have been claimed just now.
        stop_holders()
        time.sleep(0.05)

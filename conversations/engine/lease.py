"""Who works on a run: claimed by compare-and-swap, kept by a heartbeat, fenced.

A claim raises ``lease_version``. Every engine transaction begins with an update of
the run that names the holder's version; a holder whose lease was taken over gets
zero rows and leaves without writing. One thread per process renews all its leases
and looks, twice a second, whether a stop came from another process.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections
from django.db.models import F, Q
from django.utils import timezone

from conversations.choices import RUN_CLAIMABLE, RunState
from conversations.models import Run
from supervisor_site.common.statements import update_where

logger = logging.getLogger("supervisor.lease")

LOOK_SECONDS = 0.5
FOR_EVER = datetime.max.replace(tzinfo=UTC)


class LeaseLostError(Exception):
    """Another holder has the run; nothing of this transaction is written."""


class HandBackError(Exception):
    """The process is asked to stop: give the run back as it stands."""


@dataclass
class Holder:
    """A process's hold on one run, ``until`` then unless it is renewed.

    ``wake`` is set when a stop or an end wants it. ``free``: the last commit has freed
    the lease already.
    """

    run_id: UUID
    version: int
    signal: int
    until: datetime = FOR_EVER
    wake: threading.Event = field(default_factory=threading.Event)
    stale: bool = False
    stopping: bool = False
    lost: bool = False
    free: bool = False


_lock = threading.Lock()
_holders: dict[UUID, Holder] = {}
_beat: threading.Thread | None = None
_stopped = threading.Event()


def owner_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"[:100]


def lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.RUN_LEASE_SECONDS)


def claimable(now: datetime) -> Q:
    """Runs that want a holder and have none: new, resumed, or left by a dead one.

    A waiting run wants one only to be stopped.
    """
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    stop_waiting = Q(
        state=RunState.WAITING_FOR_HUMAN, cancel_requested_at__isnull=False
    )
    return free & (Q(state__in=RUN_CLAIMABLE) | stop_waiting)


def claim(run_id: UUID) -> Holder | None:
    """Take the run, or ``None`` where somebody else has it or it wants nobody."""
    now = timezone.now()
    until = lease_end(now)
    before = (
        Run.objects.filter(pk=run_id).values_list("lease_version", "signal").first()
    )
    if before is None:
        return None
    version, signal = before
    taken = Run.objects.filter(claimable(now), pk=run_id, lease_version=version).update(
        lease_version=F("lease_version") + 1,
        lease_owner=owner_name(),
        lease_until=until,
        offered_at=None,
    )
    if not taken:
        return None
    holder = Holder(run_id, version + 1, signal, until)
    with _lock:
        _holders[run_id] = holder
        _start_heartbeat()
    return holder


def forget(holder: Holder) -> None:
    """No beat renews its lease any more."""
    with _lock:
        if _holders.get(holder.run_id) is holder:
            del _holders[holder.run_id]


def release(holder: Holder) -> None:
    """Forget the hold; where the run still names it, free the lease at once."""
    forget(holder)
    if not (holder.lost or holder.free):
        Run.objects.filter(
            pk=holder.run_id, lease_version=holder.version, lease_until__isnull=False
        ).update(lease_until=None, lease_owner="")


def fence(holder: Holder, now: datetime, values: dict[str, object]) -> None:
    """The fenced update that begins every engine transaction.

    Raises ``LeaseLostError`` where the version is not ours any more; notes in
    ``holder.stale`` that a signal has come, so that the rows are read again.
    """
    until = lease_end(now)
    values.setdefault("lease_until", until)
    where = {
        "pk": holder.run_id,
        "lease_version": holder.version,
        "signal": holder.signal,
    }
    if update_where(Run, values, where):
        holder.until = until
        return
    mine = Run.objects.filter(pk=holder.run_id, lease_version=holder.version)
    signal = mine.values_list("signal", flat=True).first()
    if signal is None or not mine.update(**values):
        holder.lost = True
        raise LeaseLostError
    holder.signal, holder.until = signal, until
    holder.stale = True


def confirm(holder: Holder) -> None:
    """Before an act that must not happen twice: raise ``LeaseLostError`` where the
    lease has run out meanwhile, as it does for a process that was paused."""
    if timezone.now() >= holder.until:
        holder.lost = True
        raise LeaseLostError


def wake_holder(run_id: UUID) -> None:
    """Make this process's holder of the run look up, if it is one."""
    with _lock:
        holder = _holders.get(run_id)
    if holder:
        holder.wake.set()


def held() -> list[Holder]:
    with _lock:
        return list(_holders.values())


def stop_holders() -> None:
    """Ask all holders of this process to hand their runs back."""
    for holder in held():
        holder.stopping = True
        holder.wake.set()


def _start_heartbeat() -> None:
    global _beat  # noqa: PLW0603 - one thread per process, guarded by the lock
    if _beat is None or not _beat.is_alive():
        _stopped.clear()
        _beat = threading.Thread(
            target=_keep_beating, name="lease-heartbeat", daemon=True
        )
        _beat.start()


def _keep_beating() -> None:
    beat_at = time.monotonic()
    while not _stopped.wait(LOOK_SECONDS):
        holders = held()
        if not holders:
            continue
        try:
            close_old_connections()
            look(holders)
            if time.monotonic() >= beat_at:
                beat_at = time.monotonic() + settings.RUN_HEARTBEAT_SECONDS
                for holder in holders:
                    renew(holder)
        except Exception:
            logger.exception("the lease heartbeat failed")
        finally:
            close_old_connections()


def renew(holder: Holder) -> None:
    """One beat: extend the lease."""
    until = lease_end(timezone.now())
    mine = Run.objects.filter(pk=holder.run_id, lease_version=holder.version)
    if mine.filter(lease_until__isnull=False).update(lease_until=until):
        holder.until = until


def look(holders: list[Holder]) -> None:
    """Wake the holders whose run was signalled, or taken over, by another process:
    one query for all of them."""
    ids = [holder.run_id for holder in holders]
    rows = Run.objects.filter(pk__in=ids).values_list("id", "lease_version", "signal")
    found = {run_id: (version, signal) for run_id, version, signal in rows}
    for holder in holders:
        if holder.run_id not in found:
            continue
        version, signal = found[holder.run_id]
        if version != holder.version:
            holder.lost = True
        if (version, signal) != (holder.version, holder.signal):
            holder.wake.set()

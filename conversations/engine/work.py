"""A holder at work: its rows, and the journal of what the next commit writes.

Changes are made in memory first and written together before the next act outside,
so that the result of one step and the intent of the next are one transaction.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.choices import EventKind
from conversations.engine.lease import Holder, fence
from conversations.engine.rows import Rows, load
from conversations.events import Journal
from conversations.models import HumanRequest, Payload, Run, TaskRun, ToolCall
from conversations.transitions import move

EVENT_OF: dict[type, EventKind] = {
    Run: EventKind.RUN_STATE,
    TaskRun: EventKind.TASK_RUN_STATE,
    ToolCall: EventKind.TOOL_CALL_STATE,
}


@dataclass
class Work:
    """``attempts_before`` counts what earlier holders tried of the model call at hand,
    so that a draft people saw is replaced and not appended to."""

    holder: Holder
    rows: Rows
    journal: Journal = field(init=False)
    attempts_before: int = 0
    _run_fields: set[str] = field(default_factory=set)
    _payloads: dict[str, str] = field(default_factory=dict)
    _stored: set[str] = field(default_factory=set)
    _clock: datetime = field(default_factory=timezone.now)

    def __post_init__(self) -> None:
        self.journal = Journal(self.rows.run.conversation_id, self.rows.run.id)

    @property
    def run(self) -> Run:
        return self.rows.run

    def now(self) -> datetime:
        """The time, strictly later at each call: rows are ordered by it."""
        self._clock = max(timezone.now(), self._clock + timedelta(microseconds=1))
        return self._clock

    def set_run(self, **values: Any) -> None:
        """Change fields of the run; they travel in the fenced update."""
        for name, value in values.items():
            setattr(self.run, name, value)
        self._run_fields.update(values)

    def move_run(self, state: str, **data: Any) -> None:
        old = move(self.run, state)
        self._run_fields.add("state")
        self.journal.note(EventKind.RUN_STATE, self.run, old=old, new=state, **data)

    def move(self, row: TaskRun | ToolCall, state: str, **values: Any) -> None:
        """Change a row's state and fields, with its event."""
        old = move(row, state)
        for name, value in values.items():
            setattr(row, name, value)
        self.journal.update(row, "state", *values)
        self.journal.note(EVENT_OF[type(row)], row, old=old, new=state)

    def settle_request(self, request: HumanRequest, state: str) -> None:
        move(request, state)
        request.decided_at = self.now()
        self.journal.update(request, "state", "decided_at")
        self.journal.note(EventKind.REQUEST_SETTLED, request, new=state)

    def payload(self, text: str) -> str:
        """Keep a large text by its hash; returns the key of its ``Payload``."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest not in self._stored:
            self._payloads[digest] = text
        return digest

    def commit(self, *, release: bool = False, beat: bool = False) -> None:
        """Write what has been journaled, fenced.

        ``release`` frees the lease; ``beat`` writes the fence even where nothing
        else is to be written: it renews the lease and reads the signal.
        """
        unwritten = not self.journal.is_empty or self._run_fields
        if not (unwritten or release or beat):
            return
        now = self.now()
        journal, self.journal = (
            self.journal,
            Journal(self.run.conversation_id, self.run.id),
        )
        values: dict[str, Any] = {
            name: getattr(self.run, name) for name in self._run_fields
        }
        if release:
            values.update(lease_until=None, lease_owner="")
        with transaction.atomic():
            if self._payloads:
                rows = [Payload(digest=d, text=t) for d, t in self._payloads.items()]
                Payload.objects.bulk_create(rows, ignore_conflicts=True)
            journal.write(now, guard=lambda: fence(self.holder, now, values))
        self.holder.free = release
        self._stored.update(self._payloads)
        self._payloads.clear()
        self._run_fields.clear()

    def reload(self) -> None:
        """Read the rows again after a signal; nothing may be unwritten."""
        self.rows = load(self.run.id)
        self.holder.stale = False


def work_on(holder: Holder) -> Work:
    return Work(holder, load(holder.run_id))

"""Record and number what happens, and wake up who listens.

A ``Journal`` collects the writes of one transaction. ``write`` takes numbers from
the conversation's counter, inserts and updates the rows together with one ``Event``
each, and wakes the listeners once the transaction is committed. Lock order:
Conversation, then Run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, models, transaction

from conversations.choices import EventKind
from conversations.models import Conversation, Event, Message, Run
from supervisor_site.common.statements import insert_rows, update_row

logger = logging.getLogger("supervisor.events")


@dataclass(frozen=True, slots=True)
class DraftDelta:
    """A piece of a reply that is being written; ``message_id`` will be its row's id.

    A higher ``attempt`` replaces what an earlier one sent.
    """

    conversation_id: UUID
    run_id: UUID
    task_run_id: UUID
    message_id: UUID
    agent: str
    attempt: int
    offset: int
    text: str


WakeListener = Callable[[UUID, int], None]
DeltaListener = Callable[[DraftDelta], None]

_wake_listeners: list[WakeListener] = []
_delta_listeners: list[DeltaListener] = []


def on_wake(callback: WakeListener) -> None:
    """Call ``callback(conversation_id, number)`` after each commit, in any thread."""
    if callback not in _wake_listeners:
        _wake_listeners.append(callback)


def on_delta(callback: DeltaListener) -> None:
    """Call ``callback(delta)`` for each piece of text, in the background loop."""
    if callback not in _delta_listeners:
        _delta_listeners.append(callback)


def off(callback: WakeListener | DeltaListener) -> None:
    """Stop calling; quiet where it was not listening."""
    for listeners in (_wake_listeners, _delta_listeners):
        if callback in listeners:
            listeners.remove(callback)  # type: ignore[arg-type]


def wake(conversation_id: UUID, number: int) -> None:
    for callback in list(_wake_listeners):
        # A listener that fails must not stop a run.
        try:
            callback(conversation_id, number)
        except Exception:
            logger.exception("a wake-up listener failed")


def publish_delta(delta: DraftDelta) -> None:
    for callback in list(_delta_listeners):
        try:
            callback(delta)
        except Exception:
            logger.exception("a delta listener failed")


def take_numbers(conversation_id: UUID, count: int, now: datetime) -> int:
    """Take ``count`` numbers in this transaction; return the first of them."""
    table = connection.ops.quote_name(Conversation._meta.db_table)
    key = Conversation._meta.pk.get_db_prep_value(conversation_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET last_number = last_number + %s, updated_at = %s"  # noqa: S608 - a table's own name
            " WHERE id = %s RETURNING last_number",
            [count, connection.ops.adapt_datetimefield_value(now), key],
        )
        (last,) = cursor.fetchone()
    return int(last) - count + 1


@dataclass
class _Note:
    kind: str
    row: UUID
    data: dict[str, Any]
    message: Message | None = None


@dataclass
class Journal:
    """The writes of one transaction, in the order they were made."""

    conversation_id: UUID
    run_id: UUID | None = None
    _inserts: dict[type[models.Model], list[models.Model]] = field(default_factory=dict)
    _updates: dict[int, tuple[models.Model, set[str]]] = field(default_factory=dict)
    _notes: list[_Note] = field(default_factory=list)

    def insert(self, row: models.Model) -> None:
        self._inserts.setdefault(type(row), []).append(row)

    def update(self, row: models.Model, *fields: str) -> None:
        """Write these fields; a row inserted by this journal is written whole."""
        if row in self._inserts.get(type(row), ()):
            return
        self._updates.setdefault(id(row), (row, set()))[1].update(fields)

    def note(self, kind: EventKind, row: models.Model, **data: Any) -> None:
        self._notes.append(_Note(kind, row.pk, data))

    def say(self, message: Message) -> None:
        """Insert a message; it gets the number of its event."""
        self.insert(message)
        self._notes.append(_Note(EventKind.MESSAGE, message.pk, {}, message))

    def note_message(self, message: Message) -> None:
        """Tell that a message already numbered has changed."""
        self._notes.append(
            _Note(EventKind.MESSAGE, message.pk, {"state": message.state})
        )

    @property
    def is_empty(self) -> bool:
        return not (self._inserts or self._updates or self._notes)

    def write(self, now: datetime, *, guard: Callable[[], None] | None = None) -> None:
        """Write all of it. Call inside ``transaction.atomic()``.

        ``guard`` runs after the conversation is locked and before any row is
        written; it raises to give up (the engine's fenced update of the run).
        """
        events = self._number(now) if self._notes else []
        if guard:
            guard()
        for rows in self._inserts.values():
            insert_rows(rows)
        for row, fields in self._updates.values():
            update_row(row, fields)
        if events:
            insert_rows(events)
            conversation_id, number = self.conversation_id, events[-1].number
            transaction.on_commit(lambda: wake(conversation_id, number))

    def _number(self, now: datetime) -> list[Event]:
        number = take_numbers(self.conversation_id, len(self._notes), now)
        events = []
        for note in self._notes:
            if note.message is not None:
                note.message.number = number
            events.append(
                Event(
                    conversation_id=self.conversation_id,
                    run_id=self.run_id,
                    number=number,
                    kind=note.kind,
                    row=note.row,
                    data=note.data,
                    created_at=now,
                )
            )
            number += 1
        return events


def lock(conversation_id: UUID, run_id: UUID | None = None) -> Run | None:
    """Lock the conversation, then the run, for the rest of the transaction.

    On SQLite an immediate transaction holds the one write lock already.
    """
    if connection.features.has_select_for_update:
        Conversation.objects.select_for_update().only("pk").get(pk=conversation_id)
    if run_id is None:
        return None
    runs = Run.objects.all()
    if connection.features.has_select_for_update:
        runs = runs.select_for_update()
    return runs.get(pk=run_id)

"""The events of a run as its readers get them, made from the rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from conversations import describe, spoken
from conversations.choices import RUN_ENDED, EventKind, MessageState
from conversations.models import (
    Event,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors.private import (
    hidden_tasks_of,
    is_said_to_people,
    said_to_people,
)

JsonObject = dict[str, Any]
OF_STATES = (EventKind.TASK_RUN_STATE, EventKind.TOOL_CALL_STATE, EventKind.MODEL_CALL)


@dataclass(frozen=True)
class RowEvent:
    """One event that can be sent: ``message_id`` where it completes a message."""

    number: int
    kind: str
    data: JsonObject
    message_id: UUID | None = None


@dataclass(frozen=True)
class Look:
    """What the rows said at one moment."""

    events: list[RowEvent]
    last_number: int
    partial: list[Message] = field(default_factory=list)
    ended: JsonObject | None = None


def look(run_id: UUID, after: int) -> Look:
    """The run's events after number ``after``, the drafts in their rows, and the run
    itself once it has ended. The number of queries does not depend on the rows."""
    # The state is read first: all events of a run that has ended are there.
    run = Run.objects.only("state", "team_version_id").get(pk=run_id)
    ended = None
    if run.state in RUN_ENDED:
        whole = describe.for_run_objects(Run.objects.filter(pk=run_id)).get()
        ended = describe.run_object(whole)
    events = list(Event.objects.filter(run=run_id, number__gt=after).order_by("number"))
    hidden = hidden_tasks_of(run)
    partial = Message.objects.filter(run=run_id, state=MessageState.PARTIAL)
    return Look(
        events=row_events(run, events, hidden),
        last_number=events[-1].number if events else after,
        partial=[]
        if ended
        else list(said_to_people(partial.defer("reasoning"), hidden)),
        ended=ended,
    )


def row_events(
    run: Run, events: Sequence[Event], hidden: Collection[UUID] = ()
) -> list[RowEvent]:
    """Those that can be sent; none of the task runs in ``hidden`` but what asks."""
    objects = RowObjects(events, hidden)
    made = (row_event(run, event, objects) for event in events)
    return [event for event in made if event is not None]


def row_event(run: Run, event: Event, objects: RowObjects) -> RowEvent | None:
    """``None`` for what readers have no use for."""
    if event.kind == EventKind.RUN_STATE:
        state = event.data.get("new", run.state)
        return RowEvent(event.number, event.kind, {"id": str(run.id), "state": state})
    if event.kind == EventKind.MESSAGE:
        return message_event(event, objects.message(event))
    made = objects.described(event)
    if made is None:
        return None
    if event.kind in OF_STATES:
        # The state of that moment; the row may have gone on since.
        made["state"] = event.data.get("new", made["state"])
    return RowEvent(event.number, event.kind, made)


def message_event(event: Event, message: Message | None) -> RowEvent | None:
    """A message that is still being written is told of by its deltas."""
    if message is None or message.state == MessageState.PARTIAL:
        return None
    data = describe.message_object(message)
    return RowEvent(event.number, "message.completed", data, message_id=message.pk)


class RowObjects:
    """The rows that a batch of events speaks of, loaded one query a kind."""

    def __init__(self, events: Iterable[Event], hidden: Collection[UUID]) -> None:
        self.hidden = hidden
        self.rows_of: dict[str, set[UUID]] = {}
        for event in events:
            self.rows_of.setdefault(event.kind, set()).add(event.row)
        self.messages = self.load(Message.objects.defer("reasoning"), EventKind.MESSAGE)
        self.task_runs = self.load(TaskRun.objects.all(), EventKind.TASK_RUN_STATE)
        self.taken_over = self.load(
            TaskRun.objects.select_related("origin_call__task_run"), EventKind.HANDOFF
        )
        self.tool_calls = self.load(
            ToolCall.objects.select_related("child"), EventKind.TOOL_CALL_STATE
        )
        self.model_calls = self.load(
            ModelCall.objects.select_related("message"), EventKind.MODEL_CALL
        )
        self.requests = self.load(
            describe.for_human_request_objects(HumanRequest.objects.all()),
            EventKind.REQUEST_OPENED,
            EventKind.REQUEST_SETTLED,
        )

    def load(self, rows: QuerySet[Any], *kinds: EventKind) -> dict[UUID, Any]:
        ids = set().union(*(self.rows_of.get(kind, set()) for kind in kinds))
        return {row.pk: row for row in rows.filter(pk__in=ids)} if ids else {}

    def message(self, event: Event) -> Message | None:
        message: Message | None = self.messages.get(event.row)
        shown = message is not None and is_said_to_people(message, self.hidden)
        return message if shown else None

    def is_hidden(self, event: Event, row: Any) -> bool:
        """Who takes over is told of hidden participants too, and what they ask."""
        if event.kind not in OF_STATES:
            return False
        task_id = row.pk if isinstance(row, TaskRun) else row.task_run_id
        return task_id in self.hidden

    def described(self, event: Event) -> JsonObject | None:
        kinds: dict[str, tuple[dict[UUID, Any], Callable[[Any], JsonObject]]] = {
            EventKind.TASK_RUN_STATE: (self.task_runs, describe.task_run_object),
            EventKind.TOOL_CALL_STATE: (self.tool_calls, describe.tool_call_object),
            EventKind.MODEL_CALL: (self.model_calls, describe.model_call_object),
            EventKind.REQUEST_OPENED: (self.requests, describe.human_request_object),
            EventKind.REQUEST_SETTLED: (self.requests, describe.human_request_object),
            EventKind.HANDOFF: (self.taken_over, handoff_object),
        }
        rows, make = kinds.get(event.kind, ({}, dict))
        row = rows.get(event.row)
        return None if row is None or self.is_hidden(event, row) else make(row)


def handoff_object(task_run: TaskRun) -> JsonObject:
    call = task_run.origin_call
    assert call is not None
    return spoken.handoff(call, call.task_run, task_run)

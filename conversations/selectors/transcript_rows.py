"""The rows a transcript is made of, in a number of queries that does not grow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import Min, QuerySet

from conversations.models import (
    Conversation,
    Event,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors.private import with_descendants
from teams.definition import TeamDefinition
from teams.services.versions import definition_of

# A row that has no event yet stands last; its event will move it.
LAST = 2_147_483_647


@dataclass
class TranscriptRows:
    """Rows of some runs of one conversation; ``numbers`` orders them.

    ``tasks`` and ``calls`` are always those of the whole runs, since a leaf's place
    depends on its ancestors and a head sums up its calls.
    """

    conversation: Conversation
    runs: Mapping[UUID, Run]
    tasks: Mapping[UUID, TaskRun]
    calls: Mapping[UUID, ToolCall]
    requests: list[HumanRequest]
    messages: list[Message]
    model_calls: list[ModelCall]
    numbers: Mapping[UUID, int]

    def number(self, row_id: UUID) -> int:
        return self.numbers.get(row_id, LAST)

    def definition(self, run_id: UUID) -> TeamDefinition:
        return definition_of(self.runs[run_id].team_version_id)

    def run_of(self, call: ToolCall) -> UUID:
        return self.tasks[call.task_run_id].run_id

    @cached_property
    def calls_by_task(self) -> dict[UUID, list[ToolCall]]:
        grouped: dict[UUID, list[ToolCall]] = {}
        for call in self.calls.values():
            grouped.setdefault(call.task_run_id, []).append(call)
        return grouped

    @cached_property
    def hidden(self) -> set[UUID]:
        """What the team hides from people: its task runs and all below them (H9)."""
        tops = {
            task.id
            for task in self.tasks.values()
            if task.depth == 0
            and task.agent_uid in self.definition(task.run_id).outputs.hidden
        }
        return with_descendants(self.tasks.values(), tops)

    @cached_property
    def delegated(self) -> set[UUID | None]:
        """The calls that have started a task run."""
        return {task.origin_call_id for task in self.tasks.values()}

    @cached_property
    def asked(self) -> set[UUID]:
        """The calls that were put to a person."""
        return {request.call_id for request in self.requests}


def runs_of(conversation: Conversation) -> QuerySet[Run]:
    return (
        Run.objects.filter(conversation=conversation)
        .select_related("request")
        .defer(
            "tool_state", "variables", "answer", "request__text", "request__reasoning"
        )
    )


def latest_runs(
    conversation: Conversation, *, before: int | None, count: int
) -> tuple[list[Run], bool]:
    """The last ``count`` runs, oldest first, and whether there are earlier ones.

    ``before`` is the number of a message: only runs opened earlier than it.
    """
    runs = runs_of(conversation).order_by("-request__number")
    if before is not None:
        runs = runs.filter(request__number__lt=before)
    found = list(runs[: count + 1])
    return found[:count][::-1], len(found) > count


def all_rows(conversation: Conversation, runs: Iterable[Run]) -> TranscriptRows:
    """Everything of these runs."""
    by_id = {run.id: run for run in runs}
    ids = list(by_id)
    calls = ToolCall.objects.filter(task_run__run__in=ids)
    messages = Message.objects.filter(run__in=ids).order_by("number")
    found = _rows(conversation, by_id, calls=calls, messages=messages)
    debugged = [run.id for run in by_id.values() if run.debug]
    if debugged:
        found.model_calls = list(
            ModelCall.objects.filter(task_run__run__in=debugged).order_by("started_at")
        )
    return found


def some_rows(
    conversation: Conversation, run_ids: Collection[UUID], changed: Collection[UUID]
) -> TranscriptRows:
    """Of these runs, the messages and results in ``changed`` and all their heads."""
    runs = {run.id: run for run in runs_of(conversation).filter(id__in=run_ids)}
    calls = ToolCall.objects.filter(task_run__run__in=runs)
    messages = Message.objects.filter(id__in=changed, run__in=runs).order_by("number")
    rows = _rows(
        conversation, runs, calls=calls.defer("result", "asked"), messages=messages
    )
    rows.calls = {**rows.calls, **calls.in_bulk(list(changed))}
    if any(run.debug for run in runs.values()):
        rows.model_calls = list(ModelCall.objects.filter(id__in=changed))
    return rows


def _rows(
    conversation: Conversation,
    runs: Mapping[UUID, Run],
    *,
    calls: QuerySet[ToolCall],
    messages: QuerySet[Message],
) -> TranscriptRows:
    tasks = TaskRun.objects.filter(run__in=runs).order_by("started_at")
    requests = HumanRequest.objects.filter(run__in=runs).select_related("decided_by")
    numbers = (
        Event.objects.filter(run__in=runs)
        .order_by()
        .values_list("row")
        .annotate(first=Min("number"))
    )
    return TranscriptRows(
        conversation=conversation,
        runs=runs,
        tasks={task.id: task for task in tasks},
        calls={call.id: call for call in calls.order_by("created_at", "position")},
        requests=list(requests),
        messages=list(messages),
        model_calls=[],
        numbers=dict(numbers),
    )

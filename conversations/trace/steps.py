"""The rows of a trace in the order people read them: each task run, then what it did.

Two levels: a task run holds its model calls, tool calls and the task runs it opened;
a tool call holds the human wait that held it up. A delegation that opened a task run
has no row of its own, and a question to a person is the wait itself. A handover is a
row; who took over stands next, at the top. A notice is a word of the product to the
agent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from conversations.choices import ToolCallKind
from conversations.models import (
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors.private import NOTICE

Source = TaskRun | ModelCall | ToolCall | HumanRequest | Message


@dataclass(frozen=True, slots=True)
class Step:
    """``kind`` is task, model, tool, handoff, notice or wait; ``end`` is empty while it
    goes on, and where no end was recorded."""

    kind: str
    row: Source
    task_run: TaskRun
    depth: int
    start: datetime
    end: datetime | None

    @property
    def id(self) -> UUID:
        return self.row.id


@dataclass
class Loaded:
    """The rows of a run by what they belong to; texts are left in the database."""

    children: dict[UUID | None, list[TaskRun]]
    model_calls: dict[UUID, list[ModelCall]]
    tool_calls: dict[UUID, list[ToolCall]]
    waits: dict[UUID, list[HumanRequest]]
    notices: dict[UUID | None, list[Message]]

    def asked_by(self, call: ModelCall) -> list[ToolCall]:
        """The tool calls of one reply, in the model's order."""
        calls = self.tool_calls.get(call.task_run_id, [])
        return [c for c in calls if c.model_call_id == call.id]


def load(run: Run, *, without: Collection[UUID] = ()) -> Loaded:
    """All that the rows of a trace show, in five queries however many there are; not
    the task runs in ``without``, which are kept from the reader."""
    children: defaultdict[UUID | None, list[TaskRun]] = defaultdict(list)
    tasks = TaskRun.objects.filter(run=run).defer("request", "result")
    tasks = tasks.select_related("origin_call")
    for task in tasks.order_by("position", "started_at"):
        if task.id not in without:
            children[task.parent_id].append(task)
    model_calls: defaultdict[UUID, list[ModelCall]] = defaultdict(list)
    for call in ModelCall.objects.filter(task_run__run=run).order_by("started_at"):
        model_calls[call.task_run_id].append(call)
    tool_calls: defaultdict[UUID, list[ToolCall]] = defaultdict(list)
    calls = ToolCall.objects.filter(task_run__run=run).defer("asked", "result")
    for tool_call in calls.order_by("created_at", "position"):
        tool_calls[tool_call.task_run_id].append(tool_call)
    waits: defaultdict[UUID, list[HumanRequest]] = defaultdict(list)
    requests = HumanRequest.objects.filter(run=run).select_related("decided_by", "call")
    for request in requests.order_by("created_at"):
        waits[request.call_id].append(request)
    notices: defaultdict[UUID | None, list[Message]] = defaultdict(list)
    for notice in Message.objects.filter(NOTICE, run=run).order_by("number"):
        notices[notice.task_run_id].append(notice)
    return Loaded(children, model_calls, tool_calls, waits, notices)


def steps_of(loaded: Loaded) -> list[Step]:
    steps: list[Step] = []
    # A stack, not recursion: nothing bounds how deep rows may nest.
    pending = [_task_step(task, 0) for task in loaded.children.get(None, [])[::-1]]
    while pending:
        step = pending.pop()
        steps.append(step)
        if isinstance(step.row, TaskRun):
            pending += _inside(loaded, step.row, step.depth + 1)[::-1]
        elif isinstance(step.row, ToolCall):
            waits = loaded.waits.get(step.row.id, [])
            pending += [
                _wait_step(w, step.task_run, step.depth + 1) for w in waits[::-1]
            ]
    return steps


def _inside(loaded: Loaded, task: TaskRun, depth: int) -> list[Step]:
    """What one task run did: each model call, then its calls in the model's order."""
    keyed: list[tuple[tuple[datetime, int], Step]] = [
        ((call.started_at, -1), _model_step(call, task, depth))
        for call in loaded.model_calls.get(task.id, [])
    ]
    keyed += [
        ((notice.created_at, -2), _notice_step(notice, task, depth))
        for notice in loaded.notices.get(task.id, [])
    ]
    children = {
        child.origin_call_id: child for child in loaded.children.get(task.id, [])
    }
    for call in loaded.tool_calls.get(task.id, []):
        key = (call.created_at, call.position)
        child = children.pop(call.id, None)
        waits = loaded.waits.get(call.id, [])
        if child is not None:
            keyed.append((key, _task_step(child, depth)))
        elif call.kind == ToolCallKind.ASK_HUMAN and waits:
            keyed += [(key, _wait_step(wait, task, depth)) for wait in waits]
        else:
            keyed.append((key, _tool_step(call, task, depth)))
    keyed += [((c.started_at, -1), _task_step(c, depth)) for c in children.values()]
    return [step for _key, step in sorted(keyed, key=lambda pair: pair[0])]


def _task_step(task: TaskRun, depth: int) -> Step:
    return Step("task", task, task, depth, task.started_at, task.finished_at)


def _model_step(call: ModelCall, task: TaskRun, depth: int) -> Step:
    return Step("model", call, task, depth, call.started_at, call.finished_at)


def _tool_step(call: ToolCall, task: TaskRun, depth: int) -> Step:
    start = call.started_at or call.created_at
    kind = "handoff" if call.kind == ToolCallKind.HANDOFF else "tool"
    return Step(kind, call, task, depth, start, call.finished_at)


def _notice_step(notice: Message, task: TaskRun, depth: int) -> Step:
    return Step("notice", notice, task, depth, notice.created_at, notice.created_at)


def _wait_step(request: HumanRequest, task: TaskRun, depth: int) -> Step:
    return Step("wait", request, task, depth, request.created_at, request.decided_at)

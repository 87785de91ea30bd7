"""The rows of a run, loaded once and kept while the lease holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from conversations.choices import TASK_RUN_OPEN
from conversations.models import (
    HumanRequest,
    Message,
    ModelCall,
    Run,
    StandingApproval,
    TaskRun,
    Thread,
    ToolCall,
)
from teams.definition import TeamDefinition
from teams.services.versions import definition_of


@dataclass
class Rows:
    """One run as it stands. ``messages`` holds the threads an open task may need,
    from this run and those it follows; ``calls`` the tool calls by model call."""

    run: Run
    definition: TeamDefinition
    path: tuple[UUID, ...]
    task_runs: list[TaskRun] = field(default_factory=list)
    model_calls: dict[UUID, list[ModelCall]] = field(default_factory=dict)
    calls: dict[UUID, list[ToolCall]] = field(default_factory=dict)
    requests: dict[UUID, list[HumanRequest]] = field(default_factory=dict)
    messages: dict[UUID, list[Message]] = field(default_factory=dict)
    threads: dict[UUID, Thread] = field(default_factory=dict)
    standing: set[UUID] = field(default_factory=set)

    def add_message(self, message: Message) -> None:
        """Put a message where it is read: its thread, or, said to everyone, each
        thread at hand whose agent sees the conversation."""
        for thread_id, messages in self.messages.items():
            thread = self.threads.get(thread_id)
            everyone = message.to_everyone and thread and thread.sees_conversation
            if (thread_id == message.thread_id or everyone) and message not in messages:
                messages.append(message)

    def deepest_open(self) -> TaskRun | None:
        """The task run the loop works on: children open after their parents."""
        for task in reversed(self.task_runs):
            if task.state in TASK_RUN_OPEN:
                return task
        return None

    def last_top(self) -> TaskRun | None:
        tops = [task for task in self.task_runs if task.parent_id is None]
        return max(tops, key=lambda task: task.position) if tops else None

    def child_of(self, call: ToolCall) -> TaskRun | None:
        return next((t for t in self.task_runs if t.origin_call_id == call.id), None)

    def task_run(self, task_run_id: UUID | None) -> TaskRun | None:
        return next((t for t in self.task_runs if t.id == task_run_id), None)

    def last_model_call(self, task: TaskRun) -> ModelCall | None:
        calls = self.model_calls.get(task.id)
        return calls[-1] if calls else None

    def message_of(self, call: ModelCall, thread_id: UUID) -> Message | None:
        messages = self.messages.get(thread_id, ())
        return next((m for m in reversed(messages) if m.model_call_id == call.id), None)

    def all_calls(self) -> list[ToolCall]:
        """The tool calls of this run, in no particular order."""
        own = {task.id for task in self.task_runs}
        return [
            c for calls in self.calls.values() for c in calls if c.task_run_id in own
        ]


def path_of(run: Run) -> tuple[UUID, ...]:
    """This run and those it follows, newest first."""
    path = [run.id]
    if run.follows_id is None:
        return tuple(path)
    follows = dict(
        Run.objects.filter(conversation_id=run.conversation_id).values_list(
            "id", "follows_id"
        )
    )
    current: UUID | None = run.follows_id
    while current is not None and current not in path:
        path.append(current)
        current = follows.get(current)
    return tuple(path)


def load(run_id: UUID) -> Rows:
    run = Run.objects.select_related("requested_by", "conversation").get(pk=run_id)
    rows = Rows(run, definition_of(run.team_version_id), path_of(run))
    if any(tool.remember_approval for tool in rows.definition.tools.values()):
        standing = StandingApproval.objects.filter(conversation_id=run.conversation_id)
        rows.standing = set(standing.values_list("tool_uid", flat=True))
    rows.task_runs = list(
        TaskRun.objects.filter(run=run)
        .select_related("thread")
        .order_by("started_at", "depth")
    )
    if rows.task_runs:
        load_calls(rows, [task.id for task in rows.task_runs])
        for task in rows.task_runs:
            if task.state in TASK_RUN_OPEN:
                load_thread(rows, task.thread)
    return rows


def load_calls(rows: Rows, task_ids: list[UUID]) -> None:
    """The calls of this run's tasks, bound to the very task rows that change."""
    tasks = {task.id: task for task in rows.task_runs}
    by_task: defaultdict[UUID, list[ModelCall]] = defaultdict(list)
    for model_call in ModelCall.objects.filter(task_run__in=task_ids).order_by(
        "started_at"
    ):
        model_call.task_run = tasks[model_call.task_run_id]
        by_task[model_call.task_run_id].append(model_call)
    rows.model_calls = dict(by_task)
    calls = list(ToolCall.objects.filter(task_run__in=task_ids))
    for call in calls:
        call.task_run = tasks[call.task_run_id]
    _group(rows, calls)
    for request in HumanRequest.objects.filter(run=rows.run).order_by("created_at"):
        rows.requests.setdefault(request.call_id, []).append(request)


def load_thread(rows: Rows, thread: Thread) -> None:
    """A thread's messages on the path of this run, with the calls of earlier runs;
    where its agent sees the conversation, what was said to everyone as well (H3)."""
    read = Q(thread=thread.id)
    if thread.sees_conversation:
        read |= Q(to_everyone=True, conversation=thread.conversation_id)
    rows.threads[thread.id] = thread
    rows.messages[thread.id] = list(
        Message.objects.filter(read, run__in=rows.path).order_by("number")
    )
    earlier = [
        message.model_call_id
        for message in rows.messages[thread.id]
        if message.model_call_id
        and message.thread_id == thread.id
        and message.model_call_id not in rows.calls
    ]
    if earlier:
        _group(rows, ToolCall.objects.filter(model_call__in=earlier))


def _group(rows: Rows, calls: Iterable[ToolCall]) -> None:
    for call in calls:
        rows.calls.setdefault(call.model_call_id, []).append(call)
    for group in rows.calls.values():
        group.sort(key=lambda call: call.position)


def open_thread(
    rows: Rows, *, agent_uid: UUID, key: str, sees_conversation: bool = False
) -> Thread:
    """The conversation's lasting thread of that key, made on first use."""
    thread, _made = Thread.objects.get_or_create(
        conversation_id=rows.run.conversation_id,
        key=key,
        defaults={
            "agent_uid": agent_uid,
            "agent_name": rows.definition.agents[agent_uid].name,
            "sees_conversation": sees_conversation,
        },
    )
    return thread

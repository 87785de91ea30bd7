"""A conversation as a tree of leaves: what the page shows and the push replaces.

Each leaf has a stable id in the page, the id of the container it stands in and a
number that orders it there. The first event of a row gives its number; a message
has its own. Containers are the turn of a run and the group of a worker's task.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from conversations.choices import (
    MessageRole,
    MessageState,
    ToolCallKind,
    ToolCallState,
)
from conversations.models import (
    Conversation,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors import leaf_facts, request_facts
from conversations.selectors.private import is_said_to_people
from conversations.selectors.transcript_rows import (
    TranscriptRows,
    all_rows,
    latest_runs,
    some_rows,
)
from teams.choices import Pattern

RUNS_A_PAGE = 20
GROUPS_INDENTED = 2
TRANSCRIPT = "transcript"


@dataclass
class Leaf:
    """``kind`` names the fragment file, ``facts`` is what it reads beside ``row``.

    ``present`` is false for a leaf that has nothing to show and must go.
    """

    kind: str
    key: str
    parent: str
    number: int
    run_id: UUID
    row: Any
    facts: dict[str, Any] = field(default_factory=dict)
    children: list[Leaf] = field(default_factory=list)
    present: bool = True

    @property
    def template(self) -> str:
        return f"_fragments/{self.kind}.html"


@dataclass(frozen=True)
class Transcript:
    """``earlier`` is the number to page back from, if there is more before."""

    leaves: list[Leaf]
    last_run: Run | None
    earlier: int | None


def read(conversation: Conversation, *, before: int | None = None) -> Transcript:
    """The latest runs of a conversation as trees, in nine queries at most."""
    runs, more = latest_runs(conversation, before=before, count=RUNS_A_PAGE)
    rows = all_rows(conversation, runs)
    turns = {f"turn-body-{run.id}": turn_leaf(rows, run) for run in runs}
    containers = dict(turns)
    for task in rows.tasks.values():
        if grouped(rows, task):
            containers[f"task-body-{task.id}"] = task_leaf(rows, task)
    inner = [leaf for key, leaf in containers.items() if key not in turns]
    for leaf in [*inner, *_small_leaves(rows)]:
        if leaf.present:
            containers[leaf.parent].children.append(leaf)
    for leaf in containers.values():
        leaf.children.sort(key=lambda child: child.number)
    return Transcript(
        leaves=list(turns.values()),
        last_run=runs[-1] if runs else None,
        earlier=runs[0].request.number if more else None,
    )


def changed(
    conversation: Conversation, run_ids: Collection[UUID], row_ids: Collection[UUID]
) -> list[Leaf]:
    """The leaves of these rows, after all containers of their runs.

    A container stands for its frame alone: a page that has it keeps its own.
    """
    rows = some_rows(conversation, run_ids, row_ids)
    wanted = set(row_ids)
    groups = [task for task in rows.tasks.values() if grouped(rows, task)]
    return [
        *(turn_leaf(rows, run) for run in rows.runs.values()),
        *(task_leaf(rows, task) for task in groups),
        *(task_head_leaf(rows, t) for t in groups if _touched(rows, t, wanted)),
        *sorted(_small_leaves(rows, wanted), key=lambda leaf: leaf.number),
        *(run_leaf(rows, run) for run in rows.runs.values() if run.id in wanted),
    ]


def one(conversation: Conversation, run_id: UUID, row_id: UUID) -> Leaf | None:
    """The leaf of one row, for a page that was sent a reference to it."""
    rows = some_rows(conversation, [run_id], [row_id])
    if row_id in rows.runs:
        return run_leaf(rows, rows.runs[row_id])
    leaves = _small_leaves(rows, {row_id})
    return next((leaf for leaf in leaves if leaf.row.id == row_id), None)


def home(rows: TranscriptRows, run_id: UUID, task: TaskRun | None) -> str:
    """The container of what belongs to this task: its own group, or an ancestor's."""
    while task is not None and not grouped(rows, task):
        task = rows.tasks.get(task.parent_id) if task.parent_id else None
    return f"task-body-{task.id}" if task else f"turn-body-{run_id}"


def grouped(rows: TranscriptRows, task: TaskRun) -> bool:
    """A worker's part is a group; who leads, is alone or has the floor speaks directly.

    A participant whose texts are a step on the way is folded like a worker, a hidden
    one has no part: only what it asks a person is shown (H9).
    """
    if task.id in rows.hidden:
        return False
    if task.depth > 0:
        return True
    definition = rows.definition(task.run_id)
    if definition.pattern == Pattern.HANDOFF:
        return task.agent_uid in definition.outputs.intermediate
    return not task.leads and len(definition.members) > 1


def turn_leaf(rows: TranscriptRows, run: Run) -> Leaf:
    leaf = Leaf("turn", f"turn-{run.id}", TRANSCRIPT, run.request.number, run.id, run)
    leaf.facts = {"end": run_leaf(rows, run)}
    return leaf


def run_leaf(rows: TranscriptRows, run: Run) -> Leaf:
    return Leaf(
        "run",
        f"run-{run.id}",
        f"turn-foot-{run.id}",
        run.request.number,
        run.id,
        run,
        leaf_facts.of_run(rows, run),
    )


def task_leaf(rows: TranscriptRows, task: TaskRun) -> Leaf:
    above = rows.tasks.get(task.parent_id) if task.parent_id else None
    leaf = Leaf(
        "task",
        f"task-{task.id}",
        home(rows, task.run_id, above),
        rows.number(task.id),
        task.run_id,
        task,
    )
    leaf.facts = {"head": task_head_leaf(rows, task)}
    return leaf


def task_head_leaf(rows: TranscriptRows, task: TaskRun) -> Leaf:
    return Leaf(
        "task_head",
        f"task-head-{task.id}",
        f"task-{task.id}",
        0,
        task.run_id,
        task,
        leaf_facts.of_task(rows, task) | {"path": _path_of_groups(rows, task)},
    )


def _path_of_groups(rows: TranscriptRows, task: TaskRun) -> list[str]:
    """Whose groups lead to this one, which is not indented any more; empty for the
    first two, whose place is seen."""
    path: list[str] = []
    row: TaskRun | None = task
    while row is not None and grouped(rows, row):
        path.insert(0, row.agent_name)
        row = rows.tasks.get(row.parent_id) if row.parent_id else None
    return path if len(path) > GROUPS_INDENTED else []


def message_leaf(rows: TranscriptRows, message: Message) -> Leaf:
    task = rows.tasks.get(message.task_run_id) if message.task_run_id else None
    from_person = message.role == MessageRole.USER
    as_request = from_person and task is not None and grouped(rows, task)
    return Leaf(
        "message",
        f"message-{message.id}",
        home(rows, message.run_id, task),
        message.number,
        message.run_id,
        message,
        leaf_facts.of_message(rows, message, task, as_request=as_request),
        present=_is_said(rows, message, task, as_request=as_request),
    )


def _is_said(
    rows: TranscriptRows, message: Message, task: TaskRun | None, *, as_request: bool
) -> bool:
    """Whether a person is shown it: not a reply of calls alone, not what was said just
    above, not what ``private`` keeps from people."""
    if not is_said_to_people(message, rows.hidden):
        return False
    if as_request and task and task.depth == 0 and task.position == 0:
        return False
    return bool(message.text.strip()) or message.state == MessageState.PARTIAL


def call_leaf(rows: TranscriptRows, call: ToolCall) -> Leaf:
    task = rows.tasks[call.task_run_id]
    handed_over = call.kind == ToolCallKind.HANDOFF and not _went_wrong(call)
    return Leaf(
        "handoff" if handed_over else "call",
        f"call-{call.id}",
        home(rows, task.run_id, task),
        rows.number(call.id),
        task.run_id,
        call,
        leaf_facts.of_call(rows, call),
        # While a person is asked about it, the card shows it.
        present=call.state != ToolCallState.WAITING_FOR_HUMAN,
    )


def model_leaf(rows: TranscriptRows, call: ModelCall) -> Leaf:
    """A model's call, which a debug run shows as it happens (D5)."""
    task = rows.tasks[call.task_run_id]
    return Leaf(
        "model_call",
        f"model-{call.id}",
        home(rows, task.run_id, task),
        rows.number(call.id),
        task.run_id,
        call,
        leaf_facts.of_model_call(rows, call),
        present=task.id not in rows.hidden,
    )


def request_leaf(rows: TranscriptRows, request: HumanRequest) -> Leaf:
    task = rows.tasks[request.task_run_id]
    return Leaf(
        "request",
        f"request-{request.id}",
        home(rows, task.run_id, task),
        rows.number(request.id),
        task.run_id,
        request,
        request_facts.of_request(rows, request),
    )


def _small_leaves(
    rows: TranscriptRows, wanted: Collection[UUID] | None = None
) -> Iterable[Leaf]:
    """The leaves that hold no others; with ``wanted`` those of these rows only."""

    def concerns(*ids: UUID) -> bool:
        return wanted is None or any(row_id in wanted for row_id in ids)

    yield from (message_leaf(rows, m) for m in rows.messages if concerns(m.id))
    yield from (model_leaf(rows, c) for c in rows.model_calls if concerns(c.id))
    yield from (
        call_leaf(rows, call)
        for call in rows.calls.values()
        if concerns(call.id) and _shown_as_call(rows, call)
    )
    # The card names what has become of its call.
    yield from (
        request_leaf(rows, request)
        for request in rows.requests
        if concerns(request.id, request.call_id)
    )


def _shown_as_call(rows: TranscriptRows, call: ToolCall) -> bool:
    """A delegation is shown as its group, a question as its card."""
    if call.task_run_id in rows.hidden and call.kind != ToolCallKind.HANDOFF:
        return False
    if call.kind == ToolCallKind.DELEGATE:
        return call.id not in rows.delegated and _went_wrong(call)
    if call.kind == ToolCallKind.ASK_HUMAN:
        return call.id not in rows.asked and _went_wrong(call)
    if call.kind == ToolCallKind.HANDOFF:
        return call.state == ToolCallState.SUCCEEDED or _went_wrong(call)
    return True


def _went_wrong(call: ToolCall) -> bool:
    return call.state in (ToolCallState.FAILED, ToolCallState.DENIED)


def _touched(rows: TranscriptRows, task: TaskRun, wanted: set[UUID]) -> bool:
    """A head tells its task's state and sums up its calls."""
    calls = rows.calls_by_task.get(task.id, ())
    return task.id in wanted or any(call.id in wanted for call in calls)

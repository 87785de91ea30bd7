"""The objects of docs/api.md as schemas: what goes out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import WithJsonSchema

from conversations.choices import (
    MessageRole,
    MessageState,
    ModelCallState,
    RequestKind,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from supervisor_site.api_base import Id, Timestamp


class ErrorOut(Schema):
    code: str
    message: str


class UsageOut(Schema):
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


class OutputOut(Schema):
    agent: str
    text: str
    kind: Literal["output", "intermediate"]


# "from" is no name in Python.
HandoffOut = Annotated[
    dict[str, str],
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                "from": {"type": "string"},
                "to": {"type": "string"},
                "reason": {"type": "string"},
                "at": {"type": "string", "format": "date-time"},
            },
        }
    ),
]


class HumanRequestOut(Schema):
    id: Id
    kind: RequestKind
    state: RequestState
    prompt: str
    choices: list[str]
    tool: str | None
    arguments: dict[str, Any]
    edited: bool
    may_remember: bool
    remember: bool
    agent: str
    task: str | None
    path: list[str]
    run_id: Id
    conversation_id: Id
    created_at: Timestamp
    expires_at: Timestamp
    decided_by: str | None
    decided_at: Timestamp | None
    answer: str
    reason: str


class RunOut(Schema):
    id: Id
    team: str
    version: int
    conversation_id: Id
    state: RunState
    prompt: str
    answer: str
    outputs: list[OutputOut]
    error: ErrorOut | None
    human_requests: list[HumanRequestOut]
    human_request: HumanRequestOut | None
    path: list[str]
    handoffs: list[HandoffOut]
    active_agent: str | None
    ended_by: str | None
    retry_of: Id | None
    read_only: bool
    debug: bool
    user: str
    usage: UsageOut
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None


class MessageOut(Schema):
    id: Id
    number: int
    run_id: Id
    task_run_id: Id | None
    author: str
    role: MessageRole
    text: str
    state: MessageState
    created_at: Timestamp


class ConversationOut(Schema):
    id: Id
    team: str
    owner: str
    title: str
    active_agent: str | None
    open_run_id: Id | None
    state: RunState | None
    ended_by: str | None
    ended_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class TaskRunOut(Schema):
    id: Id
    run_id: Id
    parent_id: Id | None
    agent: str
    task: str | None
    depth: int
    position: int
    thread_id: Id
    state: TaskRunState
    request: str
    result: str
    error: ErrorOut | None
    rounds: int
    worked_ms: int
    input_tokens: int
    output_tokens: int
    budget_used_up: str | None
    autonomous_turns: int
    started_at: Timestamp
    finished_at: Timestamp | None


class ModelCallOut(Schema):
    id: Id
    task_run_id: Id
    round: int
    profile: str
    model: str
    state: ModelCallState
    attempts: int
    finish_reason: str
    message_id: Id | None
    body_digest: str
    usage: UsageOut
    error: ErrorOut | None
    started_at: Timestamp
    first_token_at: Timestamp | None
    finished_at: Timestamp | None


class ToolCallOut(Schema):
    id: Id
    task_run_id: Id
    kind: ToolCallKind
    name: str
    tool: str | None
    asked: str
    arguments: dict[str, Any]
    approved: bool
    edited: bool
    state: ToolCallState
    result: str
    result_cut: bool
    child_id: Id | None
    attempts: int
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None


class TracedTaskRun(TaskRunOut):
    model_calls: list[ModelCallOut]
    tool_calls: list[ToolCallOut]
    human_requests: list[HumanRequestOut]


class NoticeOut(Schema):
    code: str
    message: str


class TraceOut(RunOut):
    notices: list[NoticeOut]
    task_runs: list[TracedTaskRun]


class PromptOut(Schema):
    body: dict[str, Any]
    agrees: bool


class RunPage(Schema):
    items: list[RunOut]
    count: int


class ConversationPage(Schema):
    items: list[ConversationOut]
    count: int


class MessagePage(Schema):
    items: list[MessageOut]
    count: int


class HumanRequestPage(Schema):
    items: list[HumanRequestOut]
    count: int


class TaskRunPage(Schema):
    items: list[TaskRunOut]
    count: int


class ToolCallPage(Schema):
    items: list[ToolCallOut]
    count: int


class PostedOut(Schema):
    run: RunOut

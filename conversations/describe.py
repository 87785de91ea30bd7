"""The objects that the outside sees (docs/api.md), made of rows, ready for JSON.

``for_run_objects``, ``for_traces`` and their neighbours load what one object needs
in a number of queries that does not grow with the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from conversations import spoken
from conversations.choices import RUN_OPEN, RequestKind, RequestState
from conversations.error_texts import error_message
from conversations.models import (
    Conversation,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.services.requests import may_remember
from conversations.spoken import timestamp
from teams.models import Agent

JsonObject = dict[str, Any]


def for_run_objects(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs with what ``run_object`` reads."""
    task_runs = TaskRun.objects.select_related("origin_call").defer(
        "request", "result", "origin_call__asked", "origin_call__result"
    )
    return with_task_runs(runs, task_runs)


def for_traces(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs with what ``trace_object`` reads."""
    model_calls = ModelCall.objects.select_related("message").defer(
        "message__text", "message__reasoning"
    )
    task_runs = TaskRun.objects.select_related("origin_call").prefetch_related(
        Prefetch("model_calls", model_calls),
        Prefetch("tool_calls", ToolCall.objects.select_related("child")),
    )
    return with_task_runs(runs, task_runs)


def with_task_runs(runs: QuerySet[Run], task_runs: QuerySet[TaskRun]) -> QuerySet[Run]:
    requests = HumanRequest.objects.select_related("call", "decided_by")
    return (
        runs.select_related("request", "team_version__team", "requested_by")
        .defer("team_version__definition", "tool_state")
        .prefetch_related(
            Prefetch("task_runs", task_runs),
            Prefetch("human_requests", requests),
            Prefetch("messages", spoken.TO_EVERYONE, to_attr="said_to_everyone"),
        )
    )


def for_human_request_objects(
    requests: QuerySet[HumanRequest],
) -> QuerySet[HumanRequest]:
    """Requests with what ``human_request_object`` reads."""
    return requests.select_related("call", "decided_by", "run").prefetch_related(
        Prefetch("run__task_runs", TaskRun.objects.defer("request", "result"))
    )


def for_conversation_objects(
    conversations: QuerySet[Conversation],
) -> QuerySet[Conversation]:
    """Conversations with what ``conversation_object`` reads."""
    open_runs = Run.objects.filter(state__in=RUN_OPEN).only(
        "id", "state", "conversation_id"
    )
    active = Agent.objects.filter(uid=OuterRef("active_agent_uid")).values("name")
    return (
        conversations.select_related("team", "owner")
        .annotate(active_agent=Subquery(active[:1]))
        .prefetch_related(Prefetch("runs", open_runs, to_attr="open_runs"))
    )


def run_object(run: Run) -> JsonObject:
    """One request and what came of it. ``cost`` is a number: it is there to be added
    up and compared; the exact decimal stays in the row."""
    task_runs = in_order_of_start(run.task_runs.all())
    waiting = open_requests(run)
    return {
        "id": str(run.id),
        "team": run.team_version.team.name,
        "version": run.team_version.number,
        "conversation_id": str(run.conversation_id),
        "state": run.state,
        "prompt": run.request.text,
        "answer": run.answer,
        "outputs": spoken.outputs(run, task_runs),
        "error": error_object(run.error_code, run.error_params),
        "human_requests": waiting,
        "human_request": waiting[0] if waiting else None,
        "path": [row.label for row in task_runs if not row.leads],
        "handoffs": spoken.handoffs(task_runs),
        "active_agent": spoken.active_agent(run, task_runs),
        "ended_by": run.ended_by or None,
        "retry_of": str(run.retry_of_id) if run.retry_of_id else None,
        "read_only": run.read_only,
        "debug": run.debug,
        "user": run.requested_by.get_username(),
        "usage": usage(run),
        "created_at": timestamp(run.created_at),
        "started_at": timestamp(run.started_at),
        "finished_at": timestamp(run.finished_at),
    }


def open_requests(run: Run) -> list[JsonObject]:
    """All that waits for a person now, in the order the model asked."""
    waiting = [r for r in run.human_requests.all() if r.state == RequestState.PENDING]
    waiting.sort(key=lambda r: (r.call.created_at, r.call.position))
    return [human_request_object(request) for request in waiting]


def human_request_object(request: HumanRequest) -> JsonObject:
    """A question, an approval or a recovery choice, open or settled."""
    rows = {row.id: row for row in request.run.task_runs.all()}
    asker = rows[request.task_run_id]
    asks = request.kind == RequestKind.QUESTION
    return {
        "id": str(request.id),
        "kind": request.kind,
        "state": request.state,
        "prompt": request.prompt,
        "choices": request.choices,
        "tool": None if asks else request.call.tool_name or request.call.name,
        "arguments": {} if asks else request.call.arguments,
        "edited": request.edited is not None,
        "may_remember": request.kind == RequestKind.APPROVAL and may_remember(request),
        "remember": request.remember,
        "agent": asker.agent_name,
        "task": asker.task_name or None,
        "path": path_to(asker, rows),
        "run_id": str(request.run_id),
        "conversation_id": str(request.run.conversation_id),
        "created_at": timestamp(request.created_at),
        "expires_at": timestamp(request.expires_at),
        "decided_by": request.decided_by.get_username() if request.decided_by else None,
        "decided_at": timestamp(request.decided_at),
        "answer": request.answer,
        "reason": request.reason,
    }


def path_to(task_run: TaskRun, rows: Mapping[UUID, TaskRun]) -> list[str]:
    """Who delegated to whom down to this one, without the leading supervisor."""
    path: list[str] = []
    row: TaskRun | None = task_run
    while row is not None:
        if not row.leads:
            path.insert(0, row.label)
        row = rows.get(row.parent_id) if row.parent_id else None
    return path


def message_object(message: Message) -> JsonObject:
    return {
        "id": str(message.id),
        "number": message.number,
        "run_id": str(message.run_id),
        "task_run_id": str(message.task_run_id) if message.task_run_id else None,
        "author": message.author,
        "role": message.role,
        "text": message.text,
        "state": message.state,
        "created_at": timestamp(message.created_at),
    }


def conversation_object(conversation: Conversation) -> JsonObject:
    """Of a conversation loaded by ``for_conversation_objects``. ``open_run_id`` names
    the run that is at work or waits, if there is one."""
    open_run: Run | None = next(iter(conversation.open_runs), None)  # type: ignore[attr-defined]
    return {
        "id": str(conversation.id),
        "team": conversation.team.name,
        "owner": conversation.owner.get_username(),
        "title": conversation.title,
        "active_agent": conversation.active_agent,  # type: ignore[attr-defined]
        "open_run_id": str(open_run.id) if open_run else None,
        "state": open_run.state if open_run else None,
        "ended_by": conversation.ended_by or None,
        "ended_at": timestamp(conversation.ended_at),
        "created_at": timestamp(conversation.created_at),
        "updated_at": timestamp(conversation.updated_at),
    }


def trace_object(run: Run, *, without: Collection[UUID] = ()) -> JsonObject:
    """The run and its task runs in order of start; ``parent_id`` and ``depth`` make
    them a tree. Those in ``without`` are kept from the reader."""
    requests: dict[UUID, list[HumanRequest]] = {}
    for request in run.human_requests.all():
        requests.setdefault(request.task_run_id, []).append(request)
    return run_object(run) | {
        "notices": [notice_object(notice) for notice in run.notices],
        "task_runs": [
            task_run_object(row)
            | {
                "model_calls": [model_call_object(c) for c in row.model_calls.all()],
                "tool_calls": [tool_call_object(c) for c in row.tool_calls.all()],
                "human_requests": [
                    human_request_object(r) for r in requests.get(row.id, [])
                ],
            }
            for row in in_order_of_start(run.task_runs.all())
            if row.id not in without
        ],
    }


def notice_object(notice: Mapping[str, Any]) -> JsonObject:
    """What the person was told beside the answer (H8)."""
    text = error_message(notice["code"], notice.get("params"))
    return {"code": notice["code"], "message": text}


def task_run_object(row: TaskRun) -> JsonObject:
    return {
        "id": str(row.id),
        "run_id": str(row.run_id),
        "parent_id": str(row.parent_id) if row.parent_id else None,
        "agent": row.agent_name,
        "task": row.task_name or None,
        "depth": row.depth,
        "position": row.position,
        "thread_id": str(row.thread_id),
        "state": row.state,
        "request": row.request,
        "result": row.result,
        "error": error_object(row.error_code, row.error_params),
        "rounds": row.rounds,
        "worked_ms": row.worked_ms,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "budget_used_up": row.limit_hit or None,
        "autonomous_turns": row.autonomous_turns,
        "started_at": timestamp(row.started_at),
        "finished_at": timestamp(row.finished_at),
    }


def model_call_object(call: ModelCall) -> JsonObject:
    message: Message | None = getattr(call, "message", None)
    return {
        "id": str(call.id),
        "task_run_id": str(call.task_run_id),
        "round": call.round,
        "profile": call.profile_name,
        "model": call.model,
        "state": call.state,
        "attempts": call.attempts,
        "finish_reason": call.finish_reason,
        "message_id": str(message.id) if message else None,
        "body_digest": call.body_digest,
        "usage": usage(call),
        "error": error_object(call.error_code, call.error_params),
        "started_at": timestamp(call.started_at),
        "first_token_at": timestamp(call.first_token_at),
        "finished_at": timestamp(call.finished_at),
    }


def tool_call_object(call: ToolCall) -> JsonObject:
    """``result`` is what the model read; ``result_cut`` says that there is more.
    ``child_id`` is the task run that a delegation started."""
    child: TaskRun | None = getattr(call, "child", None)
    return {
        "id": str(call.id),
        "task_run_id": str(call.task_run_id),
        "kind": call.kind,
        "name": call.name,
        "tool": call.tool_name or None,
        "asked": call.asked,
        "arguments": call.arguments,
        "approved": call.approved,
        "edited": call.edited,
        "state": call.state,
        "result": call.result,
        "result_cut": call.full_result_id is not None,
        "child_id": str(child.id) if child else None,
        "attempts": call.attempts,
        "created_at": timestamp(call.created_at),
        "started_at": timestamp(call.started_at),
        "finished_at": timestamp(call.finished_at),
    }


def described(value: Any) -> Any:
    """A row that stands in an error's members as its object; others as they are."""
    if isinstance(value, Run):
        return run_object(value)
    return human_request_object(value) if isinstance(value, HumanRequest) else value


def error_object(code: str, params: Mapping[str, Any]) -> JsonObject | None:
    return {"code": code, "message": error_message(code, params)} if code else None


def usage(row: Run | ModelCall) -> JsonObject:
    return {
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cost": None if row.cost is None else float(row.cost),
    }


def in_order_of_start(rows: Iterable[TaskRun]) -> list[TaskRun]:
    return sorted(rows, key=lambda row: (row.started_at, row.depth, row.position))

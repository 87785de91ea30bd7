"""The lines of a run in a terminal, and what a typed line means as an answer."""

from __future__ import annotations

import json
from typing import TypedDict

from django.conf import settings
from django.urls import reverse

from conversations.choices import RequestKind, ToolCallKind
from conversations.models import HumanRequest, ModelCall, Run, TaskRun, ToolCall
from conversations.services.requests import may_remember
from conversations.trace import figures

HEAD = 200
YES, NO, ALWAYS = ("y", "yes", "approve"), ("n", "no", "deny"), ("a", "always")


class Answer(TypedDict, total=False):
    """Arguments of ``answer_request``."""

    answer: str
    decision: str
    reason: str
    remember: bool


def passed_on(task: TaskRun) -> str:
    """``TRIAGE → ORDERS: reason`` for a handover, ``CHIEF asks ANALYST: …`` else."""
    call = task.origin_call
    assert call is not None
    source = call.task_run.agent_name
    if call.kind == ToolCallKind.HANDOFF:
        reason = first_line(str(call.arguments.get("reason") or ""))
        return f"{source} → {task.agent_name}" + (f": {reason}" if reason else "")
    again = " (continued)" if call.arguments.get("conversation_id") else ""
    return f"{source} asks {task.label}{again}: {first_line(task.request)}"


def tool_call(call: ToolCall) -> str:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    changed = " (arguments changed by a person)" if call.edited else ""
    said = f"{call.name}({arguments}){changed} → {call.state}: {call.result[:HEAD]}"
    return f"  · {call.task_run.agent_name}: {said}"


def model_call(call: ModelCall) -> str:
    parts = [figures.duration(figures.elapsed(call.started_at, call.finished_at))]
    if call.input_tokens is not None:
        parts.append(f"{call.input_tokens} tokens in, {call.output_tokens} out")
    parts.append(call.state)
    agent = call.task_run.agent_name
    return f"  · {agent}: model call {call.round} ({call.model}, {', '.join(parts)})"


def ending(code: str) -> str:
    """Why it ended, as ``ended_by`` has it."""
    kind, _separator, which = code.partition(":")
    if kind == "limit":
        return f"Your turn: a limit was reached ({which.replace('_', ' ')})."
    if kind == "condition":
        return f"The conversation has ended: the team's condition is met ({which})."
    return f"Ended by the {'operator' if code == 'operator' else 'user'}."


def go_on(run: Run) -> str:
    """Where the conversation is found again."""
    talk = run.conversation_id
    page = reverse("conversation", args=[talk])
    return f"Go on at {settings.BASE_URL}{page} or with --conversation {talk}"


def question(request: HumanRequest) -> str:
    who = request.task_run.label
    if request.kind == RequestKind.QUESTION:
        choices = f" ({' / '.join(request.choices)})" if request.choices else ""
        return f"{who} asks: {request.prompt}{choices}"
    arguments = json.dumps(request.call.arguments, ensure_ascii=False, indent=2)
    if request.kind == RequestKind.APPROVAL:
        tool = request.call.tool_name
        wish = f"{who} wants to call {tool} with {arguments}"
        if request.prompt:
            wish = f"{request.prompt}\n{wish}"
        always = "/always" if may_remember(request) else ""
        return f"{wish}\nApprove? [yes{always}/no, or a reason]"
    return f"{request.call.tool_name} was interrupted. Type retry, skip or fail."


def read_answer(request: HumanRequest, typed: str) -> Answer:
    """What a person typed. Any other words at an approval deny it, with that reason;
    ``always`` approves for the conversation where the tool permits it."""
    text, word = typed.strip(), typed.strip().lower()
    if request.kind == RequestKind.QUESTION:
        return {"answer": text}
    if request.kind != RequestKind.APPROVAL:
        return {"decision": word}
    if not word:
        # A bare return key is no decision.
        return {"decision": ""}
    if word in YES:
        return {"decision": "approve"}
    if word in ALWAYS and may_remember(request):
        return {"decision": "approve", "remember": True}
    return {"decision": "deny", "reason": "" if word in NO else text}


def first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= HEAD else line[: HEAD - 1] + "…"

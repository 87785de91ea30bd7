"""What an agent reads of a conversation, in wire form: a repaired copy of its thread.

Each reply is followed by the one result of each of its calls. Pairs are complete, ids
unique, nothing is empty, and what does not fit is left out at places where no pair is
split. The rows stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from conversations.choices import MessageRole, MessageState, ToolCallState
from conversations.models import Message, TaskRun, ToolCall
from teams.toolbox.running import ArgumentProblem, parse_arguments

Wire = dict[str, Any]

NOT_EXECUTED = "Error: not executed, the run was interrupted before this call."
LEFT_OUT = "(Earlier steps are left out here, for they no longer fit.)"


def history_of(
    messages: Sequence[Message], calls: Mapping[UUID, list[ToolCall]], task: TaskRun
) -> list[Wire]:
    """The messages that the task's agent reads next.

    Its own replies are followed by all results of their calls; of others it gets what
    was said to everyone, with the author (H3). A copy made for the others of what was
    asked and answered in its own call is left out: it has seen that as a result.
    """
    history: list[Wire] = []
    again = _made_again(messages, task)
    for message in messages:
        mine = message.thread_id == task.thread_id
        if message.id in again:
            continue
        if message.role == MessageRole.USER:
            if not (mine and message.to_everyone):
                history.append({"role": "user", "content": message.text})
        elif not mine:
            text = f"[{message.author}] {message.text}"
            history.append({"role": "user", "content": text})
        elif message.state != MessageState.PARTIAL and message.model_call_id:
            asked = calls.get(message.model_call_id, [])
            if message.text or asked:
                history.append(_reply(message, asked))
                history += [_result(call) for call in asked]
    return history


def _made_again(messages: Sequence[Message], task: TaskRun) -> set[UUID]:
    """Replies that were stopped or broke off, and that their task has made again since,
    or is about to make again: a retry goes on at that very call (rule 13)."""
    went_on = {task.id}
    made = set()
    for message in reversed(messages):
        if message.model_call_id and message.task_run_id:
            stopped = message.state == MessageState.STOPPED
            if stopped and message.task_run_id in went_on:
                made.add(message.id)
            went_on.add(message.task_run_id)
    return made


def _reply(message: Message, calls: list[ToolCall]) -> Wire:
    reply: Wire = {"role": "assistant", "content": message.text or None}
    if message.reasoning:
        reply["reasoning_content"] = message.reasoning
    if calls:
        reply["tool_calls"] = [
            {
                "id": wire_id(call),
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call)},
            }
            for call in calls
        ]
    return reply


def wire_id(call: ToolCall) -> str:
    """Our own id: providers repeat theirs from round to round, or send none."""
    return f"call_{call.id.hex[:24]}"


def _arguments(call: ToolCall) -> str:
    """Valid JSON whatever the model wrote: servers refuse a history without it."""
    asked = parse_arguments(call.asked)
    return json.dumps(
        {} if isinstance(asked, ArgumentProblem) else asked, ensure_ascii=False
    )


def _result(call: ToolCall) -> Wire:
    settled = call.state not in (
        ToolCallState.PROPOSED,
        ToolCallState.WAITING_FOR_HUMAN,
        ToolCallState.RUNNING,
        ToolCallState.CANCELLED,
    )
    content = call.result if settled else NOT_EXECUTED
    return {
        "role": "tool",
        "tool_call_id": wire_id(call),
        "content": content or "(empty)",
    }


def within(history: list[Wire], room: int, *, request: str = "") -> list[Wire]:
    """The newest part that fits ``room`` characters.

    It is cut before a person's or a delegated message. Where not even the ``request``
    at hand fits with all that came after it, the request stays and its oldest rounds
    are left out. No call loses its result.
    """
    sizes = [len(json.dumps(message, ensure_ascii=False)) for message in history]
    said = [i for i, message in enumerate(history) if message["role"] == "user"]
    if not said or sum(sizes) <= room:
        return history
    asked = [i for i in said if history[i]["content"] == request]
    last = (asked or said)[-1]
    for start in said:
        if start <= last and sum(sizes[start:]) <= room:
            return history[start:]
    rounds = [i for i in range(last + 1, len(history)) if history[i]["role"] != "tool"]
    kept = [history[last], {"role": "user", "content": LEFT_OUT}]
    for start in rounds:
        if sizes[last] + len(LEFT_OUT) + sum(sizes[start:]) <= room:
            return [*kept, *history[start:]]
    return [*kept, *history[rounds[-1] :]] if rounds else [history[last]]

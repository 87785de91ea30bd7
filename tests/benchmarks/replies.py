"""What the benchmark's model says: seven replies to one request, known by the messages.

supervisor -> worker A (one tool) -> supervisor -> worker B (one tool) -> supervisor ->
answer. One event per token; the supervisor's answer has 200 tokens, a worker's 60.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

WORKER_A = "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"
WORKER_B = "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK"
CUSTOMER = {"customer_id": "C-1001"}
PROMPT = "Show the account and the last three payments of customer C-1001"
ANSWER_TOKENS = 200
WORKER_TOKENS = 60

Body = dict[str, Any]


def events_for(body: Body) -> tuple[bytes, ...]:
    """The events that answer a request, each with its blank line."""
    offered = {tool["function"]["name"] for tool in body.get("tools", ())}
    results = sum(message["role"] == "tool" for message in body["messages"])
    if "delegate_to_worker" in offered:
        if results == 0:
            return delegation(WORKER_A)
        if results == 1:
            return delegation(WORKER_B)
        return text(ANSWER_TOKENS)
    if results:
        return text(WORKER_TOKENS)
    name = "lookup_account" if "lookup_account" in offered else "list_payments"
    return call(name, json.dumps(CUSTOMER))


def delegation(worker: str) -> tuple[bytes, ...]:
    request = f"Report on customer {CUSTOMER['customer_id']}, with all you find."
    return call(
        "delegate_to_worker", json.dumps({"worker": worker, "request": request})
    )


@cache
def text(tokens: int) -> tuple[bytes, ...]:
    deltas: list[Body] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": f"word{number} "} for number in range(tokens)]
    return _stream(deltas, "stop", tokens)


@cache
def call(name: str, arguments: str) -> tuple[bytes, ...]:
    head: Body = {"id": "call_1", "type": "function"}
    first: Body = {"index": 0, **head, "function": {"name": name, "arguments": ""}}
    pieces = [arguments[at : at + 4] for at in range(0, len(arguments), 4)]
    deltas: list[Body] = [{"role": "assistant", "content": None, "tool_calls": [first]}]
    deltas += [
        {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
        for piece in pieces
    ]
    return _stream(deltas, "tool_calls", len(pieces))


def _stream(deltas: list[Body], finish: str, tokens: int) -> tuple[bytes, ...]:
    choices: list[Body] = [
        {"index": 0, "delta": delta, "finish_reason": None} for delta in deltas
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    chunks: list[Body] = [_chunk(choices=[choice]) for choice in choices]
    usage: Body = {"prompt_tokens": 500, "completion_tokens": tokens}
    usage["total_tokens"] = sum(usage.values())
    chunks.append(_chunk(choices=[], usage=usage))
    events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks]
    return (*events, b"data: [DONE]\n\n")


def _chunk(**values: Any) -> Body:
    return {
        "id": "chatcmpl-0123456789abcdefghijklmnop",
        "object": "chat.completion.chunk",
        "created": 1780000000,
        "model": "bench",
        "system_fingerprint": "fp_0123456789",
        **values,
    }

"""Chat-completions bodies in a line, for tests of a single move."""

from __future__ import annotations

import json
from typing import Any

from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.policy import next_move
from tests.teams.rehearsal.playing import TODAY


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def called(name: str, result: str, **arguments: Any) -> list[dict[str, Any]]:
    """A call and what came back."""
    made = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"c-{name}-{len(result)}", "type": "function", "function": made}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": result},
    ]


def move(
    *messages: dict[str, Any],
    tools: list[dict[str, Any]] | None = None,
    system: str = "You are a clerk.",
    **others: Any,
) -> Move:
    everything = [{"role": "system", "content": system}, *messages]
    body = {"model": "any", "messages": everything, "tools": tools or [], **others}
    return next_move(body, today=TODAY)


def said(found: Move) -> str:
    assert isinstance(found, Say), found
    return found.text


def made(found: Move) -> tuple[str, dict[str, Any]]:
    assert isinstance(found, Call), found
    return found.name, found.arguments

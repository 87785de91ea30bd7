"""A move in the chat-completions form: one JSON object, or a stream of chunks."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from teams.providers.rehearsal.moves import Call, Move, Say

MODEL = "rehearsal"

# A text streams in pieces of about so many characters, and in at most so many.
PIECE_LENGTH, MAX_PIECES = 12, 80

# Arguments are not seen as they come: they need no show.
CALL_PIECES = 3

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """A move with what goes around it on the wire."""

    move: Move
    id: str
    call_id: str
    created: int
    prompt_tokens: int

    @property
    def usage(self) -> dict[str, int]:
        move = self.move
        text = move.text
        if isinstance(move, Call):
            text += move.name + arguments_of(move)
        completion = tokens_in(text)
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": completion,
            "total_tokens": self.prompt_tokens + completion,
        }

    @property
    def finish_reason(self) -> str:
        return "tool_calls" if isinstance(self.move, Call) else "stop"


def make_reply(move: Move, *, prompt_size: int) -> Reply:
    """``prompt_size``: characters of the request, from which tokens are estimated."""
    return Reply(
        move=move,
        id=f"chatcmpl-{uuid.uuid4().hex}",
        call_id=f"call_{uuid.uuid4().hex[:24]}",
        created=int(time.time()),
        prompt_tokens=max(1, prompt_size // _CHARACTERS_PER_TOKEN),
    )


def tokens_in(text: str) -> int:
    """An estimate: four letters a token, other scripts one character a token."""
    if text.isascii():
        return max(1, len(text) // _CHARACTERS_PER_TOKEN)
    wide = sum(character > "\u2e7f" for character in text)
    return max(1, wide + (len(text) - wide) // _CHARACTERS_PER_TOKEN)


def arguments_of(call: Call) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)


def whole(reply: Reply) -> dict[str, Any]:
    """The answer to a request with ``stream`` false."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(reply.move, Say) or reply.move.text:
        message["content"] = reply.move.text
    if isinstance(reply.move, Call):
        message["tool_calls"] = [_call(reply, reply.move)]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    return {**_frame(reply, "chat.completion", [choice]), "usage": reply.usage}


def pieces(reply: Reply, *, with_usage: bool) -> Iterator[dict[str, Any]]:
    """The answer to a request with ``stream`` true, chunk by chunk."""
    yield _chunk(reply, {"role": "assistant", "content": ""})
    for piece in split_text(reply.move.text):
        yield _chunk(reply, {"content": piece})
    if isinstance(reply.move, Call):
        yield from _call_pieces(reply, reply.move)
    yield _chunk(reply, {}, finish=reply.finish_reason)
    if with_usage:
        yield {**_frame(reply, "chat.completion.chunk", []), "usage": reply.usage}


def split_text(text: str, *, most: int = MAX_PIECES) -> Iterator[str]:
    """Pieces that end after a space where there is one; about ``most`` at most."""
    length = max(PIECE_LENGTH, -(-len(text) // most))
    start = 0
    while start < len(text):
        end = min(start + length, len(text))
        space = text.find(" ", end - 1, end + length // 2)
        end = space + 1 if space >= 0 else end
        yield text[start:end]
        start = end


def _call_pieces(reply: Reply, call: Call) -> Iterator[dict[str, Any]]:
    start = _call(reply, call)
    arguments = start["function"]["arguments"]
    start["function"]["arguments"] = ""
    yield _chunk(reply, {"tool_calls": [{"index": 0, **start}]})
    for piece in split_text(arguments, most=CALL_PIECES):
        part = {"index": 0, "function": {"arguments": piece}}
        yield _chunk(reply, {"tool_calls": [part]})


def _call(reply: Reply, call: Call) -> dict[str, Any]:
    return {
        "id": reply.call_id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments_of(call)},
    }


def _chunk(
    reply: Reply, delta: dict[str, Any], *, finish: str | None = None
) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _frame(reply, "chat.completion.chunk", [choice])


def _frame(reply: Reply, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": reply.id,
        "object": kind,
        "created": reply.created,
        "model": MODEL,
        "choices": choices,
    }


def models() -> dict[str, Any]:
    model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "rehearsal"}
    return {"object": "list", "data": [model]}


def problem(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error"}}

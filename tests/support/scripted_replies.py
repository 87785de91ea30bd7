"""What the scripted model server answers: small builders for replies.

A reply is a list of steps for a streamed request: bytes to send, a number of
seconds to wait, a ``threading.Event`` to wait for, ``HANG`` (say nothing more until
the client leaves) or ``DROP`` (cut the connection without an end).
"""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Body = dict[str, Any]


class Sign:
    """A step that is neither data nor waiting."""


HANG = Sign()
DROP = Sign()
Step = bytes | float | threading.Event | Sign
DONE = b"data: [DONE]\n\n"

_call_numbers = itertools.count(1)


@dataclass(frozen=True)
class Reply:
    """One scripted answer: ``steps(body)`` when streamed, ``whole(body)`` when not."""

    steps: Callable[[Body], Sequence[Step]]
    whole: Callable[[Body], bytes] | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream; charset=utf-8"


def event(payload: Any) -> bytes:
    """One line of an event stream with its blank line."""
    return b"data: " + json.dumps(payload, ensure_ascii=False).encode() + b"\n\n"


def chunk(
    delta: dict[str, Any] | None = None, finish: str | None = None, **extra: Any
) -> dict[str, Any]:
    """A ``chat.completion.chunk`` with one choice; ``delta=None`` leaves it out."""
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish}
    if delta is not None:
        choice["delta"] = delta
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
        **extra,
    }


def usage_chunk(prompt: int, completion: int) -> dict[str, Any]:
    return {**chunk(), "choices": [], "usage": usage_of(prompt, completion)}


def usage_of(prompt: int, completion: int) -> dict[str, int]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def tokens(words: str) -> list[str]:
    """The pieces a text is streamed in: words, each with the blanks before it."""
    return re.findall(r"\s*\S+|\s+$", words)


def call_delta(call: Sequence[Any], index: int = 0) -> dict[str, Any]:
    """``(name, arguments[, id])``: arguments as a dict, or as raw text."""
    name, arguments, *rest = call
    return {
        "index": index,
        "id": rest[0] if rest else f"call_{next(_call_numbers)}",
        "type": "function",
        "function": {
            "name": name,
            "arguments": arguments
            if isinstance(arguments, str)
            else json.dumps(arguments, ensure_ascii=False),
        },
    }


@dataclass(frozen=True)
class Spoken:
    """A well-formed reply: ``pieces`` of text, then calls.

    ``gate`` holds the stream after ``gate_after`` events of text and calls until it
    is set; ``delay`` is the seconds before each of them. ``usage`` is input and
    output tokens, streamed only where the request asks for it.
    """

    pieces: Sequence[str]
    made: Sequence[dict[str, Any]]
    reasoning: str = ""
    finish: str | None = None
    usage: tuple[int, int] = (10, 5)
    gate: threading.Event | None = None
    gate_after: int = 1
    delay: float = 0.0

    @property
    def end(self) -> str:
        return self.finish or ("tool_calls" if self.made else "stop")

    def steps(self, body: Body) -> list[Step]:
        first = {"role": "assistant", "content": None}
        sent: list[Step] = [event(chunk(first))]
        if self.reasoning:
            sent.append(event(chunk({"reasoning_content": self.reasoning})))
        payloads = [chunk({"content": piece}) for piece in self.pieces]
        payloads += [chunk({"tool_calls": [call]}) for call in self.made]
        sent += self._paced([event(payload) for payload in payloads])
        sent.append(event(chunk({}, self.end)))
        if (body.get("stream_options") or {}).get("include_usage"):
            sent.append(event(usage_chunk(*self.usage)))
        return [*sent, DONE]

    def _paced(self, sent: list[bytes]) -> list[Step]:
        paced: list[Step] = [*sent]
        if self.gate is not None:
            paced.insert(self.gate_after, self.gate)
        if not self.delay:
            return paced
        return [step for piece in paced for step in (self.delay, piece)]

    def whole(self, body: Body) -> bytes:
        message: dict[str, Any] = {"role": "assistant"}
        message["content"] = "".join(self.pieces) or None
        if self.made:
            message["tool_calls"] = self.made
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        choice = {"index": 0, "finish_reason": self.end, "message": message}
        answer = {"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1}
        answer |= {"model": "scripted", "choices": [choice]}
        return json.dumps({**answer, "usage": usage_of(*self.usage)}).encode()


def text_and_calls(
    words: str,
    *wanted: Sequence[Any],
    pieces: Sequence[str] | None = None,
    **options: Any,
) -> Reply:
    """Text, one event a word (or ``pieces``), then calls ``(name, arguments[, id])``.

    Options: those of ``Spoken``.
    """
    made = [call_delta(call, index) for index, call in enumerate(wanted)]
    spoken = Spoken(tokens(words) if pieces is None else pieces, made, **options)
    return Reply(spoken.steps, spoken.whole)


def text(words: str, **options: Any) -> Reply:
    """A plain answer, one event a word."""
    return text_and_calls(words, **options)


def calls(*wanted: Sequence[Any], **options: Any) -> Reply:
    """Function calls without text: ``calls(("add", {"a": 1}), ("now", {}))``."""
    return text_and_calls("", *wanted, **options)


def slow(words: str, seconds_per_token: float, **options: Any) -> Reply:
    return text_and_calls(words, delay=seconds_per_token, **options)


def raw(lines: Iterable[Any], *, content_type: str = "", status: int = 200) -> Reply:
    """Exactly these pieces (texts or steps), each in an HTTP chunk of its own."""
    steps = [piece.encode() if isinstance(piece, str) else piece for piece in lines]
    reply = Reply(lambda body: steps, status=status)
    return replace(reply, content_type=content_type) if content_type else reply


def events(*payloads: Any, done: bool = True) -> Reply:
    """One event for each payload (``chunk(...)`` or anything), then ``[DONE]``."""
    sent: list[Step] = [event(payload) for payload in payloads]
    return raw([*sent, DONE] if done else sent)


def error(status: int, body: Any = "", headers: dict[str, str] | None = None) -> Reply:
    """A refusal. A text becomes ``{"error": {"message": …}}``; bytes go as they are."""
    if isinstance(body, bytes):
        content = body
    elif isinstance(body, str):
        content = json.dumps({"error": {"message": body, "type": "scripted"}}).encode()
    else:
        content = json.dumps(body).encode()
    kind = "text/html" if isinstance(body, bytes) else "application/json"
    return Reply(
        lambda body: [content],
        status=status,
        headers=headers or {},
        content_type=kind,
    )


def hang(words: str = "") -> Reply:
    """Headers and some words if given, then silence until the client leaves."""
    said: list[Step] = [event(chunk({"content": piece})) for piece in tokens(words)]
    return Reply(lambda body: [*said, HANG])


def silent() -> Reply:
    """Not even the response headers, until the client leaves."""
    return Reply(lambda body: [HANG], status=0)

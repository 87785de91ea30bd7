"""From the bytes of a reply to a ``ModelReply``: pure, whatever the server sends.

``EventDecoder`` finds the JSON objects in the bytes, ``ReplyAssembler`` puts them
together. Only what is used is looked at: an object per event is most of what a
streamed call costs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from teams.providers.errors import failure_of
from teams.providers.fragments import CallAssembler
from teams.providers.thought import LeadingThought
from teams.providers.types import ModelFailure, ModelReply, Usage

REPLY_MAX_BYTES = 64 * 1024 * 1024
CUT = frozenset({"length", "max_tokens", "max_output_tokens"})
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FILTERED = frozenset({"content_filter", "safety"})
FIELDS = (b":", b"event:", b"id:", b"retry:")

Payload = dict[str, Any]


class EventDecoder:
    """Server-sent events, read leniently: any line ending, an object over several
    ``data:`` lines, no blank line between events, or no event stream at all."""

    def __init__(self) -> None:
        self.done = False
        self._rest: list[bytes] = []
        self._return = b""
        self._pending = ""
        self._event = b""
        self._size = 0
        self._events = 0
        self._foreign: list[bytes] = []

    def feed(self, data: bytes) -> list[Payload]:
        """The payloads that are complete by now."""
        if not self._size:
            data = data.removeprefix(BYTE_ORDER_MARK)
        self._size += len(data)
        if b"\r" in data or self._return:
            data = self._plain_ends(data)
        if self._size > REPLY_MAX_BYTES:
            raise _broken("The reply is larger than 64 MB.", retryable=False)
        if b"\n" not in data:
            self._rest.append(data)
            return []
        lines = data.split(b"\n")
        if self._rest:
            lines[0] = b"".join([*self._rest, lines[0]])
            self._rest.clear()
        last = lines.pop()
        if last:
            self._rest.append(last)
        return self._read(lines)

    def _plain_ends(self, data: bytes) -> bytes:
        """With one kind of line ending; a carriage return at the very end waits for
        the line feed that may follow it."""
        data = self._return + data
        self._return = b"\r" if data.endswith(b"\r") else b""
        kept = data.removesuffix(b"\r")
        return kept.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def end(self) -> list[Payload]:
        """What stands in a last line without an end, or in a body of another kind."""
        payloads = self._read([b"".join(self._rest), b""])
        self._rest.clear()
        foreign = b"\n".join(self._foreign).strip()
        if self._events or self.done or not foreign:
            return payloads
        return [_whole_body(foreign)]

    def _read(self, lines: list[bytes]) -> list[Payload]:
        payloads = []
        for line in lines:
            if self.done:
                # Whatever follows the end is not of this reply.
                break
            if line.startswith(b"data:"):
                payload = self._data(line[5:].decode("utf-8", "replace").strip())
                if payload is not None:
                    payloads.append(payload)
            elif not line:
                self._blank()
            else:
                self._other(line)
        return payloads

    def _data(self, text: str) -> Payload | None:
        if text.startswith("[DONE]"):
            self.done = True
            return None
        if self._pending:
            text = f"{self._pending}\n{text}"
        try:
            payload = json.loads(text)
        except (ValueError, RecursionError):
            self._pending = text
            return None
        self._pending = ""
        self._events += 1
        if not isinstance(payload, dict):
            return None
        if self._event == b"error" and not payload.get("error"):
            return {"error": payload}
        return payload

    def _blank(self) -> None:
        self._event = b""
        text, self._pending = self._pending, ""
        if text.startswith(("{", "[")):
            raise _broken(f"An event cannot be read: {text}")
        if text:
            self._foreign.append(text.encode())

    def _other(self, line: bytes) -> None:
        if line.startswith(b"event:"):
            self._event = line[6:].strip()
        elif not line.startswith(FIELDS) and not self._events:
            self._foreign.append(line)


def _whole_body(body: bytes) -> Payload:
    """The one object of a reply that is no event stream."""
    text = body.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise _no_reply(f"something else than an event stream: {text}") from None
    if isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, dict) or not (found.get("choices") or error_in(found)):
        raise _no_reply(f"an object without choices: {text}")
    return found


def _no_reply(what: str) -> ModelFailure:
    """The base URL is probably not that of a model server: trying again is no use."""
    return ModelFailure("model_server_error", detail=f"The server answered with {what}")


def error_in(payload: Payload) -> Any:
    """The error that a payload is, in the shapes servers use; else None."""
    error = payload.get("error")
    if error:
        return error
    if "choices" not in payload and (
        payload.get("object") == "error" or payload.get("detail")
    ):
        return payload
    return None


def _broken(detail: str, *, retryable: bool = True) -> ModelFailure:
    return ModelFailure("model_stream_broken", retryable=retryable, detail=detail)


class ReplyAssembler:
    """Feed it payloads in order; ``add`` gives the text that came with each.

    ``heard``: anything of the reply has come. ``finished``: the server said that it
    is complete, though usage may follow.
    """

    def __init__(self, *, offered: Iterable[str] = (), think_tag: str = "auto") -> None:
        self.heard = False
        self.finished = False
        self.text: list[str] = []
        self._thought: list[str] = []
        self._filter = LeadingThought(think_tag)
        self._half = ""
        self._calls = CallAssembler(offered)
        self._finish = ""
        self._usage: Usage | None = None

    def add(self, payload: Payload) -> str:
        """New text; raises ``ModelFailure`` for an error object."""
        error = error_in(payload)
        if error:
            raise failure_of(error)
        if payload.get("usage"):
            self._usage = _usage(payload["usage"]) or self._usage
        choices = payload.get("choices")
        if not choices or not isinstance(choices, list):
            return ""
        choice = choices[0]
        if not isinstance(choice, dict) or choice.get("index"):
            return ""
        return self._choice(choice)

    def end(self) -> str:
        """Text that was held back; call it when the stream has ended."""
        said, thought = self._filter.end()
        if thought:
            self._thought.append(thought)
        return self._say(said) + self._say("", last=True)

    def reply(self, *, done: bool = False) -> ModelReply:
        """The finished reply. ``done``: the stream said that it is complete.

        Raises ``ModelFailure``: ``model_stream_broken`` where the end is missing,
        ``model_filtered``, ``model_empty_reply`` for neither text nor calls.
        """
        if not (self.finished or done or self.heard):
            raise _empty("The stream ended before it said anything.")
        if not (self.finished or done):
            raise _broken("The stream ended in the middle of the reply.")
        if self._finish.lower() in FILTERED:
            raise ModelFailure("model_filtered")
        cut_off = self._finish.lower() in CUT
        calls = self._calls.calls(cut_off=cut_off)
        text = "".join(self.text)
        if not calls and not text.strip():
            raise _empty(self._why_empty(cut_off=cut_off), cut_off=cut_off)
        return ModelReply(
            text=text,
            calls=calls,
            reasoning=mended("".join(self._thought)),
            finish_reason=self._finish,
            usage=self._usage,
            cut_off=cut_off,
        )

    def _why_empty(self, *, cut_off: bool) -> str:
        if cut_off:
            return "The token limit ended the reply before it said anything."
        if self._thought:
            return "The reply holds reasoning, but neither text nor calls."
        return "The reply holds neither text nor calls."

    def _choice(self, choice: Payload) -> str:
        said = ""
        delta = choice.get("delta")
        if isinstance(delta, dict):
            said = self._delta(delta)
        elif not self.heard and isinstance(choice.get("message"), dict):
            said = self._message(choice["message"])
        finish = choice.get("finish_reason")
        if finish and isinstance(finish, str):
            if finish == "error":
                raise failure_of(choice.get("error") or "The model ended in an error.")
            self._finish = finish
            self.finished = True
        return said

    def _message(self, message: Payload) -> str:
        """A complete message: each of its calls stands for itself."""
        calls = message.get("tool_calls")
        if isinstance(calls, list):
            whole = [c for c in calls if isinstance(c, dict)]
            calls = [{**call, "index": n} for n, call in enumerate(whole)]
        return self._delta({**message, "tool_calls": calls})

    def _delta(self, delta: Payload) -> str:
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if thought and isinstance(thought, str):
            self._thought.append(thought)
            self.heard = True
        calls = delta.get("tool_calls") or delta.get("function_call")
        if calls:
            self._take_calls(calls)
        content = delta.get("content") or delta.get("refusal")
        if not content:
            return ""
        self.heard = True
        if not isinstance(content, str):
            content = self._parts(content)
        if self._filter.passing:
            return self._say(content)
        said, thought = self._filter.feed(content)
        if thought:
            self._thought.append(thought)
        return self._say(said) if said else ""

    def _take_calls(self, calls: Any) -> None:
        if isinstance(calls, dict):
            calls = [calls if "function" in calls else {"function": calls}]
        if isinstance(calls, list):
            for raw in calls:
                self._calls.add(raw)
            self.heard = True

    def _parts(self, content: Any) -> str:
        """Text of a content list; its thinking parts go where thoughts belong."""
        said = ""
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, dict):
                continue
            if part.get("type") in ("thinking", "reasoning"):
                thought = part.get("thinking") or part.get("text")
                self._thought.append(
                    thought if isinstance(thought, str) else self._nested(thought)
                )
            elif isinstance(part.get("text"), str):
                said += part["text"]
        return said

    def _nested(self, parts: Any) -> str:
        texts = [p.get("text") for p in parts or () if isinstance(p, dict)]
        return "".join(text for text in texts if isinstance(text, str))

    def _say(self, piece: str, *, last: bool = False) -> str:
        """Text as it can be shown and stored: no halves of characters, no NUL."""
        if piece.isascii() and not self._half and "\x00" not in piece:
            said = piece
        else:
            piece = self._half + piece
            self._half = (
                piece[-1:] if not last and "\ud800" <= piece[-1:] <= "\udbff" else ""
            )
            said = mended(piece[: len(piece) - len(self._half)])
        if said:
            self.text.append(said)
        return said


def mended(text: str) -> str:
    """The text without NUL and with the halves of a character joined or replaced."""
    text = text.replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _empty(detail: str, *, cut_off: bool = False) -> ModelFailure:
    """Trying again helps, but not against the token limit."""
    more = {"cut_off": True} if cut_off else {}
    return ModelFailure(
        "model_empty_reply", retryable=not cut_off, detail=detail, **more
    )


def _usage(found: Any) -> Usage | None:
    if not isinstance(found, dict):
        return None
    given = found.get("prompt_tokens", found.get("input_tokens"))
    made = found.get("completion_tokens", found.get("output_tokens"))
    counts = [n if isinstance(n, int) and n > 0 else 0 for n in (given, made)]
    return Usage(*counts) if any(counts) else None

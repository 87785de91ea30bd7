"""Just enough HTTP/1.1 for the scripted model server: keep-alive, chunked bodies,
and notice of a client that leaves."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.scripted_replies import DROP, HANG, Reply, Step

if TYPE_CHECKING:
    from tests.support.scripted_model import Request

REASONS = {200: "OK", 400: "Bad Request", 429: "Too Many Requests"}


@dataclass(frozen=True)
class RawRequest:
    path: str
    headers: dict[str, str]
    content: bytes
    connection: int

    def json(self) -> dict[str, Any]:
        try:
            body = json.loads(self.content or b"{}")
        except ValueError:
            return {"unreadable": self.content.decode(errors="replace")}
        return body if isinstance(body, dict) else {"unreadable": body}


Answer = Callable[[RawRequest], "tuple[Reply, Request]"]


class Connection(asyncio.Protocol):
    """One client's connection: reads requests, plays replies, sees the client go."""

    def __init__(
        self, number: int, answer: Answer, ended: Callable[[Request, bool], None]
    ) -> None:
        self._number = number
        self._answer = answer
        self._ended = ended
        self._data = b""
        self._gone = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def close(self) -> None:
        self._transport.close()

    def eof_received(self) -> bool:
        self._gone.set()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        self._room.set()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def data_received(self, data: bytes) -> None:
        self._data += data
        self._next()

    def _next(self) -> None:
        if self._task is not None and not self._task.done():
            return
        request = self._parse()
        if request is not None:
            self._task = asyncio.ensure_future(self._play(request))

    def _parse(self) -> RawRequest | None:
        head, found, rest = self._data.partition(b"\r\n\r\n")
        if not found:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return None
        self._data = rest[length:]
        return RawRequest(first.split()[1], headers, rest[:length], self._number)

    async def _play(self, raw: RawRequest) -> None:
        reply, request = self._answer(raw)
        complete = False
        try:
            if request.body.get("stream") or reply.whole is None:
                complete = await self._stream(reply, reply.steps(request.body))
            else:
                self._whole(reply, reply.whole(request.body))
                complete = True
        finally:
            self._ended(request, self._gone.is_set() and not complete)
        self._task = None
        self._next()

    def _head(self, reply: Reply, kind: str, length: str) -> bytes:
        lines = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        lines += [f"Content-Type: {kind}", length]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def _whole(self, reply: Reply, content: bytes) -> None:
        head = self._head(reply, "application/json", f"Content-Length: {len(content)}")
        self._transport.write(head + content)

    async def _stream(self, reply: Reply, steps: Sequence[Step]) -> bool:
        """Whether the reply was sent to its end."""
        waiting: list[bytes] = []
        if reply.status:
            waiting.append(
                self._head(reply, reply.content_type, "Transfer-Encoding: chunked")
            )
        for step in steps:
            if isinstance(step, bytes):
                if step:
                    waiting.append(b"%x\r\n%b\r\n" % (len(step), step))
                continue
            await self._flush(waiting)
            if step is DROP:
                self._transport.abort()
                return True
            await self._wait(step)
            if self._gone.is_set():
                return False
        waiting.append(b"0\r\n\r\n")
        await self._flush(waiting)
        return not self._gone.is_set()

    async def _flush(self, waiting: list[bytes]) -> None:
        """Write what is waiting, a piece at a time where the client is slow."""
        while waiting and not self._gone.is_set():
            part, waiting[:] = waiting[:256], waiting[256:]
            self._transport.write(b"".join(part))
            await self._room.wait()

    async def _wait(self, step: Step) -> None:
        if isinstance(step, int | float):
            await self._gone_within(step)
        elif isinstance(step, threading.Event):
            while not step.is_set() and not self._gone.is_set():
                await self._gone_within(0.005)
        elif step is HANG:
            await self._gone.wait()

    async def _gone_within(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._gone.wait(), seconds)
        except TimeoutError:
            return

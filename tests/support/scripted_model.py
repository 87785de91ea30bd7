"""A scripted model server: OpenAI's chat completions over HTTP, on loopback.

Replies are given in advance, in one queue or in several that requests are routed to
by the model named or by a test of the body. It fails on a request without a reply
and, in ``finish()``, on a reply without a request. It listens on a real port, so the
product under test may run in another process.

    model.add(text("Hello"), calls(("add", {"a": 1, "b": 2})))
    leader = model.queue("leader", system="You lead")
    leader.add(calls(("delegate_to_worker", {...})), text("Done"))
    ...
    assert model.requests[0].tools == ["add"]
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from tests.support.scripted_http import Connection, RawRequest
from tests.support.scripted_replies import (
    DONE,
    DROP,
    HANG,
    Body,
    Reply,
    call_delta,
    calls,
    chunk,
    error,
    event,
    events,
    hang,
    raw,
    silent,
    slow,
    text,
    text_and_calls,
    usage_chunk,
)

__all__ = [
    "DONE",
    "DROP",
    "HANG",
    "Queue",
    "Request",
    "ScriptedModel",
    "call_delta",
    "calls",
    "chunk",
    "error",
    "event",
    "events",
    "hang",
    "raw",
    "silent",
    "slow",
    "text",
    "text_and_calls",
    "usage_chunk",
]


@dataclass
class Request:
    """One request as it came in; times are ``time.monotonic()`` seconds."""

    path: str
    headers: dict[str, str]
    body: Body
    connection: int
    queue: str = ""
    received_at: float = field(default_factory=time.monotonic)
    _ended: threading.Event = field(default_factory=threading.Event)
    _left: threading.Event = field(default_factory=threading.Event)
    finished_at: float | None = None
    disconnected_at: float | None = None

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", []))

    @property
    def system(self) -> str:
        """The text of all system messages."""
        return "\n".join(
            str(m.get("content"))
            for m in self.messages
            if m.get("role") in ("system", "developer")
        )

    @property
    def tools(self) -> list[str]:
        """Names of the functions offered."""
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]

    @property
    def disconnected(self) -> bool:
        """The client left before the reply was complete."""
        return self.disconnected_at is not None

    def wait_finished(self, seconds: float = 5.0) -> bool:
        """Until the reply is complete or the client has left."""
        return self._ended.wait(seconds)

    def wait_disconnected(self, seconds: float = 5.0) -> bool:
        return self._left.wait(seconds)

    def end(self, *, left: bool) -> None:
        if left:
            self.disconnected_at = time.monotonic()
            self._left.set()
        else:
            self.finished_at = time.monotonic()
        self._ended.set()


class Queue:
    """Replies for the requests that ``accepts`` picks, in order."""

    def __init__(self, name: str, accepts: Callable[[Request], bool]) -> None:
        self.name = name
        self.accepts = accepts
        self.replies: deque[Reply] = deque()
        self.requests: list[Request] = []
        self._answer: Callable[[Body], Reply] | None = None

    def add(self, *replies: Reply) -> Self:
        self.replies.extend(replies)
        return self

    def answer_with(self, make: Callable[[Body], Reply]) -> Self:
        """When the list is used up: make each reply from the request body."""
        self._answer = make
        return self

    def next(self, body: Body) -> Reply | None:
        if self.replies:
            return self.replies.popleft()
        return self._answer(body) if self._answer else None


class ScriptedModel:
    """The server. ``base_url`` ends in ``/v1``. Use it as a context manager."""

    def __init__(self, *, port: int = 0) -> None:
        self.requests: list[Request] = []
        self.problems: list[str] = []
        self.connections = 0
        self._open: list[Connection] = []
        self._port = port
        self._default = Queue("default", lambda request: True)
        self._queues: list[Queue] = []
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None

    # --- the script ---------------------------------------------------------

    def add(self, *replies: Reply) -> Self:
        """Replies for the requests that no named queue accepts."""
        self._default.add(*replies)
        return self

    def answer_with(self, make: Callable[[Body], Reply]) -> Self:
        self._default.answer_with(make)
        return self

    def queue(
        self,
        name: str,
        *,
        model: str = "",
        system: str = "",
        when: Callable[[Request], bool] | None = None,
    ) -> Queue:
        """A queue of its own for requests that name ``model``, whose system text has
        ``system`` in it, and for which ``when`` is true. The first that fits serves."""

        def accepts(request: Request) -> bool:
            return (
                (not model or request.model == model)
                and system in request.system
                and (when is None or when(request))
            )

        made = Queue(name, accepts)
        self._queues.append(made)
        return made

    def wait_for_requests(self, count: int, seconds: float = 10.0) -> list[Request]:
        """The requests so far, once there are ``count``; fails when time is up."""
        with self._changed:
            enough = self._changed.wait_for(
                lambda: len(self.requests) >= count, seconds
            )
        assert enough, f"{len(self.requests)} requests came, not {count}"
        return list(self.requests)

    def finish(self) -> None:
        """Fails on requests that had no reply and on replies nobody asked for."""
        unused = [
            f"{len(queue.replies)} unused in queue {queue.name!r}"
            for queue in [*self._queues, self._default]
            if queue.replies
        ]
        assert not self.problems, "\n".join(self.problems)
        assert not unused, ", ".join(unused)

    # --- the server ---------------------------------------------------------

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def port(self) -> int:
        return self._port

    def start(self) -> Self:
        self._thread.start()
        serving = asyncio.run_coroutine_threadsafe(self._serve(), self._loop)
        self._server = serving.result(10)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def close_connections(self) -> None:
        """Close the kept connections, as servers do after a while."""

        async def close() -> None:
            for connection in self._open:
                connection.close()
            self._open.clear()

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(10)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def _serve(self) -> asyncio.Server:
        return await self._loop.create_server(
            self._connect, "127.0.0.1", self._port, backlog=256
        )

    def _connect(self) -> Connection:
        self.connections += 1
        made = Connection(self.connections, self._answer, self._ended)
        self._open.append(made)
        return made

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        tasks = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _answer(self, incoming: RawRequest) -> tuple[Reply, Request]:
        request = Request(
            path=incoming.path,
            headers=incoming.headers,
            body=incoming.json(),
            connection=incoming.connection,
        )
        with self._changed:
            found = next((q for q in self._queues if q.accepts(request)), self._default)
            request.queue = found.name
            found.requests.append(request)
            self.requests.append(request)
            reply = self._reply(request, found)
            self._changed.notify_all()
        return reply, request

    def _reply(self, request: Request, queue: Queue) -> Reply:
        if not request.path.endswith("/chat/completions"):
            self.problems.append(f"Unexpected path {request.path}")
            return error(404, f"no such path: {request.path}")
        try:
            reply = queue.next(request.body)
        except Exception as failure:
            self.problems.append(f"Queue {queue.name!r} could not answer: {failure!r}")
            return error(400, f"the script failed: {failure!r}")
        if reply is not None:
            return reply
        last = request.messages[-1] if request.messages else None
        self.problems.append(
            f"No reply left in queue {queue.name!r} for model {request.model!r}, "
            f"system {request.system[:80]!r}, last message {last!r}"
        )
        return error(400, f"the script of queue {queue.name!r} has no reply left")

    def _ended(self, request: Request, left: bool) -> None:
        request.end(left=left)

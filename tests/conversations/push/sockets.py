"""Sockets of the real application, driven in a loop of their own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import UUID

from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client

from conversations import push
from supervisor_site.asgi import application

T = TypeVar("T")
ORIGIN = "http://localhost"


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def in_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in a fresh thread, whose loop is the server's for its time."""
    outcome: list[T] = []
    errors: list[BaseException] = []

    async def serve() -> T:
        try:
            return await work()
        finally:
            push.stop()

    def run() -> None:
        try:
            outcome.append(asyncio.run(serve()))
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return outcome[0]


class Socket:
    """One connection to a conversation's push."""

    def __init__(
        self,
        conversation_id: UUID | str,
        session: str = "",
        *,
        after: int | str = 0,
        origin: str = ORIGIN,
    ) -> None:
        headers = [(b"host", b"localhost"), (b"origin", origin.encode())]
        if session:
            headers.append((b"cookie", f"sessionid={session}".encode()))
        scope = {
            "type": "websocket",
            "path": f"/ws/conversations/{conversation_id}/",
            "query_string": f"after={quote(str(after))}".encode(),
            "headers": headers,
            "subprotocols": [],
        }
        self.line = ApplicationCommunicator(application, scope)
        self.frames: list[dict[str, Any]] = []

    async def open(self) -> tuple[bool, int]:
        """Whether the socket was accepted, and the close code if not."""
        await self.line.send_input({"type": "websocket.connect"})
        answer = await self.line.receive_output(timeout=5)
        return answer["type"] == "websocket.accept", answer.get("code") or 1000

    async def say(self, text: str | None = None, data: bytes | None = None) -> None:
        frame = {"type": "websocket.receive", "text": text, "bytes": data}
        await self.line.send_input(frame)

    async def frame(self, seconds: float = 5) -> dict[str, Any]:
        message = await self.line.receive_output(timeout=seconds)
        assert message["type"] == "websocket.send", message
        frame: dict[str, Any] = json.loads(message["text"])
        self.frames.append(frame)
        return frame

    async def until(
        self, wanted: Callable[[dict[str, Any]], Any], seconds: float = 6
    ) -> dict[str, Any]:
        """The first frame that is wanted; the others stand in ``frames``."""
        async with asyncio.timeout(seconds):
            while True:
                frame = await self.frame(seconds)
                if wanted(frame):
                    return frame

    async def close_code(self, seconds: float = 5) -> int:
        """The code the server closes with, whatever it sends before."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.line.receive_output(timeout=seconds)
                if message["type"] == "websocket.close":
                    return int(message["code"])

    async def nothing(self, seconds: float = 0.3) -> bool:
        return bool(await self.line.receive_nothing(timeout=seconds))

    async def leave(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
            await self.line.wait(5)


def leaf_ids(frames: list[dict[str, Any]]) -> list[str]:
    return [leaf["id"] for frame in frames for leaf in frame.get("leaves", ())]

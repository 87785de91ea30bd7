"""A page that stays open: what its socket was pushed, through cut connections."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.support.product import Product

RETRY_SECONDS = 0.3
RESET = struct.pack("ii", 1, 0)


@dataclass
class Follower:
    """Keeps the leaves of one conversation as a browser does, by their ids.

    ``cuts`` counts how often it had to connect again.
    """

    servers: list[Product]
    conversation: str
    rng: random.Random
    number: int = 0
    leaves: dict[str, str] = field(default_factory=dict)
    text: dict[str, str] = field(default_factory=dict)
    cuts: int = -1
    line: ClientConnection | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self.line is not None:
            with contextlib.suppress(OSError, WebSocketException):
                self.line.close()
        self._thread.join(10)

    def cut(self) -> None:
        """Reset the connection without a word, as a dying network does."""
        line = self.line
        if line is None:
            return
        with contextlib.suppress(OSError):
            line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            line.socket.shutdown(socket.SHUT_RDWR)

    def _follow(self) -> None:
        while not self._ended.is_set():
            server = self.rng.choice(self.servers)
            try:
                with self._connect(server) as self.line:
                    self.cuts += 1
                    for frame in self.line:
                        self._take(server, json.loads(frame))
            except (OSError, WebSocketException, httpx2.HTTPError):
                pass
            self.line = None
            self._ended.wait(RETRY_SECONDS)

    def _connect(self, server: Product) -> ClientConnection:
        where = server.url.replace("http", "ws")
        return connect(
            f"{where}/ws/conversations/{self.conversation}/?after={self.number}",
            additional_headers={"Cookie": f"sessionid={server.session}"},
            origin=Origin(server.url),
            proxy=None,
            open_timeout=5,
            close_timeout=1,
        )

    def _take(self, server: Product, frame: dict[str, Any]) -> None:
        for leaf in frame.get("leaves", ()):
            self.leaves[leaf["id"]] = html_of(server, leaf)
        self.number = frame.get("number", self.number)
        delta = frame.get("delta")
        if delta:
            before = self.text.get(delta["message"], "")
            self.text[delta["message"]] = before[: delta["offset"]] + delta["text"]

    def wait_until(self, number: int, seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while self.number < number:
            assert time.monotonic() < deadline, (
                f"the page has seen {self.number} of {number}"
            )
            time.sleep(0.1)


def html_of(server: Product, leaf: dict[str, Any]) -> str:
    # A container is put in once, as it was then; its inside is leaves of their own.
    if leaf["frame"]:
        return ""
    if "href" not in leaf:
        return str(leaf["html"])
    return get(server, leaf["href"]).text


def get(server: Product, path: str) -> httpx2.Response:
    answer = httpx2.get(
        server.url + path, cookies={"sessionid": server.session}, timeout=20
    )
    assert answer.is_success, answer.text[:500]
    return answer


def fresh_leaves(server: Product, conversation: str) -> dict[str, str]:
    """What a page opened now would be sent: all leaves, rendered from the rows."""
    found: dict[str, str] = {}
    number = 0
    while True:
        path = f"/c/{conversation}/changes/?after={number}"
        frames = get(server, path).json()["frames"]
        if not frames:
            return found
        for frame in frames:
            for leaf in frame["leaves"]:
                found[leaf["id"]] = html_of(server, leaf)
            number = frame.get("number", number)

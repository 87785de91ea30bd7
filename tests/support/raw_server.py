"""A server that says exactly the bytes it is given, whatever HTTP thinks of them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class RawServer:
    """``asked``: the requests it got, as bytes."""

    port: int
    asked: list[bytes] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def raw_server(*answers: bytes) -> Iterator[RawServer]:
    """One answer for each connection, which is then closed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = RawServer(listening.getsockname()[1])
        thread = threading.Thread(target=_serve, args=(listening, server, answers))
        thread.start()
        try:
            yield server
        finally:
            # Wakes the thread where a connection never came.
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def _serve(
    listening: socket.socket, server: RawServer, answers: tuple[bytes, ...]
) -> None:
    for answer in answers:
        try:
            connection, _address = listening.accept()
        except OSError:
            return
        with connection:
            server.asked.append(_request(connection))
            connection.sendall(answer)


def _request(connection: socket.socket) -> bytes:
    """Head and body, as far as the client sends them."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
        if data.startswith(b"\x16"):
            # The beginning of TLS, which this server does not speak.
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    lines = [line.lower().partition(b":") for line in head.split(b"\r\n")]
    length = next((int(v) for name, _, v in lines if name == b"content-length"), 0)
    while len(body) < length:
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body

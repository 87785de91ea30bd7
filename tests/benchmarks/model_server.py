"""The benchmark's model server, in a process of its own: no thinking time.

    python -m tests.benchmarks.model_server

It prints its port. Under ``/v1`` events leave as fast as they can be written, one
write each; under ``/paced/v1`` one every 2 ms.
"""

from __future__ import annotations

import asyncio
import json

from tests.benchmarks.replies import events_for

PACE_SECONDS = 0.002
HEAD = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)


class ModelServer(asyncio.Protocol):
    """Just enough HTTP for a chat client that keeps its connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.received = b""
        self.pacing: asyncio.Task[None] | None = None

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, found, rest = self.received.partition(b"\r\n\r\n")
        if not found:
            return
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        if len(rest) < length:
            return
        self.received = rest[length:]
        self.answer(head, rest[:length])

    def answer(self, head: bytes, body: bytes) -> None:
        chunks = [
            b"%x\r\n%b\r\n" % (len(event), event)
            for event in events_for(json.loads(body))
        ]
        self.transport.write(HEAD)
        if head.startswith(b"POST /paced/"):
            self.pacing = asyncio.ensure_future(self.pace(chunks))
            return
        for chunk in chunks:
            self.transport.write(chunk)
        self.transport.write(b"0\r\n\r\n")

    async def pace(self, chunks: list[bytes]) -> None:
        for chunk in chunks:
            self.transport.write(chunk)
            await asyncio.sleep(PACE_SECONDS)
        self.transport.write(b"0\r\n\r\n")


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(ModelServer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())

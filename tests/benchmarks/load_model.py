"""A model server for the load: 30 tokens a second, each token the time it was sent.

    python -m tests.benchmarks.load_model SECONDS

It prints its port; a reply lasts that many seconds. The clock is the machine's
monotonic one, so that any process on it can say how old a token is.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from tests.benchmarks.model_server import HEAD

TOKENS_A_SECOND = 30


def chunk(content: str, finish: str | None = None) -> bytes:
    delta = {"content": content} if content else {}
    body = {
        "id": "chatcmpl-load",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "load",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    event = b"data: " + json.dumps(body).encode() + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(event), event)


async def answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            writer.write(HEAD)
            await stream(writer, seconds)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def stream(writer: asyncio.StreamWriter, seconds: float) -> None:
    """Paced by the clock, so that a late token does not delay the next."""
    started = time.monotonic()
    for number in range(int(seconds * TOKENS_A_SECOND)):
        wait = started + number / TOKENS_A_SECOND - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        writer.write(chunk(f"{time.monotonic():.3f} "))
        await writer.drain()
    done = b"data: [DONE]\n\n"
    writer.write(chunk("", "stop") + b"%x\r\n%b\r\n" % (len(done), done))
    writer.write(b"0\r\n\r\n")


async def serve(seconds: float) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: answer(reader, writer, seconds),
        "127.0.0.1",
        0,
        backlog=1000,
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

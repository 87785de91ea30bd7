"""Many open pages: one socket each, and how late each token reaches them.

    python -m tests.benchmarks.load_pages PORT SESSION SECONDS < conversation ids

Prints one JSON line: how many connected, and of the tokens that came in the seconds
after all were connected, how many and how late (milliseconds at the quantiles).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

AT_ONCE = 50
SETTLE_SECONDS = 1.0


class Pages:
    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.session = session
        self.lines: list[ClientConnection] = []
        self.delays: list[float] = []
        self.counting = False
        self.refused = 0

    async def open(self, conversation: str, room: asyncio.Semaphore) -> None:
        where = f"127.0.0.1:{self.port}"
        async with room:
            try:
                line = await connect(
                    f"ws://{where}/ws/conversations/{conversation}/?after=0",
                    additional_headers={"Cookie": f"sessionid={self.session}"},
                    origin=Origin(f"http://{where}"),
                    proxy=None,
                    open_timeout=30,
                    compression=None,
                )
            except (OSError, WebSocketException):
                self.refused += 1
                return
        self.lines.append(line)

    async def read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                if self.counting and '"delta"' in text:
                    self.note(json.loads(text))
        except WebSocketException:
            self.refused += 1

    def note(self, frame: dict) -> None:
        now = time.monotonic()
        # A piece read from its row, for who came late, says nothing of the delay.
        if not frame["delta"].get("row"):
            sent = frame["delta"]["text"].split()
            self.delays += [(now - float(token)) * 1000 for token in sent]


async def watch(
    port: int, session: str, conversations: list[str], seconds: float
) -> None:
    pages = Pages(port, session)
    room = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(pages.open(each, room) for each in conversations))
    readers = [asyncio.create_task(pages.read(line)) for line in pages.lines]
    await asyncio.sleep(SETTLE_SECONDS)
    print("connected", flush=True)
    pages.counting = True
    await asyncio.sleep(seconds)
    pages.counting = False
    for reader in readers:
        reader.cancel()
    ordered = sorted(pages.delays) or [0.0]
    found = {
        "pages": len(pages.lines),
        "refused": pages.refused,
        "tokens_a_second": len(pages.delays) / seconds,
        **{
            f"p{quantile}": ordered[int(len(ordered) * quantile / 100)]
            for quantile in (50, 95, 99)
        },
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    asyncio.run(
        watch(
            int(sys.argv[1]),
            sys.argv[2],
            sys.stdin.read().split(),
            float(sys.argv[3]),
        )
    )

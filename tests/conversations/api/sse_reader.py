"""Reading server-sent events in tests, from the generator or from a response."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from conversations.api.events import Reader, stream
from conversations.models import Run
from supervisor_site.api_auth import Caller
from teams.models import ApiToken


@dataclass(frozen=True)
class Got:
    id: int | None
    kind: str
    data: dict[str, Any]


def parse(text: str) -> list[Got]:
    """The events of a stream's text; comments and ``retry`` are left out."""
    events = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line)
        if "event" in lines:
            number = int(lines["id"]) if "id" in lines else None
            events.append(Got(number, lines["event"], json.loads(lines["data"])))
    return events


def caller_of(user: User) -> Caller:
    token, _text = ApiToken.issue(user=user, name="stream")
    return Caller(user, token_id=token.pk)


def reader(user: User, run: Run, after: int = 0) -> Reader:
    return Reader(caller_of(user), run.pk, run.conversation_id, after)


def read_all(user: User, run: Run, after: int = 0) -> list[Got]:
    """The stream of a run that has ended."""

    reads = reader(user, run, after)

    async def collect() -> str:
        return "".join([text async for text in stream(reads)])

    return parse(asyncio.run(asyncio.wait_for(collect(), 20)))


class Follower:
    """Reads a stream step by step, in the test's own loop."""

    def __init__(self, texts: AsyncIterator[str]) -> None:
        self.texts = texts
        self.raw: list[str] = []

    async def until(self, wanted: Callable[[Got], bool]) -> list[Got]:
        """Read up to the first event that is wanted; all that came on the way."""
        seen: list[Got] = []
        async with asyncio.timeout(10):
            async for text in self.texts:
                self.raw.append(text)
                seen += parse(text)
                if any(wanted(event) for event in seen):
                    return seen
        raise AssertionError(f"the stream ended before; it said {seen}")

    async def rest(self) -> list[Got]:
        async with asyncio.timeout(10):
            return parse("".join([text async for text in self.texts]))


def follow(user: User, run: Run, after: int = 0) -> Follower:
    return Follower(stream(reader(user, run, after)))

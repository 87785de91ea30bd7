"""The rehearsal model under the openai client: a transport that answers by itself.

    client = openai.AsyncOpenAI(
        api_key="none",
        http_client=httpx2.AsyncClient(transport=RehearsalTransport()),
    )

Nothing leaves the process. ``POST …/chat/completions`` streams or answers at once,
``GET …/models`` names the one model.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from typing import Any

import httpx2
from django.utils import timezone

from teams.providers.rehearsal import wire
from teams.providers.rehearsal.parsing import BadRequest
from teams.providers.rehearsal.policy import next_move

logger = logging.getLogger("supervisor.rehearsal")

# Seconds between the pieces of a stream: so that it can be seen to stream.
PIECE_DELAY = 0.015


class RehearsalTransport(httpx2.AsyncBaseTransport):
    """``piece_delay`` in seconds, ``PIECE_DELAY`` where it is not given; ``today``
    says from which day "tomorrow" counts."""

    def __init__(
        self,
        *,
        piece_delay: float | None = None,
        today: Callable[[], date] | None = None,
    ) -> None:
        self.piece_delay = piece_delay
        self.today = today or timezone.localdate

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        path = request.url.path.rstrip("/")
        if request.method == "GET" and path.endswith("/models"):
            return httpx2.Response(200, json=wire.models())
        if request.method != "POST" or not path.endswith("/chat/completions"):
            return httpx2.Response(404, json=wire.problem(f"nothing at {path}"))
        try:
            asked = json.loads(body)
        except ValueError:
            return httpx2.Response(400, json=wire.problem("the body is no JSON"))
        try:
            move = next_move(asked, today=self.today())
        except BadRequest as error:
            return httpx2.Response(400, json=wire.problem(str(error)))
        except Exception:
            # As a server would: told apart from a broken connection, and logged.
            logger.exception("the rehearsal model failed")
            return httpx2.Response(500, json=wire.problem("the rehearsal model failed"))
        reply = wire.make_reply(move, prompt_size=len(body))
        if asked.get("stream") is not True:
            return httpx2.Response(200, json=wire.whole(reply))
        chunks = wire.pieces(reply, with_usage=_wants_usage(asked))
        headers = {"content-type": "text/event-stream; charset=utf-8"}
        delay = PIECE_DELAY if self.piece_delay is None else self.piece_delay
        stream = _Stream(chunks, delay)
        return httpx2.Response(200, headers=headers, stream=stream)


def _wants_usage(asked: dict[str, Any]) -> bool:
    options = asked.get("stream_options")
    return isinstance(options, dict) and options.get("include_usage") is True


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, chunks: Iterator[dict[str, Any]], delay: float) -> None:
        self.chunks = chunks
        self.delay = delay

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for number, chunk in enumerate(self.chunks):
            if number and self.delay:
                await asyncio.sleep(self.delay)
            text = json.dumps(chunk, ensure_ascii=False, separators=(",", ":"))
            yield f"data: {text}\n\n".encode()
        yield b"data: [DONE]\n\n"

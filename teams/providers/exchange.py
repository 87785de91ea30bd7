"""One HTTP exchange with a model server: send the body, read the raw stream.

The body is read through the openai client as it comes and decoded by our own small
reader. Imports httpx2 and openai: import this module where a call is made.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from supervisor_site.common.hosts import HostNotAllowed
from teams.providers.clients import client_for
from teams.providers.connection import host_failure
from teams.providers.errors import failure_of
from teams.providers.stream import EventDecoder, ReplyAssembler
from teams.providers.types import Connection, ModelFailure, ModelReply

# How long to wait for usage and the end once the server has said how it finished,
# and for the end of the body after "[DONE]", so that the connection can be kept.
END_SECONDS = 5.0
DRAIN_SECONDS = 0.5

_draining: set[asyncio.Task[None]] = set()


@dataclass(slots=True)
class Exchange:
    """What to send, and where the pieces of the reply go.

    ``on_text`` gets each piece of text, ``on_first`` is called once, when anything
    of the reply has come.
    """

    connection: Connection
    content: bytes
    offered: tuple[str, ...]
    on_text: Callable[[str], None]
    on_first: Callable[[], None]

    async def run(self) -> ModelReply:
        """The reply. Raises ``ModelFailure``; cancelling closes the connection."""
        try:
            async with client_for(self.connection) as client:
                return await self._exchange(client)
        except openai.APIStatusError as error:
            raise self._refusal(error) from error
        except (openai.APIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unreached(error) from error
        except HostNotAllowed as error:
            raise host_failure(error, self.connection.base_url) from error
        except UnicodeEncodeError as error:
            raise ModelFailure(
                "model_not_configured", reason="key_not_sendable"
            ) from error

    async def _exchange(self, client: openai.AsyncOpenAI) -> ModelReply:
        response = await client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            content=self.content,
            options={
                "headers": {"Authorization": self._authorization()},
                "timeout": httpx2.Timeout(self.connection.timeout),
            },
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        assert isinstance(response, httpx2.Response)
        reader = _Reader(self)
        pieces = response.aiter_bytes()
        clean = False
        try:
            clean = await reader.read(pieces)
            return reader.reply()
        finally:
            # Cancelled or failed: closed here and now. Else its end is read first.
            if clean:
                _drain(response, pieces)
            else:
                await pieces.aclose()
                await response.aclose()

    def _authorization(self) -> str | openai.Omit:
        """Said with each request, so that nothing of the environment stands in."""
        key = self.connection.api_key
        return f"Bearer {key}" if key else openai.Omit()

    def _refusal(self, error: openai.APIStatusError) -> ModelFailure:
        if error.response.is_redirect:
            return ModelFailure(
                "model_bad_request",
                status=error.status_code,
                detail="The server answered with a redirect, which is not followed.",
            )
        body = error.response.text if error.body is None else error.body
        return failure_of(
            body, status=error.status_code, headers=error.response.headers
        )

    def _unreached(self, error: Exception) -> ModelFailure:
        cause = error.__cause__ if isinstance(error, openai.APIError) else error
        if isinstance(cause, httpx2.TimeoutException):
            seconds = self.connection.timeout
            return ModelFailure("model_timeout", retryable=True, seconds=seconds)
        if isinstance(cause, httpx2.LocalProtocolError):
            # Its words are the header that cannot be sent: the key.
            return ModelFailure("model_not_configured", reason="key_not_sendable")
        if isinstance(cause, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
            return ModelFailure("model_not_configured", detail=str(cause))
        return ModelFailure("model_unreachable", retryable=True, detail=str(cause))


class _Reader:
    """Reads one response body into a reply."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._decoder = EventDecoder()
        self._reply = ReplyAssembler(
            offered=exchange.offered,
            think_tag=exchange.connection.compat.get("think_tag", "auto"),
        )
        self._heard = False

    async def read(self, pieces: AsyncIterator[bytes]) -> bool:
        """Whether the body may be drained: it ended, or only its end is to come."""
        try:
            await self._read(pieces)
        except (TimeoutError, httpx2.TransportError, httpx2.DecodingError) as error:
            # What was said is complete: its end may be missing.
            if self._reply.finished:
                return False
            if isinstance(error, httpx2.TimeoutException):
                raise
            raise ModelFailure(
                "model_stream_broken", retryable=True, detail=str(error)
            ) from error
        return True

    async def _read(self, pieces: AsyncIterator[bytes]) -> None:
        async with asyncio.timeout(None) as limit:
            async for piece in pieces:
                self._take(self._decoder.feed(piece))
                if self._decoder.done:
                    return
                if self._reply.finished and limit.when() is None:
                    now = asyncio.get_running_loop().time()
                    limit.reschedule(now + END_SECONDS)
        self._take(self._decoder.end())

    def reply(self) -> ModelReply:
        rest = self._reply.end()
        if rest:
            self._exchange.on_text(rest)
        return self._reply.reply(done=self._decoder.done)

    def _take(self, payloads: list[dict[str, Any]]) -> None:
        for payload in payloads:
            text = self._reply.add(payload)
            if not self._heard and self._reply.heard:
                self._heard = True
                self._exchange.on_first()
            if text:
                self._exchange.on_text(text)


def _drain(response: httpx2.Response, pieces: AsyncIterator[bytes]) -> None:
    """Read the rest of a body beside the way, so that nobody waits for it."""
    task = asyncio.get_running_loop().create_task(_read_rest(response, pieces))
    _draining.add(task)
    task.add_done_callback(_draining.discard)


async def _read_rest(response: httpx2.Response, pieces: AsyncIterator[bytes]) -> None:
    with suppress(TimeoutError, httpx2.HTTPError, httpx2.StreamError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in pieces:
                pass
    await response.aclose()


def encoded(body: dict[str, Any]) -> bytes:
    """The body as it goes over the wire; halves of characters are replaced."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")

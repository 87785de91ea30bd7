"""The ``AsyncOpenAI`` objects of the background loop, one for each server and key.

Imports openai, which is slow to load: import this module where a call is made.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2
from openai import AsyncOpenAI, Omit

from teams.choices import Provider
from teams.providers.connection import allowed_target
from teams.providers.guard import GuardedTransport
from teams.providers.types import Connection

CLIENTS_AT_MOST = 32

Key = tuple[int, str, str, str, bool]


@dataclass(slots=True)
class _Held:
    client: AsyncOpenAI
    active: int = 0


# Touched in the background loop only. Least recently used first.
_clients: dict[Key, _Held] = {}


@asynccontextmanager
async def client_for(connection: Connection) -> AsyncIterator[AsyncOpenAI]:
    """The client of a connection, made or taken from an earlier call.

    Raises ``ModelFailure`` ``model_host_not_allowed``.
    """
    rehearsal = connection.provider == Provider.REHEARSAL
    target = None if rehearsal else allowed_target(connection.base_url)
    key = (
        os.getpid(),
        connection.provider,
        connection.base_url,
        connection.api_key,
        target is not None and target.listed,
    )
    held = _clients.pop(key, None)
    if held is None:
        transport = _rehearsal() if target is None else GuardedTransport(target)
        held = _Held(_make(connection, transport))
    _clients[key] = held
    held.active += 1
    try:
        yield held.client
    finally:
        held.active -= 1
        await _close_surplus()


def _rehearsal() -> httpx2.AsyncBaseTransport:
    from teams.providers.rehearsal.transport import RehearsalTransport

    return RehearsalTransport()


def _make(connection: Connection, transport: httpx2.AsyncBaseTransport) -> AsyncOpenAI:
    client = AsyncOpenAI(
        api_key=connection.api_key,
        base_url=connection.base_url,
        max_retries=0,
        default_headers=_headers(),
        http_client=httpx2.AsyncClient(
            transport=transport, follow_redirects=False, trust_env=False
        ),
        _enforce_credentials=False,
    )
    # Read from the environment: not meant for every server a profile names.
    client.admin_api_key = client.organization = client.project = None
    return client


def _headers() -> Mapping[str, str]:
    """Plain bodies, and no header that the environment adds for OpenAI."""
    added = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in added if ":" in line]
    headers: dict[str, str | Omit] = dict.fromkeys(names, Omit())
    return {**headers, "Accept-Encoding": "identity"}  # type: ignore[dict-item]


async def _close_surplus() -> None:
    """Forget idle clients beyond the limit, and those of the process before a fork."""
    for key in [key for key in _clients if key[0] != os.getpid()]:
        del _clients[key]
    idle = [key for key, held in _clients.items() if not held.active]
    for key in idle[: max(0, len(_clients) - CLIENTS_AT_MOST)]:
        held = _clients.pop(key)
        await asyncio.shield(held.client.close())

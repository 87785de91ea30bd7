"""A transport that connects to checked addresses only.

The name is asked for once, every address it has is checked, and the connection goes
to one of those: a name service that answers differently a moment later changes
nothing. TLS still checks the name. Proxies from the environment are not used.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Iterable
from functools import lru_cache

import httpcore2
import httpx2

from supervisor_site.common.hosts import (
    HostNotAllowed,
    Target,
    canonical_host,
    refuse_addresses,
)

SocketOption = (
    tuple[int, int, int]
    | tuple[int, int, bytes | bytearray]
    | tuple[int, int, None, int]
)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


class GuardedBackend(httpcore2.AnyIOBackend):
    """Opens connections to one target. Raises ``HostNotAllowed``."""

    def __init__(self, target: Target) -> None:
        self._target = target

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the base class has it
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        if (canonical_host(host), port) != (self._target.host, self._target.port):
            raise HostNotAllowed("unlisted", host)
        deadline = time.monotonic() + (60.0 if timeout is None else timeout)
        addresses = await self._addresses(deadline)
        refuse_addresses(self._target, addresses)
        failure: Exception = httpcore2.ConnectError("The name has no address.")
        for number, address in enumerate(addresses):
            share = (deadline - time.monotonic()) / (len(addresses) - number)
            try:
                return await super().connect_tcp(
                    address, port, max(share, 0.1), local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _addresses(self, deadline: float) -> list[str]:
        target = self._target
        loop = asyncio.get_running_loop()
        asking = loop.getaddrinfo(target.host, target.port, type=1)
        try:
            found = await asyncio.wait_for(asking, deadline - time.monotonic())
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout("The name service did not answer.") from (
                error
            )
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """HTTP to one target, connections kept for the next call."""

    def __init__(self, target: Target) -> None:
        super().__init__(verify=_tls(), trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls(),
            max_connections=None,
            max_keepalive_connections=64,
            keepalive_expiry=30.0,
            network_backend=GuardedBackend(target),
        )

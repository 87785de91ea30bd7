"""What a server process starts and ends with: live push, recovery, expiry."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from conversations import dispatch, push
from conversations.services.retention import remove_old
from supervisor_site.checks import refuse_unsafe_start
from supervisor_site.common.stopping import on_stop, watch_signals

logger = logging.getLogger("supervisor.lifespan")

GRACE_SECONDS = 3.0

Message = MutableMapping[str, Any]


async def lifespan(
    _scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
    """The ASGI lifespan protocol (uvicorn ``--lifespan on``)."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            try:
                refuse_unsafe_start()
            except ImproperlyConfigured as error:
                failed = {"type": "lifespan.startup.failed", "message": str(error)}
                await send(failed)
                return
            watch_signals()
            on_stop(dispatch.stop_soon)
            push.serve()
            dispatch.hourly(remove_old)
            await asyncio.to_thread(dispatch.start_background)
            await send({"type": "lifespan.startup.complete"})
            warm_up()
        elif message["type"] == "lifespan.shutdown":
            await asyncio.to_thread(dispatch.stop_background, GRACE_SECONDS)
            push.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return


def warm_up() -> None:
    """Load what the first call of a model needs, which takes seconds, while nobody
    waits for it."""
    threading.Thread(
        target=import_module, args=["teams.providers.clients"], daemon=True
    ).start()

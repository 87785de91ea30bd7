"""The server does not start where its set-up cannot work."""

from __future__ import annotations

import asyncio
from typing import Any

from pytest_django.fixtures import Settings

from supervisor_site.lifespan import lifespan


def test_a_set_up_that_cannot_work_ends_the_start_with_the_reason(
    settings: Settings,
) -> None:
    settings.SERVER_PROCESSES = 2
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(lifespan({}, receive, send), 5))

    assert [each["type"] for each in sent] == ["lifespan.startup.failed"]
    assert "2 server processes share no channel layer" in sent[0]["message"]

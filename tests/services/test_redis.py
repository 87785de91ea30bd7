"""The live push through a Redis-compatible server, as the settings set it up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.test import override_settings

pytestmark = pytest.mark.services


def layer_settings(url: str) -> dict[str, Any]:
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": url, "max_connections": 1000}]},
        }
    }


def test_every_subscriber_gets_each_message_in_order(redis_url: str) -> None:
    async def publish_and_receive() -> list[list[int]]:
        layer: Any = get_channel_layer()
        names = [await layer.new_channel() for _ in range(2)]
        for name in names:
            await layer.group_add("conversation", name)
        for number in range(300):
            await layer.group_send("conversation", {"type": "wake", "number": number})
        received = [
            [(await layer.receive(name))["number"] for _ in range(300)]
            for name in names
        ]
        await layer.flush()
        return received

    with override_settings(CHANNEL_LAYERS=layer_settings(redis_url)):
        received = asyncio.run(asyncio.wait_for(publish_and_receive(), 30))

    assert received == [list(range(300)), list(range(300))]

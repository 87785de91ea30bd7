"""The live push through a Redis-compatible server, as the settings set it up."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from channels.layers import get_channel_layer
from django.test import override_settings

from conversations import events, push

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


def test_a_process_without_sockets_publishes_from_its_first_commit_on(
    redis_url: str,
) -> None:
    conversation, run, task, message = (uuid4() for _ in range(4))

    async def listen() -> list[dict[str, Any]]:
        layer: Any = get_channel_layer()
        name = await layer.new_channel()
        await layer.group_add(push.group_of(conversation), name)
        await asyncio.to_thread(events.wake, conversation, 7)
        delta = events.DraftDelta(conversation, run, task, message, "A", 1, 0, "Hi")
        await asyncio.to_thread(events.publish_delta, delta)
        received = [await layer.receive(name) for _ in range(2)]
        await layer.flush()
        return received

    events.on_wake(push.publish)
    try:
        with override_settings(CHANNEL_LAYERS=layer_settings(redis_url)):
            received = asyncio.run(asyncio.wait_for(listen(), 30))
            push.stop()
    finally:
        events.off(push.publish)

    assert received[0] == {"type": "conversation.wake", "number": 7}
    assert (received[1]["type"], received[1]["text"]) == ("conversation.delta", "Hi")

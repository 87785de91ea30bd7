"""The websocket addresses; an unknown one is refused like a forbidden one."""

from __future__ import annotations

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from conversations.consumers import ConversationConsumer

# Channels routes ASGI applications with Django's patterns, whose types know views only.
socket: Any = ConversationConsumer.as_asgi()
refused: Any = WebsocketDenier.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/conversations/<uuid:conversation>/", socket),
    re_path("", refused),
]

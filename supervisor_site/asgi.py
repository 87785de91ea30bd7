"""The server's entry: pages and API over HTTP, the push over websockets, lifespan."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "supervisor_site.settings")

# Sets Django up; what follows imports models.
http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402

from conversations.routing import websocket_urlpatterns  # noqa: E402
from supervisor_site.common.memory import share_arenas  # noqa: E402
from supervisor_site.lifespan import lifespan  # noqa: E402

share_arenas()
application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(
            CookieMiddleware(URLRouter(websocket_urlpatterns))
        ),
        "lifespan": lifespan,
    }
)

"""The one API object: who may call it, how it fails, which routers it has."""

from __future__ import annotations

from conversations.api import router as conversations_router
from supervisor_site import api_errors
from supervisor_site.api_auth import BearerAuth, SessionAuth
from supervisor_site.api_base import ReadableRenderer, StrictParser
from supervisor_site.api_docs import Api, DocsPage
from supervisor_site.api_tokens import router as tokens_router
from teams.api import router as teams_router

api = Api(
    title="Supervisor Site",
    version="1",
    description="Teams of agents: build them, run them, see what happened.",
    auth=[BearerAuth(), SessionAuth()],
    parser=StrictParser(),
    renderer=ReadableRenderer(),
    docs=DocsPage(),
    urls_namespace="api",
)
api_errors.register(api)
api.add_router("", conversations_router)
api.add_router("", teams_router)
api.add_router("/tokens", tokens_router)

"""The REST routers of conversations and runs."""

from __future__ import annotations

from ninja import Router

from conversations.api import conversations, events, history, human_requests, runs

router = Router()
router.add_router("/conversations", conversations.router)
router.add_router("/runs", runs.router)
router.add_router("/runs", events.router)
router.add_router("/human-requests", human_requests.router)
router.add_router("/history", history.router)

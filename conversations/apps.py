from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    name = "conversations"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        if settings.REDIS_URL:
            from conversations import events, push

            events.on_wake(push.publish)
        if settings.RUN_DISPATCHER == "celery":
            # The tasks register themselves as the way runs are handed over.
            for module in ("supervisor_site.celery", "conversations.tasks"):
                import_module(module)

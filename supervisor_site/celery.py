"""The Celery app, for ``RUN_DISPATCHER=celery``.

Workers run with ``-P threads``, which the settings make the default: connections and
loops are not inherited by a fork.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_shutting_down
from kombu.transport import redis

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "supervisor_site.settings")

app = Celery("supervisor_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class LenientAcks(redis.QoS):
    """Acknowledging, or giving back, over a connection that Redis has dropped raises
    and ends the worker. What stays unacknowledged comes again, and finds its run done
    or taken; so it is passed over."""

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        if self.channel.connection is not None:
            super().ack(delivery_tag)


@setup_logging.connect
def keep_our_logs(**_kwargs: Any) -> None:
    """Workers and beat log in the form that the settings say, run ids included;
    that somebody listens here is what keeps Celery from setting up its own."""


@worker_init.connect
def prepare(**_kwargs: Any) -> None:
    from supervisor_site.common.memory import share_arenas

    redis.Channel.QoS = LenientAcks
    share_arenas()


@worker_shutting_down.connect
def hand_back(**_kwargs: Any) -> None:
    """Celery waits for what is at work. Runs that have not come to an end within the
    grace period are given back as they stand; another worker goes on with them."""
    from conversations import dispatch

    threading.Thread(
        target=dispatch.hand_back_after_grace, name="hand-back", daemon=True
    ).start()

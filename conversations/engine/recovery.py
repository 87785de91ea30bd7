"""Runs that want a holder and have none: left by a dead process, or never picked up."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from conversations.engine.answers import expire_due
from conversations.engine.lease import claimable
from conversations.models import Run

# A run just queued is about to be picked up by whoever queued it.
GRACE = timedelta(seconds=3)


def runs_to_take_up() -> list[UUID]:
    """Ids, oldest first; expired requests are settled before."""
    resumed = expire_due()
    now = timezone.now()
    waiting = Run.objects.filter(claimable(now), created_at__lt=now - GRACE)
    return [*resumed, *waiting.order_by("created_at").values_list("id", flat=True)]

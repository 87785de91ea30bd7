"""Runs that want a holder and have none: left by a dead process, or never picked up.

Where all workers are busy such a run only waits its turn: it is handed over again at
intervals, so that the queue does not fill with copies of it.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from conversations.engine.answers import expire_due
from conversations.engine.lease import claimable
from conversations.models import Run

# A run just queued is about to be picked up by whoever queued it.
GRACE = timedelta(seconds=3)
OFFER_AGAIN = timedelta(seconds=15)


def runs_to_take_up() -> list[UUID]:
    """Ids, oldest first; expired requests are settled before.

    Of several sweeps at once, one gets each run.
    """
    resumed = expire_due()
    now = timezone.now()
    not_offered = Q(offered_at__isnull=True) | Q(offered_at__lt=now - OFFER_AGAIN)
    waiting = Run.objects.filter(
        claimable(now), not_offered, created_at__lt=now - GRACE
    ).order_by("created_at")
    return [
        *resumed,
        *(
            run_id
            for run_id in waiting.values_list("id", flat=True)
            if Run.objects.filter(not_offered, pk=run_id).update(offered_at=now)
        ),
    ]

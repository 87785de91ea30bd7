"""What a process that died, or was paused, leaves behind: a lease nobody renews."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from conversations.engine.lease import forget, held
from conversations.models import Run


def let_lease_end(run: Run) -> None:
    """The run's holder beats no more, and its lease has run out."""
    for holder in held():
        if holder.run_id == run.pk:
            forget(holder)
    Run.objects.filter(pk=run.pk).update(
        lease_until=timezone.now() - timedelta(seconds=1),
        created_at=timezone.now() - timedelta(minutes=1),
    )

"""A run without a holder is handed over again at intervals, by one sweep of several."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from conversations.engine.lease import claim, release
from conversations.engine.recovery import OFFER_AGAIN, runs_to_take_up
from conversations.models import Run
from conversations.services.runs import start_run
from teams.models import Team


@pytest.fixture
def queued(asker: User, office: Team) -> Run:
    run = start_run(user=asker, team=office, prompt="Work")
    a_minute_ago = timezone.now() - timedelta(minutes=1)
    Run.objects.filter(pk=run.pk).update(created_at=a_minute_ago)
    return run


def test_where_all_workers_are_busy_the_queue_does_not_fill_with_copies(
    queued: Run,
) -> None:
    assert runs_to_take_up() == [queued.pk]
    assert runs_to_take_up() == []

    Run.objects.update(offered_at=timezone.now() - OFFER_AGAIN)

    assert runs_to_take_up() == [queued.pk]


def test_a_run_that_lost_its_worker_is_handed_over_at_once(queued: Run) -> None:
    assert runs_to_take_up() == [queued.pk]
    holder = claim(queued.pk)
    assert holder is not None
    assert runs_to_take_up() == []

    release(holder)

    assert runs_to_take_up() == [queued.pk]

"""A process that was paused longer than its lease does nothing more that counts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.engine.lease import LeaseLostError, claim, confirm, look
from conversations.models import Run
from tests.conversations.engine.test_handing_over_again import queued
from tests.support.leases import let_lease_end

__all__ = ["queued"]


def test_it_begins_no_tool_once_its_lease_has_run_out(queued: Run) -> None:
    holder = claim(queued.pk)
    assert holder is not None
    confirm(holder)

    holder.until = timezone.now() - timedelta(milliseconds=1)

    with pytest.raises(LeaseLostError):
        confirm(holder)
    assert holder.lost


def test_it_sees_that_another_has_taken_over(queued: Run) -> None:
    paused = claim(queued.pk)
    assert paused is not None
    let_lease_end(queued)
    other = claim(queued.pk)
    assert other is not None

    look([paused, other])

    assert (paused.lost, paused.wake.is_set()) == (True, True)
    assert (other.lost, other.wake.is_set()) == (False, False)


def test_a_signal_from_another_process_wakes_the_holder(queued: Run) -> None:
    holder = claim(queued.pk)
    assert holder is not None
    Run.objects.update(signal=1)

    look([holder])

    assert (holder.lost, holder.wake.is_set()) == (False, True)

"""A process that is to stop hands its runs back, and begins none."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from conversations import dispatch
from conversations.choices import RunState
from conversations.engine.lease import Holder, claim, release
from conversations.models import Run
from conversations.services.runs import start_run
from teams.models import Team

WAIT_SECONDS = 20


@pytest.fixture(autouse=True)
def not_stopping() -> Iterator[None]:
    dispatch._stop.clear()
    yield
    dispatch._stop.clear()


@pytest.fixture
def queued(asker: User, office: Team) -> Run:
    return start_run(user=asker, team=office, prompt="Work")


def taken(run: Run) -> Holder:
    holder = claim(run.pk)
    assert holder is not None
    return holder


def test_at_the_signal_itself_its_holders_are_told(queued: Run) -> None:
    holder = taken(queued)

    dispatch.stop_soon()

    assert holder.wake.wait(WAIT_SECONDS)
    assert holder.stopping


def test_it_waits_until_the_last_run_is_handed_back(queued: Run) -> None:
    holder = taken(queued)
    stop = threading.Thread(target=dispatch.stop_background, args=[WAIT_SECONDS])
    stop.start()
    assert holder.wake.wait(WAIT_SECONDS)
    assert stop.is_alive()

    release(holder)

    stop.join(WAIT_SECONDS)
    assert not stop.is_alive()


def test_one_taken_at_the_very_end_is_handed_back_as_well(queued: Run) -> None:
    dispatch._begin_to_stop()
    late = taken(queued)

    dispatch.stop_background(0.2)

    assert late.stopping


def test_what_waits_in_line_is_left_to_the_next_process(queued: Run) -> None:
    dispatch._begin_to_stop()

    dispatch._advance(queued.pk)

    queued.refresh_from_db()
    assert (queued.state, queued.lease_version) == (RunState.QUEUED, 0)

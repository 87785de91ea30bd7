"""Parts die at random moments while runs are at work: nothing is lost, nothing doubled.

Each round prints its seed; ``FAULT_SEED=…`` repeats the round.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest
from celery import Celery

from tests.support.cluster import TIMES, Installation
from tests.support.faults import Figures, Round, seeds

pytestmark = [
    pytest.mark.durability,
    pytest.mark.services,
    pytest.mark.timeout(300),
]

LEASE_SECONDS = int(TIMES["RUN_LEASE_SECONDS"])


def kill_a_worker(installed: Installation, round_: Round) -> None:
    worker = round_.rng.choice(installed.workers)
    worker.kill()
    time.sleep(round_.rng.random())
    worker.start()


def kill_a_server(installed: Installation, round_: Round) -> None:
    server = round_.rng.choice(installed.servers)
    server.kill()
    time.sleep(round_.rng.random())
    server.start()


def kill_redis(installed: Installation, round_: Round) -> None:
    """What was queued is gone, and a run asked for meanwhile could not be queued."""
    installed.redis.terminate()
    round_.add_job()
    time.sleep(round_.rng.random() * 2)
    installed.start_redis()


def kill_postgres(installed: Installation, round_: Round) -> None:
    installed.postgres.kill()
    time.sleep(round_.rng.random())
    installed.postgres.start()


def cut_the_sockets(_installed: Installation, round_: Round) -> None:
    for _time in range(4):
        for follower in round_.followers:
            if round_.rng.random() < 0.7:
                follower.cut()
        time.sleep(round_.rng.random())


def deliver_twice(installed: Installation, round_: Round) -> None:
    broker = Celery(broker=installed.redis.connection_url)
    for run_id in round_.runs:
        for _time in range(3):
            broker.send_task("conversations.tasks.advance_run", [run_id])


def sleep_through_the_lease(installed: Installation, round_: Round) -> None:
    """A worker is paused until another has taken its runs over, then wakes up."""
    worker = round_.rng.choice(installed.workers)
    worker.send(signal.SIGSTOP)
    time.sleep(LEASE_SECONDS + 1.5 + round_.rng.random())
    worker.send(signal.SIGCONT)


FAULTS: dict[str, Callable[[Installation, Round], None]] = {
    "worker killed": kill_a_worker,
    "server killed": kill_a_server,
    "Redis killed": kill_redis,
    "PostgreSQL killed": kill_postgres,
    "sockets cut": cut_the_sockets,
    "task delivered again": deliver_twice,
    "lease slept through": sleep_through_the_lease,
}


def rounds(installed: Installation, name: str, times: int) -> Figures:
    figures = Figures(name)
    for seed in seeds(times):
        installed.revive()
        round_ = Round(installed.servers, installed.rows, seed)
        round_.begin()
        round_.wait_a_moment()
        started = time.monotonic()
        FAULTS[name](installed, round_)
        round_.settle()
        seconds = time.monotonic() - started
        figures.add(round_, seconds, round_.check())
    print(figures)  # noqa: T201
    return figures


@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_and_nothing_doubled(
    installed: Installation, fault: str
) -> None:
    rounds(installed, fault, 2)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_and_nothing_doubled_twenty_times(
    installed: Installation, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = rounds(installed, fault, 20)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201

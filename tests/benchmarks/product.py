"""The product as subject: the demo team, every step durable on SQLite.

    python -m tests.benchmarks.product http://127.0.0.1:PORT

Requests go the usual way: ``start_run``, a pool of threads, the engine. The database
is a new file in a temporary folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from uuid import UUID

from tests.benchmarks import replies
from tests.benchmarks.measure import Subject, report

ROOT = Path(__file__).parents[2]
LONGEST_SECONDS = 120


def prepare(server: str, folder: str) -> None:
    os.environ.update(
        DJANGO_SETTINGS_MODULE="supervisor_site.settings",
        DATABASE_URL=f"sqlite:///{Path(folder) / 'db.sqlite3'}",
        DEBUG="true",
        OPENAI_BASE_URL=f"{server}/v1",
        OPENAI_MODEL="bench",
        RUN_DISPATCHER="thread",
    )
    os.environ.pop("OPENAI_API_KEY", None)
    # In a process of its own: a server that only serves has not loaded all this.
    subprocess.run(
        [sys.executable, "manage.py", "demo", "--no-serve"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    # Loaded where they are found; only a development environment has them.
    for name in ("rich", "greenlet"):
        sys.modules[name] = None  # type: ignore[assignment]
    import django
    from django.conf import settings

    from supervisor_site.common.memory import share_arenas

    share_arenas()
    django.setup()
    # Debugging keeps every query in memory, which no real server does.
    settings.DEBUG = False


class Product:
    """Requests of one user to the demo team.

    Runs are handed to a pool of threads as the dispatcher does, and the future is
    kept: so that waiting for the end asks nothing of the database.
    """

    def __init__(self, server: str) -> None:
        from django.conf import settings
        from django.contrib.auth.models import User

        from conversations import dispatch
        from supervisor_site.common.threads import ThreadPool
        from teams.models import Team

        self.server = server
        self.user = User.objects.get(username="alice")
        self.team = Team.objects.get(name="SUPPORT_TEAM")
        self.runs: set[UUID] = set()
        self.at_work: dict[UUID, Future[None]] = {}
        self.pool = ThreadPool(settings.RUN_THREADS, "run")
        settings.RUN_DISPATCHER = "benchmark"
        dispatch.register("benchmark", self.hand_over)

    def hand_over(self, run: UUID) -> None:
        from conversations.engine.loop import advance
        from supervisor_site.common.connections import release_connection

        future = self.at_work[run] = Future()

        def work() -> None:
            advance(run)
            release_connection()
            future.set_result(None)

        self.pool.submit(work)

    def start(self) -> Future[None]:
        from conversations.services.runs import start_run

        run = start_run(user=self.user, team=self.team, prompt=replies.PROMPT)
        self.runs.add(run.pk)
        return self.at_work.pop(run.pk)

    def one(self) -> None:
        self.start().result(LONGEST_SECONDS)

    def paced(self) -> float:
        from django.conf import settings

        from conversations import events

        first: list[float] = []

        def note(_delta: events.DraftDelta) -> None:
            first.append(time.perf_counter())

        settings.OPENAI_BASE_URL = f"{self.server}/paced/v1"
        events.on_delta(note)
        started = time.perf_counter()
        self.one()
        events.off(note)
        settings.OPENAI_BASE_URL = f"{self.server}/v1"
        return first[0] - started

    def many(self, count: int, in_flight: int) -> int:
        """Keep so many requests in flight until all are done; how many failed of
        all there were so far."""
        slots = threading.Semaphore(in_flight)
        futures = []
        for _number in range(count):
            slots.acquire()
            future = self.start()
            future.add_done_callback(lambda _done: slots.release())
            futures.append(future)
        for future in futures:
            future.result(LONGEST_SECONDS)
        return self.failed()

    def failed(self) -> int:
        from conversations.models import Run

        good = Run.objects.filter(state="SUCCEEDED", answer__contains=ANSWER_END)
        return len(self.runs) - good.count()


ANSWER_END = f"word{replies.ANSWER_TOKENS - 1}"


def main(server: str) -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        prepare(server, folder)
        product = Product(server)
        report(Subject(product.one, product.paced, product.many))


if __name__ == "__main__":
    main(sys.argv[1])

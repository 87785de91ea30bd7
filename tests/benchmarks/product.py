"""The product as subject: the demo team, every step durable on SQLite.

    python -m tests.benchmarks.product http://127.0.0.1:PORT

Requests go the usual way: ``start_run``, the thread pool, the engine. The database
is a new file in a temporary folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

from tests.benchmarks import replies
from tests.benchmarks.measure import Subject, report

ROOT = Path(__file__).parents[2]
LOOK_SECONDS = 0.005
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
    # A development environment brings it along, and it is not small.
    sys.modules["rich"] = None  # type: ignore[assignment]
    import django
    from django.conf import settings

    from supervisor_site.common.memory import share_arenas

    share_arenas()
    django.setup()
    # Debugging keeps every query in memory, which no real server does.
    settings.DEBUG = False


class Product:
    def __init__(self, server: str) -> None:
        from django.contrib.auth.models import User

        from teams.models import Team

        self.server = server
        self.user = User.objects.get(username="alice")
        self.team = Team.objects.get(name="SUPPORT_TEAM")
        self.first_text: dict[UUID, float] = {}

    def start(self) -> UUID:
        from conversations.services.runs import start_run

        run = start_run(user=self.user, team=self.team, prompt=replies.PROMPT)
        return run.pk

    def ended(self, runs: set[UUID]) -> set[UUID]:
        from conversations.choices import RUN_OPEN
        from conversations.models import Run

        at_work = Run.objects.filter(pk__in=runs, state__in=RUN_OPEN)
        return runs - set(at_work.values_list("pk", flat=True))

    def one(self) -> None:
        assert self.many(1, 1) == 0

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
        """Keep so many requests in flight until all are done."""
        at_work: set[UUID] = set()
        runs: set[UUID] = set()
        deadline = time.monotonic() + LONGEST_SECONDS
        while len(runs) < count or at_work:
            while len(runs) < count and len(at_work) < in_flight:
                run = self.start()
                runs.add(run)
                at_work.add(run)
            time.sleep(LOOK_SECONDS)
            at_work -= self.ended(at_work)
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(at_work)} requests are still at work")
        return self.failed(runs)

    def failed(self, runs: set[UUID]) -> int:
        from conversations.models import Run

        return (
            len(runs)
            - Run.objects.filter(
                pk__in=runs, state="SUCCEEDED", answer__contains=ANSWER_END
            ).count()
        )


ANSWER_END = f"word{replies.ANSWER_TOKENS - 1}"


def main(server: str) -> None:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        prepare(server, folder)
        product = Product(server)
        report(Subject(product.one, product.paced, product.many))


if __name__ == "__main__":
    main(sys.argv[1])

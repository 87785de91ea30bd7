"""Throughput of the job that `make bench` measures, without any model latency.

    python -m tests.benchmarks.load_jobs MODEL_URL

The database and the way runs are handed over are those of the environment; prints
requests a second.
"""

from __future__ import annotations

import os
import sys
import time

COUNT = 96
IN_FLIGHT = 16
LONGEST_SECONDS = 180


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "supervisor_site.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User

    from conversations.choices import RUN_OPEN
    from conversations.models import Run
    from conversations.services.runs import start_run
    from teams.models import Team
    from tests.benchmarks.replies import PROMPT

    settings.DEBUG = False
    user = User.objects.get(username="alice")
    team = Team.objects.get(name="SUPPORT_TEAM")
    at_work = Run.objects.filter(state__in=RUN_OPEN)

    def do(count: int) -> float:
        started = time.monotonic()
        left = count
        while left or at_work.exists():
            for _run in range(min(left, IN_FLIGHT - at_work.count())):
                start_run(user=user, team=team, prompt=PROMPT)
                left -= 1
            assert time.monotonic() - started < LONGEST_SECONDS
            time.sleep(0.03)
        return count / (time.monotonic() - started)

    do(IN_FLIGHT)
    print(do(COUNT), flush=True)
    assert not Run.objects.exclude(state="SUCCEEDED").exists()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    # The sweeper and the loops are daemons; nothing is at work any more.
    os._exit(0)

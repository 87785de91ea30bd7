"""What beat queues are tasks that workers know, each while it is still worth doing."""

from __future__ import annotations

from typing import Any

from django.conf import settings

import conversations.tasks  # noqa: F401 - registers them
from supervisor_site.celery import app


def test_every_scheduled_task_exists() -> None:
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}

    assert scheduled == {
        "conversations.tasks.take_up_runs",
        "conversations.tasks.remove_old_conversations",
    }
    assert scheduled <= set(app.tasks)


def test_a_task_that_no_worker_fetched_in_time_is_dropped() -> None:
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE

    for entry in schedule.values():
        assert entry["options"]["expires"] == entry["schedule"]


def test_a_run_is_acknowledged_when_it_is_done() -> None:
    assert app.tasks["conversations.tasks.advance_run"].acks_late

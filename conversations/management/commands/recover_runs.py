"""``manage.py recover_runs``: take up runs whose worker died."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from conversations.engine.loop import advance
from conversations.engine.recovery import runs_to_take_up
from supervisor_site.common.connections import release_connection


class Command(BaseCommand):
    help = "Takes up runs whose worker died and settles requests that have expired."

    def handle(self, *args: Any, **options: Any) -> None:
        runs = runs_to_take_up()
        for run_id in runs:
            self.stdout.write(f"Taking up run {run_id}")
            advance(run_id)
        release_connection()
        self.stdout.write(f"Runs taken up: {len(runs)}")

"""``seed_demo``: the demo's users, data and teams; again, if need be."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from supervisor_site.common.errors import AppError
from teams.demo.people import RightMissing
from teams.demo.seed import seed


class Command(BaseCommand):
    help = "Load the demo users, customers, payments, orders and teams, if missing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO_PASSWORD:
            raise CommandError("DEMO_PASSWORD is missing: the demo's users need one.")
        try:
            lines = seed(settings.DEMO_PASSWORD)
        except RightMissing as error:
            raise CommandError(str(error)) from error
        except AppError as error:
            raise CommandError(error.message) from error
        if options["verbosity"]:
            self.stdout.write("\n".join(lines))

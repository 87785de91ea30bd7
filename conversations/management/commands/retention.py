"""``manage.py retention``: delete old conversations now."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from conversations.services.retention import old_conversations, remove_old


class Command(BaseCommand):
    help = (
        "Deletes conversations in which nothing has changed for so many days, with "
        "all that happened in them. The server and beat do it hourly by RETENTION_DAYS."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, default=settings.RETENTION_DAYS, help="RETENTION_DAYS"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only say how many would go"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        days = options["days"]
        if days < 1:
            raise CommandError("Name the age: --days 90, or set RETENTION_DAYS.")
        if options["dry_run"]:
            count = old_conversations(days, timezone.now()).count()
            self.stdout.write(f"Conversations that would be deleted: {count}")
            return
        self.stdout.write(f"Conversations deleted: {remove_old(days)}")

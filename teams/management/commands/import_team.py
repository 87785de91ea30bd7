"""``import_team FILE``: make what a bundle holds, or only say what that would do."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from supervisor_site.common.errors import AppError, Invalid
from teams.services.transfer import Change, import_bundle


class Command(BaseCommand):
    help = "Make the team, agents, tasks, tools and profiles of a JSON bundle."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the bundle; - for standard input")
        parser.add_argument(
            "--dry-run", action="store_true", help="print the changes, keep nothing"
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="change objects that exist and differ, instead of refusing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bundle = _read(options["file"])
        try:
            changes = import_bundle(
                bundle,
                user=None,
                dry_run=options["dry_run"],
                replace=options["replace"],
            )
        except Invalid as error:
            lines = (f"{each.field}: {each.message}" for each in error.errors)
            raise CommandError("\n".join(lines)) from error
        except AppError as error:
            raise CommandError(error.message) from error
        for change in changes:
            self.stdout.write(_line(change))
        if options["dry_run"]:
            self.stdout.write("Nothing was changed.")


def _read(name: str) -> Any:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return json.loads(data)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        what = "Standard input" if name == "-" else name
        raise CommandError(f"{what} is no JSON: {error}") from error


def _line(change: Change) -> str:
    if change.action == "note":
        return change.message
    changed = f" ({', '.join(change.attributes)})" if change.attributes else ""
    return f"{change.action} {change.kind} {change.name}{changed}"

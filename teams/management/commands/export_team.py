"""``export_team TEAM``: the team with all it needs as JSON, secrets excluded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from supervisor_site.common.errors import AppError
from teams.models import Team
from teams.services.definitions import find
from teams.services.transfer import export_team


class Command(BaseCommand):
    help = "Write a team and all it uses as JSON. API keys are left out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("team", help="the team's name")
        parser.add_argument(
            "--output", metavar="FILE", help="write to a file instead of the terminal"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            team = find("team", options["team"])
        except AppError as error:
            raise CommandError(error.message) from error
        assert isinstance(team, Team)
        text = json.dumps(export_team(team), ensure_ascii=False, indent=2)
        if not options["output"]:
            self.stdout.write(text)
            return
        path = Path(options["output"])
        try:
            path.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stderr.write(f"{team.name} is in {path}.")

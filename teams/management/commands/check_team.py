"""``check_team TEAM``: what is wrong with a team and what would make it better."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from supervisor_site.common.errors import AppError
from teams.check import ERROR, check_team
from teams.models import Team
from teams.services.definitions import find


class Command(BaseCommand):
    help = "Check a team; ends with 1 where something would stop its runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("team", help="the team's name")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            team = find("team", options["team"])
        except AppError as error:
            raise CommandError(error.message) from error
        assert isinstance(team, Team)
        found = check_team(team)
        if options["json"]:
            advice = [each.as_json() for each in found]
            self.stdout.write(json.dumps(advice, ensure_ascii=False, indent=2))
        else:
            for each in found:
                self.stdout.write(
                    f"{each.severity}: {each.kind} {each.name}: {each.message} "
                    f"[{each.code}]"
                )
            if not found:
                self.stdout.write(f"{team.name}: nothing to advise.")
        if any(each.severity == ERROR for each in found):
            sys.exit(1)

"""``manage.py ask TEAM "prompt"``: a request from the terminal."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from conversations import dispatch
from conversations.choices import RunState
from conversations.describe import run_object
from conversations.models import Run
from conversations.permissions import conversation_for
from conversations.services.messages import post_message
from conversations.services.runs import RunOptions, cancel_run, start_run
from conversations.terminal import Terminal, write_into_nothing
from supervisor_site.common.errors import AppError
from teams.selectors import team_for_run

INTERRUPTED = 130
EXIT_CODES = {RunState.SUCCEEDED: 0, RunState.WAITING_FOR_HUMAN: 3}


class Command(BaseCommand):
    help = (
        "Runs a request with a team and shows who says what. "
        "Exit code 0: succeeded, 1: failed, 3: waiting for a person (--no-input)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("team")
        parser.add_argument("prompt")
        parser.add_argument("--conversation", help="go on with this conversation")
        parser.add_argument("--user", default="admin", help="whose request it is")
        parser.add_argument("--read-only", action="store_true")
        parser.add_argument("--debug", action="store_true", help="show every action")
        parser.add_argument(
            "--json", action="store_true", help="print the run object and nothing else"
        )
        parser.add_argument(
            "--no-input", action="store_true", help="stop where a person must answer"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user {options['user']!r}.")
        try:
            run = self._start(user, options)
        except AppError as error:
            raise CommandError(error.message) from error
        quiet = options["json"]
        terminal = Terminal(
            out=sys.stderr if quiet else sys.stdout,
            quiet=quiet,
            debug=options["debug"],
            ask=not options["no_input"],
        )
        try:
            run = self._follow(terminal, user, run)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        finally:
            dispatch.stop_background(2)
        if quiet:
            self._print(run)
        sys.exit(EXIT_CODES.get(RunState(run.state), 1))

    def _print(self, run: Run) -> None:
        text = json.dumps(run_object(run), ensure_ascii=False, indent=2)
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except BrokenPipeError:
            write_into_nothing(sys.stdout)

    def _start(self, user: User, options: dict[str, Any]) -> Run:
        team = team_for_run(user, options["team"])
        prompt = options["prompt"]
        how = RunOptions(read_only=options["read_only"], debug=options["debug"])
        if not options["conversation"]:
            return start_run(user=user, prompt=prompt, team=team, options=how)
        conversation = conversation_for(user, options["conversation"])
        if conversation.team_id != team.pk:
            with_whom = conversation.team.name
            raise CommandError(f"This conversation is with the team {with_whom}.")
        # As in the chat: where one question is open, this is its answer.
        return post_message(
            user=user, conversation=conversation, content=prompt, options=how
        )

    def _follow(self, terminal: Terminal, user: User, run: Run) -> Run:
        """Until it ends, or waits with nobody to answer. The first Ctrl-C stops it, the
        second one does not wait for that."""
        try:
            return terminal.follow(user, run)
        except KeyboardInterrupt:
            cancel_run(
                user=user, run=Run.objects.select_related("conversation").get(pk=run.pk)
            )
            return terminal.follow(user, run)

"""Start, stop and retry a run, and wait for one."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import dispatch
from conversations.choices import (
    RUN_CLAIMABLE,
    RUN_OPEN,
    RUN_RETRYABLE,
    RunState,
)
from conversations.engine.lease import wake_holder
from conversations.engine.loop import advance
from conversations.engine.reopen import reopen
from conversations.events import lock, off, on_wake
from conversations.models import Conversation, Run
from conversations.permissions import may_operate
from conversations.services.checks import check_prompt, check_schema, check_writer
from conversations.services.repeats import repeated
from conversations.services.starting import Start, latest_run, write_first, write_next
from supervisor_site.common.connections import release_connection
from supervisor_site.common.errors import Conflict, Forbidden, NotFound, invalid
from teams.models import Team
from teams.permissions import can_run
from teams.services.versions import version_for

WAIT_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class RunOptions:
    """How a request is worked on: switches, the client's own id, and what S11 gives at
    run time: ``variables`` for placeholders, ``overrides`` of what the team lists as
    overridable, ``tool_state`` shared between tools."""

    read_only: bool = False
    debug: bool = False
    variables: dict[str, Any] = field(default_factory=dict)
    client_id: str = ""
    output_schema: dict[str, Any] | None = None
    tool_state: dict[str, Any] = field(default_factory=dict)
    overrides: dict[str, Any] = field(default_factory=dict)


def start_run(
    *,
    user: User,
    prompt: str,
    team: Team | None = None,
    conversation: Conversation | None = None,
    options: RunOptions | None = None,
) -> Run:
    """Write a person's message and a queued run for it; a new conversation where
    none is given (S5).

    Raises ``Invalid`` (empty or over 100,000 characters; overrides that the team does
    not allow), ``Forbidden`` (an override to a profile with a key), ``NotFound`` (a
    team the person may not run), ``Conflict``: ``team_disabled``,
    ``conversation_busy`` with the run in the way. A ``client_id`` seen before in the
    conversation returns the run it started.
    """
    options = options or RunOptions()
    text = check_prompt(prompt)
    check_schema(options.output_schema)
    if conversation is not None:
        check_writer(user, conversation)
    first = repeated(user, conversation, options.client_id)
    if first is not None:
        return first
    team = _team_for(user, team, conversation)
    version = version_for(team, options.overrides, user=user)
    start = Start(user, text, version, options)
    return _begin(start, team, conversation)


def _team_for(user: User, team: Team | None, conversation: Conversation | None) -> Team:
    if team is None:
        if conversation is None:
            raise invalid("team", _("Name the team that is to work on this."))
        team = conversation.team
    if conversation is not None and conversation.team_id != team.pk:
        raise invalid(
            "team",
            _("This conversation is with the team %(team)s; start a new one.")
            % {"team": conversation.team.name},
            code="other_team",
        )
    if not can_run(user, team) or team.dropped_at is not None:
        raise NotFound(_("There is no such team."))
    if not team.enabled:
        raise Conflict(
            _("The team %(team)s is disabled.") % {"team": team.name},
            code="team_disabled",
        )
    return team


def _begin(start: Start, team: Team, conversation: Conversation | None) -> Run:
    try:
        with transaction.atomic():
            if conversation is not None:
                lock(conversation.pk)
            elif start.options.client_id:
                # No two of a person's requests with an id pass here at once.
                User.objects.select_for_update().get(pk=start.user.pk)
            first = repeated(start.user, conversation, start.options.client_id)
            if first is not None:
                return first
            if conversation is None:
                run = write_first(start, team)
            else:
                refuse_if_busy(conversation)
                refuse_if_ended(conversation)
                run = write_next(start, conversation)
            transaction.on_commit(lambda: dispatch.enqueue(run.id))
    except IntegrityError:
        # Another tab was faster: the constraint let one of the two in.
        first = repeated(start.user, conversation, start.options.client_id)
        if first is not None:
            return first
        if conversation is not None:
            refuse_if_busy(conversation)
        raise
    return run


def refuse_if_busy(conversation: Conversation) -> None:
    """Raise ``conversation_busy`` with the run at work, if there is one."""
    busy = open_run(conversation)
    if busy is not None:
        raise Conflict(
            _("The team is still working on the last request. Wait, or stop it first."),
            code="conversation_busy",
            run=busy,
        )


def refuse_if_ended(conversation: Conversation) -> None:
    """Raise ``conversation_ended``, or ``NotFound`` for one that is deleted; read anew,
    since it may have been ended since the caller read it."""
    now = Conversation.objects.only("ended_at", "deleted_at").get(pk=conversation.pk)
    if now.deleted_at:
        raise NotFound(_("There is no such conversation."))
    if now.ended_at:
        raise Conflict(
            _("This conversation has ended. Reopen it to write on."),
            code="conversation_ended",
        )


def open_run(conversation: Conversation) -> Run | None:
    return Run.objects.filter(conversation=conversation, state__in=RUN_OPEN).first()


def cancel_run(*, user: User, run: Run) -> Run:
    """Ask that a run stops (rule 12). Its holder stops it at once; without a live
    one it is stopped here. A run that has ended is returned as it is."""
    _check_operator(user, run)
    now = timezone.now()
    marked = Run.objects.filter(
        pk=run.pk, state__in=RUN_OPEN, cancel_requested_at__isnull=True
    ).update(cancel_requested_at=now, cancel_requested_by=user, signal=F("signal") + 1)
    if marked:
        wake_holder(run.pk)
        advance(run.pk)
    return Run.objects.select_related(
        "conversation__team", "requested_by", "request"
    ).get(pk=run.pk)


def _check_operator(user: User, run: Run) -> None:
    if not may_operate(user, run):
        raise Forbidden(_("Only the person who asked can do this, or an operator."))


def retry_run(*, user: User, run: Run) -> Run:
    """Go on with a run that failed, was stopped or expired, at the step where it
    ended (rule 13); a succeeded one is asked again, as a new run with ``retry_of``.

    Raises ``Conflict``: ``conversation_busy``, ``not_latest``, ``team_disabled``,
    ``conversation_ended``.
    """
    _check_operator(user, run)
    if run.state == RunState.SUCCEEDED:
        options = RunOptions(
            read_only=run.read_only,
            debug=run.debug,
            variables=run.variables,
            output_schema=run.output_schema,
            overrides=run.team_version.overrides,
        )
        conversation = run.conversation
        team = _team_for(user, None, conversation)
        version = version_for(team, options.overrides, user=user)
        start = Start(user, run.request.text, version, options, retry_of=run)
        return _begin(start, team, conversation)
    _team_for(run.requested_by, None, run.conversation)
    with transaction.atomic():
        locked = lock(run.conversation_id, run.pk)
        if locked is None or locked.state not in RUN_RETRYABLE:
            refuse_if_busy(run.conversation)
            raise Conflict(_("This run cannot be retried now."), code="not_retryable")
        refuse_if_busy(run.conversation)
        refuse_if_ended(run.conversation)
        latest = latest_run(run.conversation)
        if latest is not None and latest.pk != run.pk:
            raise Conflict(
                _("A later request exists in this conversation; ask again instead."),
                code="not_latest",
            )
        reopen(run.pk)
        transaction.on_commit(lambda: dispatch.enqueue(run.pk))
    run.refresh_from_db()
    return run


def wait_for(run_id: UUID, seconds: float) -> Run:
    """The run once it has ended or waits for a person; as it is after ``seconds``.

    Looks when woken by a commit of this process, and twice a second for those of
    others. Keeps no connection of a pool while it waits.
    """
    deadline = time.monotonic() + seconds
    runs = Run.objects.select_related("conversation__team", "requested_by", "request")
    changed = threading.Event()
    run = runs.get(pk=run_id)
    conversation_id = run.conversation_id

    def note(woken_id: UUID, _number: int) -> None:
        if woken_id == conversation_id:
            changed.set()

    on_wake(note)
    try:
        while True:
            run = runs.get(pk=run_id)
            left = deadline - time.monotonic()
            if run.state not in RUN_CLAIMABLE or left <= 0:
                return run
            release_connection()
            changed.wait(min(left, WAIT_LOOK_SECONDS))
            changed.clear()
    finally:
        off(note)

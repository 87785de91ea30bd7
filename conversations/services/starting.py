"""The rows that a request begins with: conversation, thread, message, run, events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from conversations.choices import EventKind, MessageRole
from conversations.events import Journal
from conversations.models import Conversation, Message, Run, Thread
from conversations.threads import lasting_key
from supervisor_site.common.statements import insert_rows
from teams.choices import Pattern
from teams.models import Team, TeamVersion
from teams.services.versions import definition_of

if TYPE_CHECKING:
    from conversations.services.runs import RunOptions

TITLE_LENGTH = 80


@dataclass(frozen=True)
class Start:
    """A request that has passed all that may refuse it."""

    user: User
    text: str
    version: TeamVersion
    options: RunOptions
    retry_of: Run | None = None


def write_first(start: Start, team: Team) -> Run:
    """A new conversation with its first run: nothing there has to be looked up."""
    conversation = Conversation(owner=start.user, team=team, title=_title(start))
    insert_rows([conversation])
    thread = _lasting_thread(start.version, conversation)
    if thread is not None:
        insert_rows([thread])
    return _write(start, conversation, thread, follows=None)


def write_next(start: Start, conversation: Conversation) -> Run:
    """One more in a conversation that is locked and free; the first of all names it."""
    if not conversation.title:
        conversation.title = _title(start)
        conversation.save(update_fields=["title"])
    thread = _lasting_thread(start.version, conversation)
    if thread is not None:
        thread, _made = Thread.objects.get_or_create(
            conversation=conversation,
            key=thread.key,
            defaults={"agent_uid": thread.agent_uid, "agent_name": thread.agent_name},
        )
    original = start.retry_of
    follows = original.follows if original else latest_run(conversation)
    return _write(start, conversation, thread, follows=follows)


def _write(
    start: Start,
    conversation: Conversation,
    thread: Thread | None,
    *,
    follows: Run | None,
) -> Run:
    """The rows of a new run: message, run, events."""
    now = timezone.now()
    options = start.options
    message_id = uuid4()
    run = Run(
        conversation=conversation,
        team_version=start.version,
        requested_by=start.user,
        request_id=message_id,
        follows=follows,
        retry_of=start.retry_of,
        client_id=options.client_id,
        read_only=options.read_only,
        debug=options.debug,
        variables=options.variables,
        output_schema=options.output_schema,
        tool_state=options.tool_state,
    )
    message = Message(
        id=message_id,
        conversation=conversation,
        run=run,
        thread=thread,
        to_everyone=definition_of(start.version.pk).pattern == Pattern.HANDOFF,
        role=MessageRole.USER,
        author=start.user.get_username(),
        text=start.text,
        created_at=now,
    )
    journal = Journal(conversation.pk, run.pk)
    journal.insert(run)
    journal.say(message)
    journal.note(EventKind.RUN_STATE, run, new=run.state)
    journal.write(now)
    return run


def _title(start: Start) -> str:
    return start.text.splitlines()[0][:TITLE_LENGTH]


def latest_run(conversation: Conversation) -> Run | None:
    return Run.objects.filter(conversation=conversation).order_by("-created_at").first()


def _lasting_thread(version: TeamVersion, conversation: Conversation) -> Thread | None:
    """A lasting thread takes the person's message in; else it is said to everyone."""
    definition = definition_of(version.pk)
    key = lasting_key(definition)
    if not key:
        return None
    uid = definition.supervisor or definition.members[0].agent
    return Thread(
        conversation=conversation,
        key=key,
        agent_uid=uid,
        agent_name=definition.agents[uid].name,
    )

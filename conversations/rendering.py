"""What a page is sent when something changed: the leaves, rendered with the very
fragments the page itself is made of."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.urls import reverse

from conversations.choices import EventKind, MessageState, RunState
from conversations.models import Conversation, Event, Message, Run
from conversations.permissions import answers_all
from conversations.selectors import transcript
from conversations.selectors.notes import how_ended
from conversations.selectors.private import hidden_tasks
from conversations.selectors.standing import Standing, standing_of
from conversations.selectors.transcript import Leaf
from conversations.selectors.transcript_rows import some_rows
from conversations.trace import figures
from teams.services.versions import definition_of

# Together with what stands beside the transcript a frame stays under 64 kB.
LEAF_BYTES = 32_000
BATCH_BYTES = 48_000
EVENTS_AT_ONCE = 300
CONTAINERS = {"turn", "task"}
BAR_PARTS = ("status", "controls", "active", "ending", "closing")

Frame = dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """A reply as far as its row has it; ``attempt`` as in ``DraftDelta``."""

    conversation_id: UUID
    run_id: UUID
    task_id: UUID
    message_id: UUID
    agent: str
    attempt: int
    text: str


def changes(
    conversation: Conversation, after: int, user: User, known: set[str]
) -> list[Frame]:
    """Frames, none over 64 kB, with all that changed after that number.

    The last frame carries ``number``: the reader has everything up to it. ``known``
    are the containers the reader has been sent; new ones are added to it. Empty if
    nothing changed.
    """
    events = list(
        Event.objects.filter(conversation=conversation, number__gt=after).order_by(
            "number"
        )[:EVENTS_AT_ONCE]
    )
    if not events:
        return []
    runs = {event.run_id for event in events if event.run_id}
    rows = {event.row for event in events if event.kind != EventKind.CONVERSATION}
    leaves = transcript.changed(conversation, runs, rows) if runs else []
    fresh = [leaf for leaf in leaves if leaf.key not in known]
    known.update(leaf.key for leaf in leaves if leaf.kind in CONTAINERS)
    standing = standing_of(conversation, user)
    context = context_for(conversation, user, standing)
    frames = list(_frames(_sent(leaf, context) for leaf in fresh))
    frames[-1].update(tail(conversation, standing, context))
    frames[-1]["number"] = events[-1].number
    frames[-1]["more"] = len(events) == EVENTS_AT_ONCE
    return frames


def tail(
    conversation: Conversation, standing: Standing, context: dict[str, Any]
) -> Frame:
    """What stands beside the transcript: the run's state and what can be done."""
    return {
        "state": standing.run.state if standing.run else "",
        "run": str(standing.run.id) if standing.run else "",
        "open": standing.open,
        "waits": standing.waits and context["may_operate"],
        "title": conversation.title,
        "bar": {
            part: render_to_string(f"_fragments/{part}.html", context)
            for part in BAR_PARTS
        },
    }


def context_for(
    conversation: Conversation, user: User, standing: Standing
) -> dict[str, Any]:
    """What every fragment may ask for, on the page and in a push."""
    return {
        "conversation": conversation,
        "standing": standing,
        "viewer": user,
        "may_operate": conversation.owner_id == user.pk or answers_all(user),
        "may_edit_arguments": standing.waits
        and user.has_perm("conversations.edit_arguments"),
        "active_agent": _active_agent(conversation, standing),
        "how_ended": how_ended(conversation.ended_by),
    }


def _active_agent(conversation: Conversation, standing: Standing) -> str:
    """Who has the floor in a handoff team (H4)."""
    if standing.run is None or conversation.active_agent_uid is None:
        return ""
    agents = definition_of(standing.run.team_version_id).agents
    agent = agents.get(conversation.active_agent_uid)
    return agent.name if agent else ""


def render(leaf: Leaf, context: dict[str, Any]) -> str:
    return render_to_string(leaf.template, {**context, "leaf": leaf})


def _sent(leaf: Leaf, context: dict[str, Any]) -> Frame:
    sent = {
        "id": leaf.key,
        "parent": leaf.parent,
        "order": leaf.number,
        "frame": leaf.kind in CONTAINERS,
    }
    html = render(leaf, context) if leaf.present else ""
    if len(html.encode()) <= LEAF_BYTES:
        return {**sent, "html": html}
    arguments = [context["conversation"].id, leaf.run_id, leaf.row.id]
    return {**sent, "href": reverse("chat-leaf", args=arguments)}


def _frames(leaves: Iterable[Frame]) -> Iterator[Frame]:
    """Leaves in frames that stay under the limit; one frame at least."""
    batch: list[Frame] = []
    size = 0
    for leaf in leaves:
        weight = len(json.dumps(leaf, ensure_ascii=False).encode())
        if batch and size + weight > BATCH_BYTES:
            yield {"leaves": batch}
            batch, size = [], 0
        batch.append(leaf)
        size += weight
    yield {"leaves": batch}


def drafts(conversations: Collection[UUID]) -> list[Draft]:
    """The replies being written in these conversations, as far as their rows go."""
    working = Run.objects.filter(conversation__in=conversations, state=RunState.RUNNING)
    messages = list(
        Message.objects.filter(
            run__in=working, state=MessageState.PARTIAL, task_run__isnull=False
        )
        .select_related("model_call")
        .order_by("number")
    )
    hidden = hidden_tasks(working) if messages else set()
    return [
        Draft(
            conversation_id=message.conversation_id,
            run_id=message.run_id,
            task_id=cast("UUID", message.task_run_id),
            message_id=message.id,
            agent=message.author,
            attempt=message.model_call.attempts if message.model_call else 1,
            text=message.text,
        )
        for message in messages
        if message.task_run_id not in hidden
    ]


def place_of(conversation: Conversation, run_id: UUID, task_id: UUID) -> Frame:
    """Where a reply of this task run stands, and how its author looks there."""
    rows = some_rows(conversation, [run_id], [])
    task = rows.tasks.get(task_id)
    leads = task is not None and task.leads
    agent = task.agent_name if task else ""
    return {
        "parent": transcript.home(rows, run_id, task),
        "leads": leads,
        "mark": figures.mark(agent),
        "tint": figures.tint(agent, leads=leads),
    }

"""``/runs/{id}/events``: a run as server-sent events, from the rows and live."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection
from django.http import StreamingHttpResponse
from ninja import Router

from conversations.api.event_objects import Look, look
from conversations.models import Message, Run
from conversations.permissions import run_for, visible_runs
from conversations.sse import HEARTBEAT, Draft, Subscription, event_text, subscribed
from supervisor_site.api_auth import Caller
from supervisor_site.api_base import ApiRequest
from supervisor_site.common.stopping import is_stopping

router = Router(tags=["runs"])

# A wake-up may be lost, and a run of another process sends none.
LOOK_SECONDS = 2.0
HEARTBEAT_SECONDS = 15.0


@dataclass(frozen=True)
class Reader:
    """Who follows which run, from which number on."""

    caller: Caller
    run_id: UUID
    conversation_id: UUID
    after: int

    def may_read(self) -> bool:
        # Read anew: the rights of a user object are those of when it was loaded.
        user = self.caller.user_now()
        return bool(user and visible_runs(user).filter(pk=self.run_id).exists())


@router.get(
    "/{uuid:run_id}/events",
    summary="Follow a run",
    operation_id="follow_run",
    openapi_extra={
        "responses": {
            200: {"description": "Events", "content": {"text/event-stream": {}}}
        }
    },
)
async def follow_run(
    request: ApiRequest, run_id: UUID, after: int = 0
) -> StreamingHttpResponse:
    """Server-sent events until the run has ended. ``Last-Event-ID``, or ``after``,
    names the last event one knows; what came since is sent first."""
    run: Run = await sync_to_async(run_for)(request.user, run_id)
    last = request.headers.get("Last-Event-ID", "")
    known = int(last) if last.isascii() and last.isdigit() else after
    reader = Reader(request.auth, run.pk, run.conversation_id, known)
    response = StreamingHttpResponse(stream(reader), content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response


async def stream(reader: Reader) -> AsyncIterator[str]:
    """Look at the rows when woken and every two seconds; send drafts in between."""
    clock = asyncio.get_running_loop().time
    after, spoken = reader.after, clock()
    await sync_to_async(leave_connection)()
    yield "retry: 2000\n\n"
    with subscribed(reader.conversation_id, reader.run_id) as subscription:
        # A reader that is cut off comes back with the last number it has.
        while not is_stopping():
            subscription.rows_changed = False
            seen = await look_again(reader, after)
            if seen is None:
                return
            after = seen.last_number
            for text in told(seen, subscription):
                spoken = clock()
                yield text
            if seen.ended is not None:
                return
            until = clock() + LOOK_SECONDS
            while not subscription.rows_changed and clock() < until:
                for text in deltas(subscription):
                    spoken = clock()
                    yield text
                await subscription.news(until - clock())
            if clock() - spoken >= HEARTBEAT_SECONDS:
                spoken = clock()
                yield HEARTBEAT


def leave_connection() -> None:
    """The thread of this request has nothing more to read; a stream may last for
    hours, and must not keep a connection from others."""
    if not connection.in_atomic_block:
        connection.close()


async def look_again(reader: Reader, after: int) -> Look | None:
    """``None`` once the reader may no longer read. Streams share the loop's few
    threads, so that a hundred of them are not a hundred connections."""

    def read() -> Look | None:
        return look(reader.run_id, after) if reader.may_read() else None

    return await database_sync_to_async(read, thread_sensitive=False)()


def told(seen: Look, subscription: Subscription) -> Iterator[str]:
    """All that a look at the rows has brought, in order."""
    for event in seen.events:
        if event.message_id:
            yield from last_piece(subscription, event.message_id, event.data["text"])
            if not subscription.finish(event.message_id):
                continue
        yield event_text(event.kind, event.data, event.number)
    for message in seen.partial:
        fill_draft(subscription, message)
    if seen.ended is not None:
        for output in seen.ended["outputs"]:
            yield event_text("output", output)
        yield event_text("run.ended", seen.ended)


def last_piece(
    subscription: Subscription, message_id: UUID, whole: str
) -> Iterator[str]:
    """What is missing of a text that was sent in pieces: together they are whole."""
    draft = subscription.drafts.get(message_id)
    if draft is not None:
        draft.fill(whole)
        yield from piece_of(message_id, draft)


def fill_draft(subscription: Subscription, message: Message) -> None:
    if message.task_run_id and message.pk not in subscription.finished:
        draft = subscription.draft(message.pk, message.task_run_id, message.author)
        draft.fill(message.text)


def deltas(subscription: Subscription) -> Iterator[str]:
    """The pieces of text that have come since."""
    # Sending takes time, in which drafts come and go.
    for message_id, draft in list(subscription.drafts.items()):
        yield from piece_of(message_id, draft)


def piece_of(message_id: UUID, draft: Draft) -> Iterator[str]:
    piece = draft.take()
    if piece is not None:
        data = {
            "message_id": str(message_id),
            "task_run_id": str(draft.task_run_id),
            "agent": draft.agent,
            "attempt": draft.attempt,
            "offset": piece[0],
            "text": piece[1],
        }
        yield event_text("message.delta", data)

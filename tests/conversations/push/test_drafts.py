"""Text being written: in order, merged, read from its row where a piece is lost."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from conversations.events import DraftDelta, publish_delta
from conversations.models import Message, ModelCall, Run, TaskRun
from conversations.reading import Feed, merged
from supervisor_site.common.loop import background_loop
from tests.conversations.factories import make_run_tree
from tests.conversations.push.sockets import Socket, in_loop, session_of
from tests.conversations.push.test_waking import in_another_thread


@pytest.fixture
def running(transactional_db: None, owner: User) -> Run:
    return make_run_tree(owner, "running")


def worker_of(run: Run) -> TaskRun:
    return run.task_runs.get(agent_name="PAYMENT_AGENT")


def delta(
    run: Run, message: UUID, text: str, *, offset: int = 0, attempt: int = 1
) -> DraftDelta:
    task = worker_of(run)
    return DraftDelta(
        conversation_id=run.conversation_id,
        run_id=run.id,
        task_run_id=task.id,
        message_id=message,
        agent=task.agent_name,
        attempt=attempt,
        offset=offset,
        text=text,
    )


def publish(*deltas: DraftDelta) -> None:
    """As the model's stream does: in the background loop, one after the other."""
    for each in deltas:
        background_loop().call_soon_threadsafe(publish_delta, each)


def row_of(run: Run, text: str) -> Message:
    """The reply as its writer flushes it."""
    call = ModelCall.objects.get(task_run=worker_of(run), state="RUNNING")
    last = run.conversation.last_number
    return Message.objects.create(
        id=call.id,
        conversation_id=run.conversation_id,
        run=run,
        task_run=call.task_run,
        thread_id=call.task_run.thread_id,
        model_call=call,
        number=last + 1,
        role="assistant",
        author=call.task_run.agent_name,
        text=text,
        state="partial",
        created_at=call.started_at,
    )


async def text_of(socket: Socket, length: int) -> str:
    """Put the pieces together as a page does, until there are ``length`` characters."""
    text = ""
    while len(text) < length:
        frame = await socket.until(lambda frame: "delta" in frame)
        piece = frame["delta"]
        if piece["offset"] <= len(text):
            text = text[: piece["offset"]] + piece["text"]
    return text


def test_pieces_arrive_in_order_and_say_where_they_belong(
    running: Run, owner: User
) -> None:
    async def work() -> tuple[str, dict[str, Any]]:
        socket = Socket(running.conversation_id, session, after=number)
        await socket.open()
        publish(*pieces)
        text = await text_of(socket, 800)
        await socket.leave()
        return text, socket.frames[0]["delta"]

    session, number = session_of(owner), running.conversation.last_number
    message, worker = uuid4(), worker_of(running)
    pieces = [delta(running, message, f"word{i:03} ", offset=8 * i) for i in range(100)]
    text, first = in_loop(work)

    assert text == "".join(f"word{i:03} " for i in range(100))
    assert first["parent"] == f"task-body-{worker.id}"
    assert (first["agent"], first["mark"]) == ("PAYMENT_AGENT", "PA")
    assert first["message"] == str(message)


def test_a_page_that_joins_late_gets_the_beginning_from_the_row(
    running: Run, owner: User
) -> None:
    async def work() -> str:
        socket = Socket(running.conversation_id, session, after=number)
        await socket.open()
        publish(late)
        text = await text_of(socket, 14)
        await socket.leave()
        return text

    session, number = session_of(owner), running.conversation.last_number
    row = row_of(running, "the beginning ")
    late = delta(running, row.id, "and the end", offset=14)

    assert in_loop(work) == "the beginning "


def test_a_reply_written_in_another_process_is_read_from_its_row(
    running: Run, owner: User
) -> None:
    async def work() -> str:
        socket = Socket(running.conversation_id, session, after=number)
        await socket.open()
        text = await text_of(socket, 5)
        await in_another_thread(grow)
        more = await socket.until(lambda frame: "delta" in frame)
        await socket.leave()
        return text + str(more["delta"]["text"])

    def grow() -> None:
        Message.objects.filter(pk=row.pk).update(text="three more words")

    session, number = session_of(owner), running.conversation.last_number
    row = row_of(running, "three")

    assert in_loop(work) == "three more words"


def piece(text: str, offset: int = 0, attempt: int = 1) -> dict[str, Any]:
    return {
        "type": "conversation.delta",
        "message": "m",
        "task": "t",
        "attempt": attempt,
        "offset": offset,
        "text": text,
    }


def feed(*pieces: dict[str, Any]) -> Feed:
    made = Feed(uuid4(), "")
    for each in pieces:
        made.add(each)
    return made


def test_neighbouring_pieces_travel_as_one() -> None:
    pieces = feed(piece("ab"), piece("cd", 2), piece("ef", 4)).pieces

    assert [(p["offset"], p["text"]) for p in merged(pieces)] == [(0, "abcdef")]


def test_a_long_text_travels_in_parts() -> None:
    parts = list(merged(feed(piece("x" * 30_000)).pieces))

    assert [(p["offset"], len(p["text"])) for p in parts] == [
        (0, 12_000),
        (12_000, 12_000),
        (24_000, 6_000),
    ]


def test_a_gap_is_noticed() -> None:
    assert feed(piece("ab"), piece("ef", 4)).missing == {"m": 0}
    assert feed(piece("ab"), piece("cd", 2)).missing == {}


def test_a_new_attempt_begins_anew() -> None:
    made = feed(piece("first try"), piece("second", attempt=2))

    assert made.ends["m"] == (2, 6)
    assert made.missing == {}


def test_a_straggler_of_an_old_attempt_is_left_out() -> None:
    made = feed(piece("second", attempt=2), piece("late", 9, attempt=1))

    assert [p["text"] for p in made.pieces] == ["second"]


def test_a_reader_that_does_not_keep_up_reads_the_row_instead() -> None:
    made = feed(*(piece("x", offset) for offset in range(600)))

    assert len(made.pieces) == 500
    assert made.missing == {"m": 0}

"""Server-sent events on a real server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from tests.conversations.api.sse_reader import Got, parse
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, slow, text

pytestmark = pytest.mark.durability
WORDS = "one two three four five six seven eight"
DELEGATION = {
    "worker": "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK",
    "request": "Look it up",
}


def begin(served: Product, prompt: str) -> str:
    body = {"team": "SUPPORT_TEAM", "prompt": prompt}
    run: dict[str, Any] = served.call("POST", "/runs", body, 202)
    return str(run["id"])


@contextmanager
def stream(served: Product, run_id: str, **headers: str) -> Iterator[Iterator[str]]:
    with httpx2.stream(
        "GET",
        f"{served.url}/api/runs/{run_id}/events",
        headers={"Authorization": f"Bearer {served.token}", **headers},
        timeout=30,
    ) as answer:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/event-stream"
        yield answer.iter_text()


def read(served: Product, run_id: str, **headers: str) -> list[Got]:
    with stream(served, run_id, **headers) as texts:
        return parse("".join(texts))


def spoken(events: list[Got]) -> dict[str, str]:
    """The texts by message, put together from their pieces alone."""
    texts: dict[str, str] = {}
    for event in events:
        if event.kind == "message.delta":
            known = texts.setdefault(event.data["message_id"], "")
            texts[event.data["message_id"]] = (
                known[: event.data["offset"]] + event.data["text"]
            )
    return texts


def told(events: list[Got]) -> list[tuple[str, str]]:
    """What was told, of which row: the same for everyone, whenever they joined."""
    return [(e.kind, e.data["id"]) for e in events if e.id is not None]


def test_pieces_come_while_the_model_speaks(
    served: Product, served_model: ScriptedModel
) -> None:
    # Long enough that the first readers of a cold server still hear it speak.
    words = " ".join([WORDS] * 4)
    served_model.add(slow(words, 0.2))
    run_id = begin(served, "Count")
    heard: list[tuple[float, Got]] = []
    started = time.monotonic()
    with stream(served, run_id) as texts:
        for piece in texts:
            heard += [(time.monotonic() - started, event) for event in parse(piece)]
    events = [event for _moment, event in heard]
    moments = [moment for moment, event in heard if event.kind == "message.delta"]
    assert len(moments) >= 4
    assert moments[-1] - moments[0] > 0.5
    assert list(spoken(events).values()) == [words]
    assert events[-1].kind == "run.ended"
    assert events[-1].data["answer"] == words


def test_a_worker_and_its_supervisor_speak_one_after_the_other(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(("delegate_to_worker", DELEGATION)),
        slow("The worker speaks at some length", 0.05),
        slow("And so does the supervisor", 0.05),
    )
    events = read(served, begin(served, "Look it up"))
    agents = [event.data["agent"] for event in events if event.kind == "message.delta"]
    assert list(dict.fromkeys(agents)) == ["ACCOUNT_AGENT", "SUPPORT_SUPERVISOR"]
    states = [
        (event.data["agent"], event.data["state"])
        for event in events
        if event.kind == "task_run.state"
    ]
    assert states == [
        ("SUPPORT_SUPERVISOR", "RUNNING"),
        ("ACCOUNT_AGENT", "RUNNING"),
        ("ACCOUNT_AGENT", "SUCCEEDED"),
        ("SUPPORT_SUPERVISOR", "SUCCEEDED"),
    ]


def test_who_comes_back_is_told_the_rest_once(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(slow(WORDS, 0.2))
    run_id = begin(served, "Count")
    first: list[Got] = []
    with stream(served, run_id) as texts:
        for piece in texts:
            first += parse(piece)
            if first and first[-1].kind == "message.delta":
                break
    known = max(event.id for event in first if event.id is not None)
    rest = read(served, run_id, **{"Last-Event-ID": str(known)})
    numbered = [event for event in first + rest if event.id is not None]
    numbers = [event.id for event in numbered]
    assert len(numbers) == len(set(numbers))
    assert list(spoken(rest).values()) in ([WORDS], [])
    assert rest[-1].data["answer"] == WORDS
    whole = [event for event in read(served, run_id) if event.id is not None]
    assert told(whole) == told(numbered)


def test_a_stopped_run_ends_its_stream(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(slow(WORDS * 20, 0.2))
    run_id = begin(served, "Count")
    events: list[Got] = []
    with stream(served, run_id) as texts:
        for piece in texts:
            events += parse(piece)
            if events and events[-1].kind == "message.delta":
                served.call("POST", f"/runs/{run_id}/cancel", None, 200)
                break
        events += parse("".join(texts))
    assert events[-1].kind == "run.ended"
    assert events[-1].data["state"] == "CANCELLED"
    (said,) = [
        e
        for e in events
        if e.kind == "message.completed" and e.data["role"] == "assistant"
    ]
    assert said.data["state"] == "stopped"
    assert said.data["text"]
    assert WORDS.startswith(said.data["text"])


def test_many_readers_hear_the_same(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(slow(WORDS, 0.1))
    run_id = begin(served, "Count")
    with ThreadPoolExecutor(12) as pool:
        heard = list(pool.map(lambda _number: read(served, run_id), range(12)))
    for events in heard:
        assert told(events) == told(heard[0])
        assert events[-1].data["answer"] == WORDS


def test_a_question_is_answered_while_one_listens(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(("ask_human", {"question": "Which customer?"})), text("C-1001 it is.")
    )
    run_id = begin(served, "Show the account")
    events: list[Got] = []
    with stream(served, run_id) as texts:
        for piece in texts:
            for event in parse(piece):
                events.append(event)
                if event.kind == "human_request.opened":
                    path = f"/human-requests/{event.data['id']}/respond"
                    served.call("POST", path, {"answer": "C-1001"}, 200)
    assert "human_request.settled" in [event.kind for event in events]
    assert events[-1].data["answer"] == "C-1001 it is."

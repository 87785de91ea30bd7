"""A call while it runs: drafts, stop, many at once. Numbers are those of the fixture
list of odd streams."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime

import pytest

from teams.providers.types import Delta
from tests.support.model_calls import Call, connection_to, start
from tests.support.scripted_model import (
    calls,
    chunk,
    error,
    event,
    hang,
    raw,
    silent,
    slow,
    text,
)


def until(condition, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def test_the_first_text_is_published_at_once_and_the_rest_in_batches(scripted_model):
    words = " ".join(f"w{n}" for n in range(40))
    scripted_model.add(slow(words, 0.01))
    call = start(connection_to(scripted_model))
    assert call.wait().text == words
    assert call.deltas[0] == Delta(1, 0, "w0")
    assert call.published() == {1: words}
    assert 4 <= len(call.deltas) <= 16


def test_a_held_reply_shows_what_came_so_far(scripted_model):
    gate = threading.Event()
    scripted_model.add(text("one two three", gate=gate, gate_after=2))
    begun = datetime.now(UTC)
    call = start(connection_to(scripted_model))
    until(lambda: call.running.partial() == (1, "one two"))
    until(lambda: call.published() == {1: "one two"})
    assert call.running.result() is None
    assert call.running.first_token_at is not None
    assert call.running.first_token_at > begun
    gate.set()
    assert call.wait().text == "one two three"
    assert call.published() == {1: "one two three"}


def test_calls_alone_publish_no_text_but_count_as_first_token(scripted_model):
    scripted_model.add(calls(("add", {"a": 1})))
    call = start(connection_to(scripted_model))
    call.wait()
    assert call.deltas == []
    assert call.running.first_token_at is not None


@pytest.mark.parametrize("reply", [silent(), hang(), hang("Some words")])
def test_41_stop_closes_the_connection_within_a_second(scripted_model, reply):
    scripted_model.add(reply)
    call = start(connection_to(scripted_model, timeout=60, max_retries=2))
    [request] = scripted_model.wait_for_requests(1)
    time.sleep(0.1)
    stopped = time.monotonic()
    call.running.cancel()
    assert call.failure(1).code == "model_cancelled"
    assert request.wait_disconnected(1)
    assert request.disconnected_at - stopped < 1


def test_41_stop_keeps_the_partial_text_and_publishes_nothing_more(scripted_model):
    scripted_model.add(slow("a b c d e f g h i j", 0.05))
    call = start(connection_to(scripted_model))
    until(lambda: len(call.running.partial()[1]) >= 5)
    call.running.cancel()
    attempt, partial = call.running.partial()
    published = list(call.deltas)
    assert "a b c d e f g h i j".startswith(partial)
    assert attempt == 1
    time.sleep(0.2)
    assert call.deltas == published
    assert scripted_model.requests[0].wait_disconnected(1)


def test_stop_while_waiting_for_the_next_attempt(scripted_model):
    scripted_model.add(error(429, "slow", {"Retry-After": "30"}))
    call = start(connection_to(scripted_model, max_retries=2))
    scripted_model.wait_for_requests(1)
    time.sleep(0.1)
    call.running.cancel()
    assert call.failure(1).code == "model_cancelled"


def test_stop_at_once_and_twice(scripted_model):
    scripted_model.answer_with(lambda body: hang())
    told = []
    for _ in range(20):
        call = Call()
        from teams.providers.calls import start_call
        from teams.providers.types import ModelRequest

        call.running = start_call(
            connection_to(scripted_model),
            ModelRequest([]),
            on_delta=call.deltas.append,
            notify=lambda: told.append(1),
        )
        call.running.cancel()
        call.running.cancel()
    until(lambda: len(told) >= 20)
    time.sleep(0.2)
    assert len(told) == 20


def test_stop_after_the_end_changes_nothing(scripted_model):
    scripted_model.add(text("Done"))
    call = start(connection_to(scripted_model))
    call.wait()
    call.running.cancel()
    assert call.wait().text == "Done"


def test_a_listener_that_fails_does_not_end_the_call(scripted_model):
    from teams.providers.calls import start_call
    from teams.providers.types import ModelRequest

    def broken(delta):
        raise RuntimeError("listener")

    scripted_model.add(slow("a b c", 0.03))
    call = Call()
    call.running = start_call(
        connection_to(scripted_model),
        ModelRequest([]),
        on_delta=broken,
        notify=call.ended.set,
    )
    assert call.wait().text == "a b c"


def test_42_ten_thousand_quick_chunks_come_in_few_batches(scripted_model):
    pieces = [f"{n} " for n in range(10_000)]
    scripted_model.add(text("", pieces=pieces))
    begun = time.monotonic()
    call = start(connection_to(scripted_model))
    assert call.wait().text == "".join(pieces)
    assert call.published() == {1: "".join(pieces)}
    assert time.monotonic() - begun < 10
    assert len(call.deltas) < 200


def test_42_a_slow_listener_loses_nothing(scripted_model):
    from teams.providers.calls import start_call
    from teams.providers.types import ModelRequest

    pieces = [f"{n} " for n in range(2_000)]
    scripted_model.add(text("", pieces=pieces))
    call = Call()

    def slowly(delta):
        time.sleep(0.02)
        call.deltas.append(delta)

    call.running = start_call(
        connection_to(scripted_model),
        ModelRequest([]),
        on_delta=slowly,
        notify=call.ended.set,
    )
    call.wait()
    assert call.published() == {1: "".join(pieces)}


def test_16_calls_at_once_run_side_by_side(scripted_model):
    scripted_model.answer_with(
        lambda body: slow(f"reply to {body['messages'][0]['content']} a b c", 0.05)
    )
    begun = time.monotonic()
    started = [
        start(connection_to(scripted_model), [{"role": "user", "content": str(n)}])
        for n in range(16)
    ]
    for number, call in enumerate(started):
        assert call.wait().text == f"reply to {number} a b c"
        assert call.published() == {1: f"reply to {number} a b c"}
    assert time.monotonic() - begun < 16 * 0.3
    assert len({request.connection for request in scripted_model.requests}) == 16


def test_connections_are_used_again(scripted_model):
    for _ in range(4):
        scripted_model.add(text("again"))
        start(connection_to(scripted_model)).wait()
    assert scripted_model.connections == 1


def test_a_stopped_call_leaves_no_connection_behind_for_the_next(scripted_model):
    scripted_model.add(hang("Half"))
    call = start(connection_to(scripted_model))
    until(lambda: call.running.partial()[1] == "Half")
    call.running.cancel()
    scripted_model.add(text("Next"))
    assert start(connection_to(scripted_model)).wait().text == "Next"


def test_a_kept_connection_that_the_server_closed_is_not_used(scripted_model):
    scripted_model.add(raw([event(chunk({"content": "a"}, "stop"))]))
    start(connection_to(scripted_model)).wait()
    scripted_model.close_connections()
    scripted_model.add(text("b"))
    assert start(connection_to(scripted_model)).wait().text == "b"

"""The scripted model server itself: what the other tests stand on."""

from __future__ import annotations

import json
import threading
import time

import httpx2
import pytest

from tests.support.scripted_model import (
    DROP,
    ScriptedModel,
    calls,
    error,
    hang,
    raw,
    silent,
    slow,
    text,
    text_and_calls,
)


def post(server: ScriptedModel, **body):
    return httpx2.post(f"{server.base_url}/chat/completions", json=body, timeout=5)


def data_lines(content: str) -> list[str]:
    return [line[6:] for line in content.split("\n\n") if line.startswith("data: ")]


def test_a_streamed_text_comes_one_event_a_word(scripted_model):
    scripted_model.add(text("Hello big world"))
    lines = data_lines(post(scripted_model, stream=True).text)
    contents = [json.loads(line) for line in lines[:-1]]
    said = [c["choices"][0]["delta"].get("content") for c in contents]
    assert said == [None, "Hello", " big", " world", None]
    assert lines[-1] == "[DONE]"


def test_usage_is_streamed_only_if_asked_for(scripted_model):
    scripted_model.add(text("Hi", usage=(7, 3)))
    answer = post(scripted_model, stream=True, stream_options={"include_usage": True})
    last = json.loads(data_lines(answer.text)[-2])
    assert (last["choices"], last["usage"]["total_tokens"]) == ([], 10)


def test_without_stream_the_reply_is_one_object(scripted_model):
    scripted_model.add(text_and_calls("Now", ("add", {"a": 1}, "id1")))
    choice = post(scripted_model).json()["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "Now"
    assert choice["message"]["tool_calls"][0]["id"] == "id1"
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"a": 1}'


def test_requests_are_recorded_with_headers_and_body(scripted_model):
    scripted_model.add(text("Hi"))
    tool = {"type": "function", "function": {"name": "add"}}
    messages = [{"role": "system", "content": "Be kind"}]
    post(scripted_model, model="m", messages=messages, tools=[tool])
    [request] = scripted_model.requests
    assert (request.path, request.model) == ("/v1/chat/completions", "m")
    assert (request.system, request.tools) == ("Be kind", ["add"])
    assert request.headers["content-type"] == "application/json"
    assert request.wait_finished()
    assert not request.disconnected


def test_requests_are_routed_by_model_system_text_and_predicate(scripted_model):
    leader = scripted_model.queue("leader", system="You lead").add(text("led"))
    other = scripted_model.queue("other", model="m2").add(text("model"))
    tried = scripted_model.queue("late", when=lambda r: len(r.messages) > 1)
    tried.add(text("long"))
    scripted_model.add(text("default"))

    def said(model: str, *contents: str) -> str:
        messages = [{"role": "system", "content": c} for c in contents]
        answer = post(scripted_model, model=model, messages=messages)
        return str(answer.json()["choices"][0]["message"]["content"])

    assert said("m1", "You lead a team") == "led"
    assert said("m2", "x") == "model"
    assert said("m1", "x", "y") == "long"
    assert said("m1", "x") == "default"
    assert [len(leader.requests), len(other.requests), len(tried.requests)] == [1, 1, 1]


def test_an_extra_request_fails_the_test():
    with ScriptedModel() as model:
        assert post(model, model="m").status_code == 400
        with pytest.raises(AssertionError, match="No reply left in queue 'default'"):
            model.finish()


def test_an_unused_reply_fails_the_test():
    with ScriptedModel() as model:
        model.queue("worker", model="w").add(text("never"))
        with pytest.raises(AssertionError, match="1 unused in queue 'worker'"):
            model.finish()


def test_a_gate_holds_the_reply_in_the_middle(scripted_model):
    gate = threading.Event()
    scripted_model.add(text("one two three", gate=gate, gate_after=2))
    url = f"{scripted_model.base_url}/chat/completions"
    with httpx2.stream("POST", url, json={"stream": True}, timeout=5) as response:
        received = ""
        pieces = response.iter_text()
        while "two" not in received:
            received += next(pieces)
        assert "three" not in received
        gate.set()
        assert "three" in received + "".join(pieces)


@pytest.mark.parametrize("reply", [hang("Hello"), silent()])
def test_it_sees_a_client_that_leaves(scripted_model, reply):
    scripted_model.add(reply)
    url = f"{scripted_model.base_url}/chat/completions"
    with pytest.raises(httpx2.ReadTimeout):
        httpx2.post(url, json={"stream": True}, timeout=0.3)
    [request] = scripted_model.requests
    assert request.wait_disconnected()
    assert request.disconnected_at - request.received_at < 2


def test_slow_text_takes_its_time(scripted_model):
    scripted_model.add(slow("a b c", 0.05))
    begun = time.monotonic()
    post(scripted_model, stream=True)
    assert time.monotonic() - begun > 0.14


def test_raw_pieces_arrive_as_they_are_and_a_drop_cuts_the_connection(scripted_model):
    scripted_model.add(
        raw([": ping\r\n\r\n", "data: x\r\n\r\n"]), raw(["data: a", DROP])
    )
    assert post(scripted_model, stream=True).text == ": ping\r\n\r\ndata: x\r\n\r\n"
    with pytest.raises(httpx2.RemoteProtocolError):
        post(scripted_model, stream=True)


def test_an_error_has_status_headers_and_message(scripted_model):
    scripted_model.add(error(429, "slow down", {"Retry-After": "2"}))
    answer = post(scripted_model, stream=True)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert answer.json()["error"]["message"] == "slow down"


def test_one_connection_serves_several_requests(scripted_model):
    scripted_model.add(text("a"), calls(("f", {})), text("c"))
    with httpx2.Client() as client:
        for _ in range(3):
            client.post(f"{scripted_model.base_url}/chat/completions", json={})
    assert {request.connection for request in scripted_model.requests} == {1}

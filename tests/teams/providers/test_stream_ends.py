"""How a reply ends: as it should, without an end, in an error, or in something that is
no reply. Numbers are those of the fixture list of odd streams."""

from __future__ import annotations

import json

import pytest

from teams.providers.types import FunctionCall, ModelFailure, Usage
from tests.support.model_calls import assemble, connection_to, offered, start
from tests.support.scripted_model import (
    DROP,
    HANG,
    call_delta,
    calls,
    chunk,
    error,
    event,
    events,
    raw,
    text,
)

ADD = call_delta(("add", {"a": 1}, "call_a"))
ADDED = (FunctionCall("call_a", "add", '{"a": 1}'),)


def outcome(model, **fields):
    return start(connection_to(model, **fields), tools=offered("add"))


@pytest.mark.parametrize("finish", ["stop", "function_call", "other", "tool_calls"])
def test_28_calls_count_whatever_the_finish_reason(scripted_model, finish):
    scripted_model.add(events(chunk({"tool_calls": [ADD]}), chunk({}, finish)))
    assert outcome(scripted_model).wait().calls == ADDED


def test_28_calls_without_a_finish_reason_but_with_an_end(scripted_model):
    scripted_model.add(events(chunk({"tool_calls": [ADD]})))
    reply = outcome(scripted_model).wait()
    assert (reply.calls, reply.finish_reason) == (ADDED, "")


def test_28_tool_calls_without_calls_is_plain_text(scripted_model):
    scripted_model.add(text("Just text", finish="tool_calls"))
    reply = outcome(scripted_model).wait()
    assert (reply.text, reply.calls) == ("Just text", ())


@pytest.mark.parametrize("finish", ["content_filter", "SAFETY"])
def test_28_a_filtered_reply_is_a_failure(scripted_model, finish):
    scripted_model.add(text("Partly", finish=finish))
    assert outcome(scripted_model).failure().code == "model_filtered"


def test_28_length_says_that_the_text_was_cut_off(scripted_model):
    scripted_model.add(text("A long story of", finish="length"))
    reply = outcome(scripted_model).wait()
    assert (reply.text, reply.cut_off) == ("A long story of", True)


def test_25_only_a_cut_call_is_a_failure_that_says_so(scripted_model):
    cut = call_delta(("add", '{"a": '))
    scripted_model.add(events(chunk({"tool_calls": [cut]}), chunk({}, "length")))
    failure = outcome(scripted_model, max_retries=2).failure()
    assert (failure.code, failure.params["cut_off"]) == ("model_empty_reply", True)


def test_30_an_error_object_in_a_stream(scripted_model):
    problem = {"error": {"message": "Grammar failed", "code": 500}}
    scripted_model.add(events(chunk({"content": "Hm"}), problem, done=False))
    failure = outcome(scripted_model).failure()
    assert (failure.code, failure.retryable) == ("model_server_error", True)
    assert failure.params["detail"] == "Grammar failed"
    assert failure.params["status"] == 500


@pytest.mark.parametrize(
    "problem",
    [
        {"error": "Out of memory"},
        {"error": {"message": "Out of memory", "type": "server_error", "code": None}},
        {"object": "error", "message": "Out of memory", "code": 503},
        {"detail": "Out of memory"},
        {"choices": [], "error": {"message": "Out of memory"}},
    ],
)
def test_30_error_objects_in_their_many_shapes(scripted_model, problem):
    scripted_model.add(events(problem))
    failure = outcome(scripted_model).failure()
    assert failure.code == "model_server_error"
    assert failure.params["detail"] == "Out of memory"


def test_30_an_event_named_error(scripted_model):
    scripted_model.add(raw(["event: error\n", 'data: {"message": "Broken"}\n\n']))
    failure = outcome(scripted_model).failure()
    assert (failure.code, failure.params["detail"]) == ("model_server_error", "Broken")


def test_30_a_finish_reason_of_error(scripted_model):
    scripted_model.add(events(chunk({"content": "a"}), chunk({}, "error")))
    assert outcome(scripted_model).failure().code == "model_server_error"


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        ({"message": "slow down", "code": "rate_limit_exceeded"}, "model_rate_limited"),
        ({"message": "no money", "type": "insufficient_quota"}, "model_rate_limited"),
        ({"message": "x", "type": "invalid_request_error"}, "model_bad_request"),
        ({"message": "x", "code": "invalid_api_key"}, "model_key_refused"),
        ({"message": "x", "code": "content_filter"}, "model_filtered"),
        (
            {"message": "too long", "type": "exceed_context_size_error", "code": 400},
            "model_context_too_long",
        ),
        ({"message": "x", "code": 429}, "model_rate_limited"),
    ],
)
def test_33_errors_in_the_middle_of_a_stream_by_kind(scripted_model, problem, code):
    scripted_model.add(events(chunk({"content": "a"}), {"error": problem}))
    assert outcome(scripted_model).failure().code == code


def test_31_a_stream_that_just_ends_in_the_text(scripted_model):
    scripted_model.add(events(chunk({"content": "Half a"}), done=False))
    failure = outcome(scripted_model).failure()
    assert (failure.code, failure.retryable) == ("model_stream_broken", True)


def test_31_a_stream_that_just_ends_in_the_arguments(scripted_model):
    cut = call_delta(("add", '{"a": '))
    scripted_model.add(events(chunk({"tool_calls": [cut]}), done=False))
    assert outcome(scripted_model).failure().code == "model_stream_broken"


def test_31_a_connection_that_is_cut_in_the_middle(scripted_model):
    scripted_model.add(raw([event(chunk({"content": "Half a"})), DROP]))
    assert outcome(scripted_model).failure().code == "model_stream_broken"


@pytest.mark.parametrize("end", [[], [DROP]])
def test_a_complete_reply_may_lack_its_last_line(scripted_model, end):
    sent = [event(chunk({"content": "All"})), event(chunk({}, "stop")), 0.05, *end]
    scripted_model.add(raw(sent))
    assert outcome(scripted_model).wait().text == "All"


def test_a_complete_reply_is_not_waited_for_until_the_timeout(
    scripted_model, monkeypatch
):
    from teams.providers import exchange

    monkeypatch.setattr(exchange, "END_SECONDS", 0.2)
    sent = [event(chunk({"content": "All"})), event(chunk({}, "stop")), HANG]
    scripted_model.add(raw(sent))
    assert outcome(scripted_model, timeout=30).wait(5).text == "All"
    assert scripted_model.requests[0].wait_disconnected()


def test_usage_after_the_finish_is_still_read(scripted_model):
    sent = [event(chunk({"content": "All"})), event(chunk({}, "stop")), 0.2]
    usage = {"prompt_tokens": 7, "completion_tokens": 1}
    scripted_model.add(raw([*sent, event({"choices": [], "usage": usage})]))
    assert outcome(scripted_model).wait().usage == Usage(7, 1)


def test_a_connection_that_stays_open_after_the_end_delays_nothing(scripted_model):
    sent = [event(chunk({"content": "All"})), b"data: [DONE]\n\n", HANG]
    scripted_model.add(raw(sent), text("Next"))
    assert outcome(scripted_model, timeout=30).wait(5).text == "All"
    assert scripted_model.requests[0].wait_disconnected()
    assert outcome(scripted_model).wait().text == "Next"


@pytest.mark.parametrize("body", [[], ["\n\n"], [": ping\n\n"], ["data: [DONE]\n\n"]])
def test_an_empty_stream_is_an_empty_reply(scripted_model, body):
    scripted_model.add(raw(body))
    failure = outcome(scripted_model).failure()
    assert (failure.code, failure.retryable) == ("model_empty_reply", True)


def test_neither_text_nor_calls_is_an_empty_reply():
    with pytest.raises(ModelFailure) as failure:
        assemble(chunk({"role": "assistant", "content": ""}), chunk({}, "stop"))
    assert failure.value.code == "model_empty_reply"


def test_an_event_that_cannot_be_read_breaks_the_stream(scripted_model):
    scripted_model.add(raw(['data: {"choices": [{"del\n\n', "data: [DONE]\n\n"]))
    failure = outcome(scripted_model).failure()
    assert (failure.code, failure.retryable) == ("model_stream_broken", True)


def test_38_a_page_instead_of_a_stream_is_a_clear_failure(scripted_model):
    page = "<html><script>var x = 1</script><h1>Welcome</h1>\n<p>Log in</p></html>"
    scripted_model.add(raw([page], content_type="text/html"))
    failure = outcome(scripted_model, max_retries=2).failure()
    assert (failure.code, failure.retryable) == ("model_server_error", False)
    assert failure.params["detail"] == (
        "The server answered with something else than an event stream: Welcome Log in"
    )


@pytest.mark.parametrize("indent", [None, 2])
def test_38_one_json_object_instead_of_a_stream_is_read(scripted_model, indent):
    whole = json.loads(
        text("All at once", usage=(3, 4)).whole({}) or "{}"  # type: ignore[misc]
    )
    body = json.dumps(whole, indent=indent)
    scripted_model.add(raw([body], content_type="application/json"))
    call = outcome(scripted_model)
    reply = call.wait()
    assert (reply.text, reply.usage) == ("All at once", Usage(3, 4))
    assert call.published() == {1: "All at once"}


def test_38_calls_in_one_json_object_may_lack_their_indexes(scripted_model):
    whole = calls(("add", {"a": 1}, "x"), ("add", {"a": 2}, "y"))
    body = json.loads(whole.whole({}))  # type: ignore[misc]
    for call in body["choices"][0]["message"]["tool_calls"]:
        del call["index"]
    scripted_model.add(raw([json.dumps(body)], content_type="application/json"))
    reply = outcome(scripted_model).wait()
    assert [call.id for call in reply.calls] == ["x", "y"]


def test_38_an_error_as_json_with_status_200(scripted_model):
    scripted_model.add(error(200, "No such model"))
    failure = outcome(scripted_model).failure()
    assert failure.params["detail"] == "No such model"


def test_38_json_that_is_no_reply(scripted_model):
    scripted_model.add(raw(['{"status": "ok"}'], content_type="application/json"))
    failure = outcome(scripted_model).failure()
    assert failure.code == "model_server_error"
    assert failure.params["detail"].endswith('without choices: {"status": "ok"}')

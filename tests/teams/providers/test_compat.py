"""The body that is sent, and the switches for servers that contradict each other.
Numbers are those of the fixture list of odd streams."""

from __future__ import annotations

from typing import Any

import pytest

from teams.providers.compat import compat_problems, digest, wire_body
from teams.providers.types import Connection, ModelRequest
from tests.support.model_calls import connection_to, offered, start
from tests.support.scripted_model import ScriptedModel, error, text

CALL: dict[str, Any] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "add", "arguments": '{"a": 1}'},
}
HISTORY: list[dict[str, Any]] = [
    {"role": "system", "content": "Add."},
    {"role": "user", "content": "1+1?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [CALL],
        "reasoning_content": "Adding",
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "2"},
    {"role": "assistant", "content": "2", "reasoning_content": "Easy"},
    {"role": "user", "content": "Sure?"},
]


def body(compat=None, *, parameters=None, messages=None, tools=()):
    connection = Connection(
        "openai", "http://x/v1", "", "m", parameters or {}, compat or {}, 5, 0
    )
    request = ModelRequest(messages or HISTORY, offered(*tools))
    return wire_body(connection, request)


def test_the_body_without_any_switch():
    assert body(tools=["add"], parameters={"temperature": 0.2}) == {
        "model": "m",
        "temperature": 0.2,
        "messages": [
            *HISTORY[:2],
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            HISTORY[3],
            {"role": "assistant", "content": "2"},
            HISTORY[5],
        ],
        "tools": offered("add"),
        "tool_choice": "auto",
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_the_request_itself_is_not_changed():
    before = repr(HISTORY)
    body({"call_content": "omit", "short_call_ids": True, "result_name": True})
    assert repr(HISTORY) == before


def test_without_functions_nothing_about_them_is_sent():
    sent = body({"parallel_tool_calls": False})
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(sent)


def test_parameters_do_not_replace_what_the_product_decides():
    parameters = {"model": "other", "messages": [], "n": 3, "stream": False, "top_p": 1}
    sent = body(parameters=parameters)
    assert (sent["model"], sent["stream"], sent["top_p"]) == ("m", True, 1)
    assert "n" not in sent


def content_of_call(compat):
    message = body(compat)["messages"][2]
    return message.get("content", "missing")


def test_39_content_beside_calls_is_null_empty_or_left_out():
    assert content_of_call({}) is None
    assert content_of_call({"call_content": "null"}) is None
    assert content_of_call({"call_content": "empty"}) == ""
    assert content_of_call({"call_content": "omit"}) == "missing"


def test_39_text_beside_calls_stays():
    said = [HISTORY[1], {**HISTORY[2], "content": "Adding."}, HISTORY[3]]
    sent = body({"call_content": "omit"}, messages=said)
    assert sent["messages"][1]["content"] == "Adding."


@pytest.mark.parametrize(
    ("refused", "compat"),
    [
        (
            lambda b: b["messages"][2].get("content", "") is None,
            {"call_content": "empty"},
        ),
        (lambda b: b["messages"][2].get("content") == "", {"call_content": "omit"}),
        (lambda b: "content" not in b["messages"][2], {"call_content": "null"}),
        (lambda b: "stream_options" in b, {"stream_usage": False}),
        (lambda b: "parallel_tool_calls" in b, {"parallel_tool_calls": None}),
        (lambda b: "tool_choice" in b, {"tool_choice": False}),
        (lambda b: b.get("stream"), {"stream": False}),
        (
            lambda b: (
                not all(
                    "reasoning_content" in m
                    for m in b["messages"]
                    if m["role"] == "assistant"
                )
            ),
            {"send_reasoning": True},
        ),
    ],
)
def test_39_40_a_server_that_refuses_it_is_served_by_a_switch(
    scripted_model: ScriptedModel, refused, compat
):
    scripted_model.answer_with(
        lambda b: error(400, "unknown parameter") if refused(b) else text("Fine")
    )
    connection = connection_to(scripted_model, compat=compat)
    assert start(connection, HISTORY, offered("add")).wait().text == "Fine"


def test_40_parallel_tool_calls_are_sent_as_chosen():
    assert body({"parallel_tool_calls": True}, tools=["add"])["parallel_tool_calls"]
    assert (
        body({"parallel_tool_calls": False}, tools=["add"])["parallel_tool_calls"]
        is False
    )


def test_reasoning_is_sent_back_only_to_servers_that_want_it():
    history = [*HISTORY, {"role": "assistant", "content": "Yes"}]
    sent = body({"send_reasoning": True}, messages=history)["messages"]
    texts = [m["reasoning_content"] for m in sent if m["role"] == "assistant"]
    assert texts == ["Adding", "Easy", ""]
    plain = body(messages=history)["messages"]
    assert not any("reasoning_content" in message for message in plain)


def test_the_token_limit_goes_by_the_name_the_server_knows():
    sent = body({"max_tokens": "max_completion_tokens"}, parameters={"max_tokens": 9})
    assert sent["max_completion_tokens"] == 9
    assert "max_tokens" not in sent
    assert body(parameters={"max_tokens": 9})["max_tokens"] == 9
    assert "max_tokens" not in body({"max_tokens": "max_tokens"})


def test_the_system_message_may_be_the_developers():
    roles = [m["role"] for m in body({"system_role": "developer"})["messages"]]
    assert roles[0] == "developer"


def test_results_may_name_their_function_and_ids_be_short():
    sent = body({"result_name": True, "short_call_ids": True})["messages"]
    [call] = sent[2]["tool_calls"]
    assert (sent[3]["name"], sent[3]["tool_call_id"]) == ("add", call["id"])
    assert len(call["id"]) == 9
    assert call["id"].isalnum()


@pytest.mark.parametrize("arguments", ["", "  ", None, '{"a": ', "[1]", "null"])
def test_arguments_in_history_are_always_an_object(arguments):
    call = {**CALL, "function": {"name": "add", "arguments": arguments}}
    sent = body(messages=[{**HISTORY[2], "tool_calls": [call]}, HISTORY[3]])
    [call] = sent["messages"][0]["tool_calls"]
    assert call["function"]["arguments"] == "{}"


def test_not_streamed_the_reply_comes_in_one_piece(scripted_model):
    scripted_model.add(text("All at once"))
    call = start(connection_to(scripted_model, compat={"stream": False}))
    assert call.wait().text == "All at once"
    assert call.published() == {1: "All at once"}
    assert "stream" not in scripted_model.requests[0].body


def test_what_is_sent_is_the_body_whose_digest_is_kept(scripted_model):
    scripted_model.add(text("Fine"))
    connection = connection_to(scripted_model)
    call = start(connection, HISTORY, offered("add"))
    call.wait()
    assert digest(scripted_model.requests[0].body) == call.running.body_digest
    again = wire_body(connection, ModelRequest(HISTORY, offered("add")))
    assert digest(dict(reversed(again.items()))) == call.running.body_digest
    other = wire_body(connection, ModelRequest(HISTORY, []))
    assert digest(other) != call.running.body_digest


def test_half_characters_in_messages_do_not_stop_the_call(scripted_model):
    scripted_model.add(text("Fine"))
    odd = [{"role": "user", "content": "a\ud83db"}]
    assert start(connection_to(scripted_model), odd).wait().text == "Fine"
    assert scripted_model.requests[0].messages[0]["content"] == "a?b"


def test_switches_are_checked():
    good = {"call_content": "omit", "stream": False, "parallel_tool_calls": None}
    assert compat_problems(good) == []
    assert compat_problems({}) == []
    assert len(compat_problems({"call_content": "never", "stream": 1, "x": True})) == 3
    assert "call_content" in compat_problems({"call_content": None})[0]
    assert len(compat_problems(["stream"])) == 1

"""History is sent as a repaired copy: pairs complete, ids unique, nothing empty."""

from __future__ import annotations

from teams.providers.history import NOT_EXECUTED, repaired

USER = {"role": "user", "content": "Hi"}


def asked(*ids):
    made = [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}}
        for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id_, content="ok"):
    return {"role": "tool", "tool_call_id": id_, "content": content}


def test_a_list_in_order_comes_back_as_it_is():
    messages = [USER, asked("a", "b"), result("a"), result("b"), USER]
    assert repaired(messages) == messages


def test_a_call_without_a_result_gets_one_that_says_so():
    messages = [USER, asked("a", "b"), result("b"), USER]
    assert repaired(messages) == [
        USER,
        asked("a", "b"),
        result("a", NOT_EXECUTED),
        result("b"),
        USER,
    ]


def test_results_come_right_after_their_calls_in_order():
    messages = [asked("a", "b"), USER, result("b", "2"), result("a", "1")]
    assert repaired(messages) == [
        asked("a", "b"),
        result("a", "1"),
        result("b", "2"),
        USER,
    ]


def test_a_result_nobody_asked_for_is_left_out():
    assert repaired([USER, result("x"), asked("a"), result("a"), result("a")]) == [
        USER,
        asked("a"),
        result("a"),
    ]


def test_23_ids_that_restart_in_each_round_become_unique():
    messages = [asked("0"), result("0", "one"), asked("0"), result("0", "two")]
    assert repaired(messages) == [
        asked("0"),
        result("0", "one"),
        asked("0_2"),
        result("0_2", "two"),
    ]


def test_22_the_same_id_twice_in_one_message_becomes_unique():
    messages = [asked("a", "a"), result("a", "one"), result("a", "two")]
    assert repaired(messages) == [
        asked("a", "a_2"),
        result("a", "one"),
        result("a_2", "two"),
    ]


def test_empty_assistant_messages_are_left_out():
    assert repaired([USER, {"role": "assistant", "content": ""}, USER]) == [USER, USER]

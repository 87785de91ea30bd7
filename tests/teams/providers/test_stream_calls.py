"""Function calls of a reply, whatever way they are streamed. Numbers are those of the
fixture list of odd streams."""

from __future__ import annotations

import json
import time

import pytest

from teams.providers.types import ModelReply
from tests.support.model_calls import assemble
from tests.support.scripted_model import chunk

NAMES = ("add", "get_weather", "now")
END = chunk({}, "tool_calls")


def fragment(arguments=None, *, name=None, id=None, index=0):  # noqa: A002
    """A tool-call fragment; what is None is left out."""
    function = {"arguments": arguments, "name": name}
    function = {k: v for k, v in function.items() if v is not None}
    whole = {"index": index, "id": id, "function": function}
    return {k: v for k, v in whole.items() if v is not None}


def delta(*fragments):
    return chunk({"tool_calls": list(fragments)})


def asked(*payloads) -> list[tuple[str, str]]:
    return [(c.name, c.arguments) for c in reply_of(*payloads).calls]


def reply_of(*payloads) -> ModelReply:
    reply = assemble(*payloads, END, names=NAMES)
    ids = [call.id for call in reply.calls]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    return reply


ONE = ("add", '{"a": 1}')
TWO = ("add", '{"a": 2}')
WEATHER = ("get_weather", '{"city": "Oslo"}')


def test_9_one_call_whole_in_one_chunk():
    reply = reply_of(delta(fragment(ONE[1], name="add", id="call_1")))
    [call] = reply.calls
    assert (call.id, call.name, call.arguments) == ("call_1", *ONE)


def test_10_arguments_in_pieces_of_one_character():
    pieces = [delta(fragment(character)) for character in WEATHER[1]]
    first = delta(fragment("", name="get_weather", id="a"))
    assert asked(first, *pieces) == [WEATHER]


def test_10_a_local_server_opens_with_a_brace():
    first = delta(fragment("{", name="add", id="x" * 32))
    assert asked(first, delta(fragment('"a": 1}'))) == [ONE]


def test_11_two_calls_in_one_delta():
    both = delta(
        fragment(ONE[1], name="add", id="a", index=0),
        fragment(WEATHER[1], name="get_weather", id="b", index=1),
    )
    assert asked(both) == [ONE, WEATHER]


def test_12_two_calls_interleaved_by_index():
    payloads = [
        delta(fragment('{"a"', name="add", id="a", index=0)),
        delta(fragment('{"city"', name="get_weather", id="b", index=1)),
        delta(fragment(": 1}", index=0)),
        delta(fragment(': "Oslo"}', index=1)),
    ]
    assert asked(*payloads) == [ONE, WEATHER]


def test_13_no_index_with_ids():
    payloads = [
        delta(fragment('{"a"', name="add", id="a", index=None)),
        delta(fragment(": 1}", index=None)),
        delta(fragment('{"city"', name="get_weather", id="b", index=None)),
        delta(fragment(': "Oslo"}', id="b", index=None)),
    ]
    assert asked(*payloads) == [ONE, WEATHER]


def test_13_no_index_interleaved_by_id():
    payloads = [
        delta(fragment('{"a"', name="add", id="a", index=None)),
        delta(fragment('{"a"', name="add", id="b", index=None)),
        delta(fragment(": 1}", id="a", index=None)),
        delta(fragment(": 2}", id="b", index=None)),
    ]
    assert asked(*payloads) == [ONE, TWO]


def test_14_no_index_no_ids_two_calls():
    both = delta(
        fragment(ONE[1], name="add", index=None),
        fragment(WEATHER[1], name="get_weather", index=None),
    )
    assert asked(both) == [ONE, WEATHER]


def test_14_no_index_no_ids_the_same_function_twice_in_pieces():
    payloads = [
        delta(fragment('{"a"', name="add", index=None)),
        delta(fragment(": 1}", index=None)),
        delta(fragment('{"a": 2', name="add", index=None)),
        delta(fragment("}", index=None)),
    ]
    assert asked(*payloads) == [ONE, TWO]


def test_14_no_index_no_ids_two_calls_without_arguments():
    payloads = [
        delta(fragment("", name="now", index=None)),
        delta(fragment("", name="add", index=None)),
    ]
    assert asked(*payloads) == [("now", ""), ("add", "")]


def test_15_every_index_0_different_ids():
    payloads = [
        delta(fragment(ONE[1], name="add", id="a")),
        delta(fragment('{"a"', name="add", id="b")),
        delta(fragment(": 2}")),
    ]
    assert asked(*payloads) == [ONE, TWO]


def test_16_every_index_0_no_ids_objects_back_to_back():
    named = [delta(fragment(text, name="add")) for text in (ONE[1], TWO[1])]
    assert asked(*named) == [ONE, TWO]
    unnamed = [delta(fragment(ONE[1], name="add")), delta(fragment(TWO[1]))]
    assert asked(*unnamed) == [ONE, TWO]


def test_16_objects_back_to_back_in_one_text():
    assert asked(delta(fragment(f"{ONE[1]}\n {TWO[1]}", name="add"))) == [ONE, TWO]


def test_17_a_new_id_in_each_delta_with_an_empty_name():
    payloads = [
        delta(fragment('{"a"', name="add", id="1")),
        delta(fragment(": ", name="", id="2")),
        delta(fragment("1}", name="", id="3")),
    ]
    for index in (0, None):
        for payload in payloads:
            payload["choices"][0]["delta"]["tool_calls"][0]["index"] = index
        reply = reply_of(*payloads)
        assert [(c.id, c.name, c.arguments) for c in reply.calls] == [("1", *ONE)]


def test_18_id_and_name_in_each_delta():
    payloads = [
        delta(fragment(piece, name="add", id="a")) for piece in ("", '{"a"', ": 1", "}")
    ]
    assert asked(*payloads, delta(fragment("", name="add", id="a"))) == [ONE]


def test_18_name_in_each_delta_without_an_id():
    payloads = [delta(fragment(piece, name="add")) for piece in ('{"a"', ": 1", "}")]
    assert asked(*payloads, delta(fragment("", name="add"))) == [ONE]


def test_19_a_name_in_pieces():
    payloads = [
        delta(fragment("", name="get_", id="a")),
        delta(fragment("", name="weather")),
        delta(fragment(WEATHER[1])),
    ]
    assert asked(*payloads) == [WEATHER]


def test_19_a_name_that_grows():
    payloads = [
        delta(fragment("", name="get_", id="a")),
        delta(fragment("", name="get_weather", id="a")),
        delta(fragment(WEATHER[1])),
    ]
    assert asked(*payloads) == [WEATHER]


@pytest.mark.parametrize("missing", [None, ""])
def test_20_a_missing_id_is_made(missing):
    raw = fragment(ONE[1], name="add")
    raw["id"] = missing
    [call] = reply_of(delta(raw)).calls
    assert call.id.startswith("call_")


def test_21_an_id_that_comes_late():
    payloads = [
        delta(fragment('{"a"', name="add")),
        delta(fragment(": 1}", id="late")),
    ]
    [call] = reply_of(*payloads).calls
    assert (call.id, call.arguments) == ("late", ONE[1])


def test_21_an_index_that_comes_late():
    payloads = [
        delta(fragment('{"a"', name="add", id="a", index=None)),
        delta(fragment(": 1}", index=0)),
    ]
    assert asked(*payloads) == [ONE]


def test_22_the_same_id_twice_in_one_reply_is_made_unique():
    both = delta(
        fragment(ONE[1], name="add", id="a", index=0),
        fragment(TWO[1], name="add", id="a", index=1),
    )
    calls = reply_of(both).calls
    assert [(c.id, c.arguments) for c in calls] == [("a", ONE[1]), ("a_2", TWO[1])]


def test_22_the_same_id_and_index_for_two_calls():
    payloads = [
        delta(fragment(ONE[1], name="add", id="a")),
        delta(fragment(WEATHER[1], name="get_weather", id="a")),
    ]
    assert asked(*payloads) == [ONE, WEATHER]


@pytest.mark.parametrize("empty", ["", None])
def test_24_empty_and_missing_arguments_stay_empty(empty):
    assert asked(delta(fragment(empty, name="now", id="a"))) == [("now", "")]


def test_24_null_arguments_stay_empty():
    raw = fragment(name="now", id="a")
    raw["function"]["arguments"] = None
    assert asked(delta(raw)) == [("now", "")]


def test_24_arguments_that_are_an_object_already():
    raw = fragment(name="add", id="a")
    raw["function"]["arguments"] = {"a": 1}
    assert asked(delta(raw)) == [ONE]


def test_24_an_empty_object_as_a_placeholder():
    payloads = [
        delta(fragment("{}", name="add", id="a")),
        delta(fragment('{"a"')),
        delta(fragment(": 1}")),
    ]
    assert asked(*payloads) == [ONE]


@pytest.mark.parametrize("text", ['{"a": ', "[1, 2]", "not JSON", '"text"', "{}{"])
def test_25_arguments_that_are_no_object_are_passed_on_as_they_are(text):
    assert asked(delta(fragment(text, name="add", id="a"))) == [("add", text)]


def test_25_a_call_cut_by_the_token_limit_is_left_out():
    payloads = [
        chunk({"content": "Adding."}),
        delta(fragment(ONE[1], name="add", id="a", index=0)),
        delta(fragment('{"a": ', name="add", id="b", index=1)),
        chunk({}, "length"),
    ]
    reply = assemble(*payloads, names=NAMES)
    assert [(c.name, c.arguments) for c in reply.calls] == [ONE]
    assert (reply.cut_off, reply.finish_reason) == (True, "length")


@pytest.mark.parametrize("text", ["{}" * 500_000, "}{" * 500_000, "words " * 200_000])
def test_25_megabytes_of_arguments_in_small_pieces_take_little_time(text):
    words = json.dumps({"text": text})
    pieces = [words[:10], *(words[i : i + 50] for i in range(10, len(words), 50))]
    payloads = [delta(fragment(p, name="add", id="a")) for p in pieces]
    begun = time.thread_time()
    assert asked(*payloads) == [("add", words)]
    assert time.thread_time() - begun < 3


def test_26_an_unknown_function_is_passed_on():
    assert asked(delta(fragment("{}", name="unknown", id="a"))) == [("unknown", "{}")]


def test_27_text_and_a_call_together():
    reply = reply_of(
        chunk({"content": "Let me add."}), delta(fragment(ONE[1], name="add", id="a"))
    )
    assert (reply.text, reply.calls[0].name) == ("Let me add.", "add")


def test_28_the_old_function_call_form():
    payloads = [
        chunk({"function_call": {"name": "add", "arguments": ""}}),
        chunk({"function_call": {"arguments": '{"a": '}}),
        chunk({"function_call": {"arguments": "1}"}}),
        chunk({}, "function_call"),
    ]
    assert asked(*payloads) == [ONE]


def test_fragments_that_say_nothing_are_passed_over():
    odd = chunk({"tool_calls": [None, "x", {"index": 0, "function": None}]})
    assert asked(odd, delta(fragment(ONE[1], name="add", id="a", index=1))) == [ONE]

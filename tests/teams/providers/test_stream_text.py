"""Text of a reply, whatever way it is streamed. Numbers are those of the fixture list
of odd streams."""

from __future__ import annotations

import json

import pytest

from teams.providers.stream import ReplyAssembler
from teams.providers.types import ModelFailure, ModelReply, Usage
from tests.support.model_calls import assemble, decode
from tests.support.scripted_model import chunk, event, usage_chunk

DONE = b"data: [DONE]\n\n"
PEOPLE = "Grüße, 東京, 👩‍👩‍👧‍👦 and 😀."


def said(*pieces: str | None) -> list[dict]:
    return [chunk({"content": piece}) for piece in pieces]


def test_1_plain_text():
    reply = assemble(*said("Hello", " world"), chunk({}, "stop"))
    assert reply == ModelReply(text="Hello world", finish_reason="stop")


def test_2_characters_split_in_every_byte():
    body = event(chunk({"content": PEOPLE})) + event(chunk({}, "stop")) + DONE
    assert decode(*(body[i : i + 1] for i in range(len(body)))).text == PEOPLE


def test_2_a_character_in_two_events_as_two_halves():
    first, second = said("smile \ud83d", "\ude00!")
    assert assemble(first, second).text == "smile 😀!"


def test_2_half_a_character_alone_is_replaced():
    assert assemble(*said("x\ud83d")).text == "x\ufffd"
    assert assemble(*said("\ude00y")).text == "\ufffdy"


def test_2_no_delta_carries_half_a_character():
    assembler = ReplyAssembler()
    first, second = said("a\ud83d", "\ude00")
    assert [assembler.add(first), assembler.add(second)] == ["a", "😀"]


def test_nul_characters_are_left_out():
    assert assemble(*said("a\x00b")).text == "ab"


def test_3_comments_crlf_and_several_lines_in_one_packet():
    body = b": ping\r\n\r\nevent: message\r\nid: 1\r\nretry: 10\r\n"
    for payload in (*said("one", " two"), chunk({}, "stop")):
        body += b"data:" + json.dumps(payload).encode() + b"\r\n\r\n: ping\r\n\r\n"
    assert decode(body).text == "one two"


def test_3_one_event_over_several_data_lines_and_packets():
    lines = json.dumps(chunk({"content": "over lines"}), indent=1).encode()
    body = b"".join(b"data: %b\n" % line for line in lines.split(b"\n")) + b"\n"
    assert decode(body[:40], body[40:41], body[41:], DONE).text == "over lines"


def test_3_events_without_a_blank_line_between():
    one, two = (event(payload).strip() for payload in said("one", " two"))
    assert decode(one + b"\n" + two + b"\n", DONE.strip()).text == "one two"


def test_3_a_byte_order_mark_at_the_beginning():
    assert decode(b"\xef\xbb\xbf" + event(said("x")[0]), DONE).text == "x"


def test_4_usage_with_empty_choices_at_the_end():
    reply = assemble(*said("x"), chunk({}, "stop"), usage_chunk(12, 3))
    assert (reply.text, reply.usage) == ("x", Usage(12, 3))


def test_4_usage_with_the_timings_of_a_local_server():
    last = {**usage_chunk(12, 3), "timings": {"predicted_ms": 1.5}}
    assert assemble(*said("x"), chunk({}, "stop"), last).usage == Usage(12, 3)


def test_5_empty_choices_at_the_beginning_and_in_the_middle():
    empty = {**chunk(), "choices": []}
    none = {**chunk(), "choices": None}
    reply = assemble(empty, *said("a"), none, empty, *said("b"), chunk({}, "stop"))
    assert reply.text == "ab"


def test_6_usage_in_every_chunk_grows_and_is_not_summed():
    first = {**chunk({"content": "a"}), "usage": usage_chunk(9, 1)["usage"]}
    second = {**chunk({"content": "b"}), "usage": usage_chunk(9, 2)["usage"]}
    third = {**chunk({}, "stop"), "usage": None}
    assert assemble(first, second, third).usage == Usage(9, 2)


def test_7_no_usage_at_all():
    assert assemble(*said("a"), chunk({}, "stop")).usage is None


@pytest.mark.parametrize("usage", ["many", [1], {"prompt_tokens": "x"}, {}])
def test_7_unreadable_usage_is_none(usage):
    assert assemble(*said("a"), {**chunk({}, "stop"), "usage": usage}).usage is None


def test_8_empty_and_missing_deltas():
    missing = chunk()
    assert "delta" not in missing["choices"][0]
    null = {**chunk(), "choices": [{"index": 0, "delta": None}]}
    reply = assemble(
        chunk({}), *said(None, "a", ""), missing, null, *said("b"), chunk({}, "stop")
    )
    assert reply.text == "ab"


def test_8_things_that_are_no_choices_are_passed_over():
    odd: list[dict] = [
        {"choices": "x"},
        {"choices": ["x"]},
        {"choices": [{}]},
        {"a": 1},
    ]
    assert assemble(*odd, *said("a"), chunk({}, "stop")).text == "a"


def test_only_the_first_of_several_choices_counts():
    other = {**chunk(), "choices": [{"index": 1, "delta": {"content": "no"}}]}
    assert assemble(*said("yes"), other, chunk({}, "stop")).text == "yes"


def test_content_as_a_list_of_parts():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Hello"},
    ]
    reply = assemble(chunk({"content": parts}), chunk({}, "stop"))
    assert (reply.text, reply.reasoning) == ("Hello", "hm")


def test_a_refusal_is_said_as_text():
    assert assemble(chunk({"refusal": "I will not."})).text == "I will not."


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_29_reasoning_is_never_text(key):
    reply = assemble(
        chunk({key: "Let me "}), chunk({key: "see."}), *said("4"), chunk({}, "stop")
    )
    assert (reply.text, reply.reasoning) == ("4", "Let me see.")


def test_29_reasoning_under_both_names_counts_once():
    both = chunk({"reasoning_content": "hm", "reasoning": "hm"})
    assert assemble(both, *said("4")).reasoning == "hm"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_29_a_think_block_at_the_beginning_split_anywhere(size):
    whole = "\n<think>2+2 < 5 </thin\nso 4</think>\n\nIt is 4 </think>."
    pieces = [whole[i : i + size] for i in range(0, len(whole), size)]
    reply = assemble(*said(*pieces), chunk({}, "stop"))
    assert reply.text == "It is 4 </think>."
    assert reply.reasoning == "2+2 < 5 </thin\nso 4"


def test_29_a_think_tag_later_in_the_text_is_text():
    assert assemble(*said("Use <think>", " tags")).text == "Use <think> tags"


def test_29_what_only_looks_like_a_tag_is_text():
    assert assemble(*said("<", "th", "ank you>")).text == "<thank you>"
    assert assemble(*said(" <thi")).text == " <thi"


def test_29_think_tags_may_be_left_alone_or_prefilled():
    assert assemble(*said("<think>a</think>b"), think_tag="off").text == (
        "<think>a</think>b"
    )
    reply = assemble(*said("why", "</think>", "b"), think_tag="prefilled")
    assert (reply.text, reply.reasoning) == ("b", "why")


def test_29_only_reasoning_is_an_empty_reply():
    with pytest.raises(ModelFailure) as failure:
        assemble(*said("<think>I wonder"), chunk({}, "stop"))
    assert failure.value.code == "model_empty_reply"
    assert "reasoning" in failure.value.params["detail"]


def test_blanks_alone_are_not_text():
    with pytest.raises(ModelFailure) as failure:
        assemble(*said("\n", " \n"), chunk({}, "stop"))
    assert (failure.value.code, failure.value.retryable) == ("model_empty_reply", True)

"""Agents that are offered as tools: what they are asked, and in which thread."""

from __future__ import annotations

import json
from typing import Any

from tests.teams.rehearsal.bodies import called, made, move, said, user
from tests.teams.rehearsal.playing import function, schema

TEXT = {"type": "string"}


def agent(name: str, role: str) -> dict[str, Any]:
    parameters = schema(("prompt",), prompt=TEXT, conversation_id=TEXT)
    return function(name, role, parameters)


GARDENER = agent("GARDENER", "You know the flowers and when they bloom.")
ACCOUNTS = agent("TREASURER", "You know the budget of the garden and its costs.")
BOTH = [GARDENER, ACCOUNTS]


def back(name: str, answer: str, thread: str | None) -> list[dict[str, Any]]:
    result = json.dumps({"answer": answer, "conversation_id": thread})
    return called(name, result, prompt="…")


def test_each_gets_its_part_and_what_it_needs() -> None:
    request = user("When do the flowers bloom in bed B-4, and what are its costs?")
    first = made(move(request, tools=BOTH))
    done = back("GARDENER", "In May.", "t-1")
    second = made(move(request, *done, tools=BOTH))

    assert first == ("GARDENER", {"prompt": "When do the flowers bloom in bed B-4"})
    assert second == (
        "TREASURER",
        {
            "prompt": "What are its costs (bed B-4)?\n\n---\n"
            "When do the flowers bloom in bed B-4\n\nIn May."
        },
    )


def test_the_answer_is_what_they_said() -> None:
    done = back("GARDENER", "In May.", "t-1")

    assert said(move(user("When do they bloom?"), *done, tools=BOTH)) == "In May."


def test_the_latest_thread_of_the_same_agent_is_continued() -> None:
    earlier = [
        user("When do the flowers bloom in bed B-4?"),
        *back("GARDENER", "In May.", "t-1"),
        {"role": "assistant", "content": "In May."},
        user("What does it cost?"),
        *back("TREASURER", "Nothing.", "t-2"),
        {"role": "assistant", "content": "Nothing."},
    ]

    assert made(move(*earlier, user("And which flowers in B-5?"), tools=BOTH)) == (
        "GARDENER",
        {"prompt": "Which flowers in B-5?", "conversation_id": "t-1"},
    )


def test_a_thread_that_is_gone_is_left_out_the_second_time() -> None:
    refusal = (
        "This conversation_id is no conversation of this agent here that can be "
        "continued. Leave it out to start a new one."
    )
    messages = [
        user("When do the flowers bloom?"),
        *back("GARDENER", "In May.", "t-1"),
        {"role": "assistant", "content": "In May."},
        user("Which flowers bloom first?"),
    ]
    tried = called("GARDENER", refusal, prompt="…", conversation_id="t-1")
    again = called("GARDENER", f"Error: {refusal}", prompt="…")

    assert made(move(*messages, *tried, tools=BOTH)) == (
        "GARDENER",
        {"prompt": "Which flowers bloom first?"},
    )
    assert "failed" in said(move(*messages, *tried, *again, tools=BOTH))


def test_a_failure_is_told() -> None:
    failed = called("GARDENER", "The worker failed: No answer in time.", prompt="…")

    assert said(move(user("When do the flowers bloom?"), *failed, tools=BOTH)) == (
        "Gardener failed: No answer in time."
    )


def test_nobody_is_called_for_a_greeting() -> None:
    assert said(move(user("Hello"), tools=BOTH)).startswith("Hello!")

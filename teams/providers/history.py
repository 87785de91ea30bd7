"""A repaired copy of a message list: what servers refuse is put right before sending.

Every call has exactly one result, right after it and in the order of the calls; ids
are unique; nothing is empty. A list that is in order comes back as it is.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import islice
from typing import Any

NOT_EXECUTED = "Not executed: the work was interrupted."

Message = dict[str, Any]


def repaired(messages: list[Message]) -> list[Message]:
    """The list with pairs complete; results without a call and empty assistant
    messages are left out."""
    sent: list[Message] = []
    used: set[str] = set()
    for number, message in enumerate(messages):
        role = message.get("role")
        if role == "tool":
            continue
        if role != "assistant" or not message.get("tool_calls"):
            if role != "assistant" or message.get("content"):
                sent.append(message)
            continue
        sent += _with_results(message, _results_after(messages, number), used)
    return sent


def _results_after(messages: list[Message], number: int) -> dict[str, deque[Message]]:
    """Results by call id, up to the next assistant message with calls."""
    found: dict[str, deque[Message]] = defaultdict(deque)
    for message in islice(messages, number + 1, None):
        if message.get("role") == "tool":
            found[str(message.get("tool_call_id"))].append(message)
        elif message.get("tool_calls"):
            break
    return found


def _with_results(
    message: Message, results: dict[str, deque[Message]], used: set[str]
) -> list[Message]:
    """The message and one result for each of its calls, under unique ids."""
    calls = []
    answers: list[Message] = []
    for call in message["tool_calls"]:
        id_ = call["id"]
        fresh = _fresh(id_, used)
        calls.append(call if fresh == id_ else {**call, "id": fresh})
        mine = results.get(id_)
        if not mine:
            answers.append(
                {"role": "tool", "tool_call_id": fresh, "content": NOT_EXECUTED}
            )
        else:
            answer = mine.popleft()
            answers.append(
                answer if fresh == id_ else {**answer, "tool_call_id": fresh}
            )
    changed = calls != message["tool_calls"]
    return [{**message, "tool_calls": calls} if changed else message, *answers]


def _fresh(id_: str, used: set[str]) -> str:
    fresh, number = id_, 2
    while fresh in used:
        fresh = f"{id_}_{number}"
        number += 1
    used.add(fresh)
    return fresh

"""The exact prompt of a past call can be rebuilt, and its hash agrees."""

from __future__ import annotations

from typing import Any

from conversations.engine.history import LEFT_OUT, within
from conversations.engine.prompt import fill, rebuild
from conversations.models import ModelCall
from teams.models import Profile
from tests.conversations.engine.conftest import Ask
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, text


def test_every_prompt_is_rebuilt_as_it_was_sent(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Title."), text("Bye."))
    clerk.add(calls(("find_file", {"number": "7"})), text("Title of 7"))
    first = ask("File 7")
    ask("Thanks", first.conversation)
    sent = [request.body for request in [*lead.requests, *clerk.requests]]
    made = list(ModelCall.objects.order_by("started_at"))
    assert len(made) == 5
    for model_call in made:
        rebuilt = rebuild(model_call)
        assert rebuilt.agrees
        assert any(
            body["messages"] == rebuilt.body["messages"]
            and body["tools"] == rebuilt.body["tools"]
            for body in sent
        )


def test_a_changed_row_is_noticed(ask: Ask, lead: Queue) -> None:
    lead.add(text("Hello."))
    run = ask("Hello")
    run.request.text = "Something else"
    run.request.save()
    assert not rebuild(ModelCall.objects.get()).agrees


def test_a_prompt_is_rebuilt_whatever_became_of_its_server_and_key(
    ask: Ask, lead: Queue, settings: Any
) -> None:
    lead.add(text("Hello."))
    ask("Hello")
    settings.TOOL_ALLOWED_HOSTS = []
    Profile.objects.update(base_url="https://elsewhere.example", api_key_encrypted="?")
    assert rebuild(ModelCall.objects.get()).agrees


def test_unknown_placeholders_stay() -> None:
    assert fill("{query} {other} {}", {"query": "Q"}) == "Q {other} {}"


def test_values_are_not_filled_again() -> None:
    assert fill("{a}", {"a": "{b}", "b": "x"}) == "{b}"


def test_a_history_is_cut_before_a_persons_message_only() -> None:
    history: list[dict[str, Any]] = [
        {"role": "user", "content": "a" * 100},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "b" * 100},
        {"role": "user", "content": "c"},
    ]
    assert within(history, 10_000) == history
    assert within(history, 120) == history[3:]
    assert within(history, 1) == history[3:]


def test_where_one_task_alone_is_too_long_its_request_and_newest_rounds_stay() -> None:
    request = {"role": "user", "content": "Find all"}
    rounds: list[list[dict[str, Any]]] = [
        [
            {"role": "assistant", "content": None, "tool_calls": [{"id": str(n)}]},
            {"role": "tool", "tool_call_id": str(n), "content": "x" * 100},
        ]
        for n in range(5)
    ]
    old = {"role": "user", "content": "An older request " * 10}
    notice = {"role": "user", "content": "Answer with the JSON only."}
    history = [old, request, *[m for pair in rounds for m in pair], notice]
    assert within(history, 620, request="Find all") == [
        request,
        {"role": "user", "content": LEFT_OUT},
        *rounds[3],
        *rounds[4],
        notice,
    ]
    # Whatever the room: never less than what was asked and the newest message.
    assert within(history, 1, request="Find all") == [
        request,
        {"role": "user", "content": LEFT_OUT},
        notice,
    ]

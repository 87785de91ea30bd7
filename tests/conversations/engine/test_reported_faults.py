"""Faults that users reported of other products, staged here; each names its row."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User

from conversations.choices import RunState
from conversations.models import (
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.services.requests import answer_request
from conversations.services.runs import retry_run, start_run
from teams.models import Profile, Task, Team
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.handing import heard, say, to
from tests.conversations.engine.test_delegation import delegate
from tests.conversations.engine.test_patterns import make_line
from tests.support.any_order import check_request
from tests.support.scripted_model import (
    Queue,
    ScriptedModel,
    calls,
    error,
    text,
    text_and_calls,
)
from tests.support.teams import make_profile


def answer(run: Run, **words: str) -> Run:
    request = HumanRequest.objects.get(run=run, state="PENDING")
    answer_request(user=run.requested_by, request=request, **words)  # type: ignore[arg-type]
    return go_on(run)


@pytest.fixture
def long_talk(
    asker: User, circle: Team, triage: Queue, orders: Queue, refunds: Queue
) -> Run:
    """Two requests with handovers, a question, an approval, a tool, and texts."""
    triage.add(
        text_and_calls("One moment.", ("ask_human", {"question": "Which number?"})),
        text_and_calls("I see.", to("ORDERS")),
        text("Anything else?"),
    )
    orders.add(
        text_and_calls("I look it up.", ("find_file", {"number": "7"})),
        text_and_calls("It is here.", to("REFUNDS", "money")),
    )
    refunds.add(
        text_and_calls("I write to you.", ("send_letter", {"text": "Money"})),
        text("It is on its way."),
        text_and_calls("Gladly.", to("TRIAGE")),
    )
    run = say(asker, circle, "My order is broken")
    run = answer(run, answer="Number 7")
    run = answer(run, decision="approve")
    return say(asker, circle, "Thank you", run)


def test_h1_h2_nobody_reads_anything_twice(
    long_talk: Run, scripted_model: ScriptedModel
) -> None:
    assert long_talk.answer == "Anything else?"
    for request in scripted_model.requests:
        said = Counter(str(m["content"]) for m in request.messages if m["content"])
        assert [words for words, times in said.items() if times > 1] == []


def test_h3_everybody_reads_all_that_was_said_in_its_order(
    long_talk: Run, triage: Queue
) -> None:
    """Before, during and after the pauses; nothing of tools, approvals or routing."""
    heard_last = [words for role, words in heard(triage, 2) if role == "user"]
    assert heard_last == [
        "My order is broken",
        "[ORDERS] I look it up.",
        "[ORDERS] It is here.",
        "[REFUNDS] I write to you.",
        "[REFUNDS] It is on its way.",
        "Thank you",
        "[REFUNDS] Gladly.",
    ]
    whole = str(triage.requests[2].messages)
    for kept_back in (
        "Title of 7",
        "sent for alice",
        "money",
        "Handed over to REFUNDS",
    ):
        assert kept_back not in whole


def test_h4_h15_every_call_is_followed_by_its_own_result(
    long_talk: Run, scripted_model: ScriptedModel
) -> None:
    for request in scripted_model.requests:
        assert check_request(request.body) == []


def test_h2_a_handover_is_never_forced(
    long_talk: Run, scripted_model: ScriptedModel
) -> None:
    bodies = [request.body for request in scripted_model.requests]
    assert {body.get("tool_choice", "auto") for body in bodies} == {"auto"}


def test_h18_each_text_is_a_row_of_its_own_with_its_author(long_talk: Run) -> None:
    replies = Message.objects.filter(model_call__isnull=False).order_by("number")
    said = [(m.author, m.text) for m in replies if m.text]
    assert said == [
        ("TRIAGE", "One moment."),
        ("TRIAGE", "I see."),
        ("ORDERS", "I look it up."),
        ("ORDERS", "It is here."),
        ("REFUNDS", "I write to you."),
        ("REFUNDS", "It is on its way."),
        ("REFUNDS", "Gladly."),
        ("TRIAGE", "Anything else?"),
    ]


def test_h37_times_are_the_servers_and_in_order(long_talk: Run) -> None:
    made = list(ModelCall.objects.order_by("started_at"))
    for before, after in itertools.pairwise(made):
        assert before.finished_at is not None
        assert before.finished_at <= after.started_at
    for task in TaskRun.objects.all():
        assert task.finished_at is not None
        assert task.started_at < task.finished_at


def test_announcing_a_handover_without_making_it_moves_nothing(
    asker: User, circle: Team, triage: Queue
) -> None:
    """The person has the word, and the agent that spoke keeps the conversation."""
    triage.add(text("I transfer you to ORDERS."), text("I am still here."))
    first = say(asker, circle, "Order")
    assert (first.state, first.handoffs) == (RunState.SUCCEEDED, 0)
    assert say(asker, circle, "And?", first).answer == "I am still here."


def test_c6_an_answer_is_not_lost_when_the_next_model_call_fails(
    ask: Ask, lead: Queue, clerk: Queue, asker: User
) -> None:
    lead.add(
        calls(("ask_human", {"question": "Which?"})), error(401, "bad key"), text("7!")
    )
    run = answer(ask("Find it"), answer="Number 7")
    assert run.state == RunState.FAILED
    run = go_on(retry_run(user=asker, run=run))
    assert run.answer == "7!"
    assert heard(lead, 2)[-1] == ("tool", "Number 7")
    assert HumanRequest.objects.count() == 1


def rows_of(run: Run) -> dict[str, Any]:
    said = Message.objects.filter(run=run).order_by("number")
    made = ToolCall.objects.filter(task_run__run=run).order_by("created_at", "position")
    return {
        "said": [(m.role, m.author, m.text, m.state) for m in said],
        "called": [(c.name, c.arguments, c.state, c.result) for c in made],
        "tasks": [(t.label, t.state, t.result) for t in run.task_runs.all()],
        "events": [(e.number, e.kind) for e in run.events.all()],
        "end": (run.state, run.answer),
    }


def test_h17_without_streaming_the_rows_are_the_same(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    found = []
    for stream in (True, False):
        Profile.objects.update(compat={"stream": stream})
        lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("It is Title of 7."))
        clerk.add(
            text_and_calls("Looking.", ("find_file", {"number": "7"})), text("Found.")
        )
        found.append(rows_of(ask("File 7")))
    assert found[0] == found[1]


def test_s12_a_step_gets_the_result_that_its_task_names(
    asker: User, scripted_model: ScriptedModel
) -> None:
    """Of a task that repeats, the nearest earlier one."""
    profile = make_profile(scripted_model.base_url)
    team = make_line(profile, "CUT", "GLUE", "CUT", "GLUE", "PAINT")
    cut = Task.objects.get(name="CUT")
    Task.objects.filter(name="PAINT").update(input=cut)
    scripted_model.add(
        text("cut 1"), text("glued 1"), text("cut 2"), text("glued 2"), text("painted")
    )
    run = go_on(start_run(user=asker, prompt="wood", team=team))
    assert run.answer == "painted"
    given = [request.messages[-1]["content"] for request in scripted_model.requests]
    assert given == ["wood", "cut 1", "glued 1", "cut 2", "cut 2"]


def test_s10_a_worker_that_found_nothing_has_succeeded(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 404")), text("There is none."))
    clerk.add(calls(("find_file", {"number": "404"})), text("There is no file 404."))
    run = ask("File 404")
    worker = TaskRun.objects.get(run=run, depth=1)
    assert (worker.state, worker.failed_tools) == ("SUCCEEDED", 1)
    assert [call.state for call in worker.tool_calls.all()] == ["FAILED"]

"""Delegates: agents as tools of agents (D1, D3, D4, D6, D7, D8)."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User

from conversations.choices import RunState, TaskRunState
from conversations.models import Run, TaskRun, Thread, ToolCall
from conversations.services.runs import RunOptions, start_run
from teams.models import Agent, Team
from tests.conftest import make_user
from tests.conversations.engine.conftest import go_on
from tests.support.scripted_model import Queue, ScriptedModel, calls, text
from tests.support.scripted_replies import Reply
from tests.support.teams import make_chief, make_tool


@pytest.fixture
def chief(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("chief", system="You are CHIEF.")


@pytest.fixture
def expert(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("expert", system="You are EXPERT.")


@pytest.fixture
def team(transactional_db: None, scripted_model: ScriptedModel) -> Team:
    return make_chief(scripted_model.base_url, "EXPERT")


def run_team(asker: User, team: Team, prompt: str = "Go", **options: object) -> Run:
    conversation = options.pop("conversation", None)
    return go_on(
        start_run(
            user=asker,
            prompt=prompt,
            team=team,
            conversation=conversation,  # type: ignore[arg-type]
            options=RunOptions(**options),  # type: ignore[arg-type]
        )
    )


def call(**arguments: object) -> Reply:
    return calls(("EXPERT", arguments))


def last_result(queue: Queue, index: int) -> dict[str, object]:
    content: dict[str, object] = json.loads(
        queue.requests[index].messages[-1]["content"]
    )
    return content


def test_a_delegate_is_a_tool_named_after_it_with_its_role_as_description(
    asker: User, team: Team, chief: Queue
) -> None:
    chief.add(text("Done."))
    run_team(asker, team)
    (expert, _human) = chief.requests[0].body["tools"]
    assert expert["function"]["name"] == "EXPERT"
    assert expert["function"]["description"] == "You are EXPERT."
    parameters = expert["function"]["parameters"]
    assert list(parameters["properties"]) == ["prompt", "conversation_id"]
    assert parameters["required"] == ["prompt"]


def test_the_call_returns_answer_and_conversation_id(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    chief.add(call(prompt="How many?"), text("Seven."))
    expert.add(text("7"))
    run = run_team(asker, team)
    thread = Thread.objects.get(agent_name="EXPERT")
    assert last_result(chief, 1) == {"answer": "7", "conversation_id": str(thread.id)}
    assert run.answer == "Seven."
    assert [m["content"] for m in expert.requests[0].messages[1:]] == ["How many?"]


def test_the_id_continues_the_delegates_own_thread_in_the_same_run(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    chief.add(call(prompt="How many?"))
    chief.answer_with(
        lambda body: (
            text("Done.")
            if len(body["messages"]) > 4
            else call(
                prompt="And last week?",
                conversation_id=json.loads(body["messages"][-1]["content"])[
                    "conversation_id"
                ],
            )
        )
    )
    expert.add(text("7"), text("5"))
    run_team(asker, team)
    assert [m["content"] for m in expert.requests[1].messages[1:]] == [
        "How many?",
        "7",
        "And last week?",
    ]
    assert Thread.objects.filter(agent_name="EXPERT").count() == 1


def test_the_id_continues_it_in_a_later_run(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    chief.add(call(prompt="How many?"), text("Seven."))
    expert.add(text("7"), text("5"))
    first = run_team(asker, team)
    thread = Thread.objects.get(agent_name="EXPERT")
    chief.add(call(prompt="Before?", conversation_id=str(thread.id)), text("Five."))
    second = run_team(asker, team, conversation=first.conversation)
    assert second.answer == "Five."
    sent = [m["content"] for m in expert.requests[1].messages[1:]]
    assert sent == ["How many?", "7", "Before?"]


def test_without_the_id_each_call_starts_anew(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    chief.add(call(prompt="One"), call(prompt="Two"), text("Done."))
    expert.add(text("1"), text("2"))
    run_team(asker, team)
    assert [m["content"] for m in expert.requests[1].messages[1:]] == ["Two"]


@pytest.mark.parametrize("kind", ["nonsense", "stranger", "chief"])
def test_an_id_that_is_not_its_own_is_an_error_result(
    asker: User, team: Team, chief: Queue, kind: str
) -> None:
    other = Thread.objects.create(
        conversation=start_run(
            user=make_user("bob"), prompt="Hi", team=team
        ).conversation,
        agent_uid=Agent.objects.get(name="EXPERT").uid,
        agent_name="EXPERT",
        key="delegate:x",
    )
    chief.add(text("Hello."))
    first = run_team(asker, team, "Hello")
    own = Thread.objects.get(conversation=first.conversation, agent_name="CHIEF")
    wrong = {"nonsense": "42", "stranger": str(other.id), "chief": str(own.id)}[kind]
    chief.add(call(prompt="Go", conversation_id=wrong), text("Sorry."))
    run = run_team(asker, team, conversation=first.conversation)
    assert run.state == RunState.SUCCEEDED
    assert (
        chief.requests[-1]
        .messages[-1]["content"]
        .startswith("Error: This conversation_id is no conversation of this agent")
    )


def test_a_thread_that_is_at_work_cannot_be_continued(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    """EXPERT calls itself with its own open thread."""
    agent = Agent.objects.get(name="EXPERT")
    agent.delegates.add(agent)
    chief.add(call(prompt="Go"), text("Done."))

    def reply(body: dict) -> object:
        if len(body["messages"]) > 2:
            return text("I give up.")
        with ThreadPoolExecutor() as pool:
            thread = pool.submit(Thread.objects.get, agent_name="EXPERT").result()
        return call(prompt="Again", conversation_id=str(thread.id))

    expert.answer_with(reply)  # type: ignore[arg-type]
    run_team(asker, team)
    assert "Error: This conversation_id" in expert.requests[1].messages[-1]["content"]


def test_a_read_only_run_goes_down_and_nothing_can_be_continued(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    Agent.objects.get(name="EXPERT").tools.add(
        make_tool("shred_file"), make_tool("find_file", read_only=True)
    )
    chief.add(call(prompt="Go"), text("Done."))
    expert.add(calls(("shred_file", {"number": "7"})), text("I may not."))
    run_team(asker, team, read_only=True)
    assert expert.requests[0].tools == ["find_file", "ask_human"]
    assert "There is no tool 'shred_file'" in expert.requests[1].messages[-1]["content"]
    assert last_result(chief, 1) == {"answer": "I may not.", "conversation_id": None}


def test_ten_levels_run_and_the_eleventh_ends_the_whole_run_with_the_chain(
    asker: User, scripted_model: ScriptedModel
) -> None:
    names = [f"L{n}" for n in range(1, 12)]
    team = make_chief(scripted_model.base_url, "L1")
    profile = Agent.objects.get(name="CHIEF").profile
    for upper, lower in itertools.pairwise(names):
        agent, _ = Agent.objects.get_or_create(
            name=upper, defaults={"profile": profile, "role": f"You are {upper}."}
        )
        below, _ = Agent.objects.get_or_create(
            name=lower, defaults={"profile": profile, "role": f"You are {lower}."}
        )
        agent.delegates.add(below)
    for name in names:
        scripted_model.add(calls((name, {"prompt": "Deeper"})))
    run = run_team(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "depth_exceeded")
    assert run.error_params["chain"] == " → ".join(["CHIEF", *names])
    # No ancestor's model was called again.
    assert len(scripted_model.requests) == 11
    depths = TaskRun.objects.filter(run=run).values_list("depth", "state")
    assert sorted(depths) == [(n, TaskRunState.FAILED) for n in range(11)]


def test_ten_nested_levels_succeed(asker: User, scripted_model: ScriptedModel) -> None:
    """CHIEF delegates to EXPERT, which delegates to itself, ten levels in all."""
    team = make_chief(scripted_model.base_url, "EXPERT")
    agent = Agent.objects.get(name="EXPERT")
    agent.delegates.add(agent)
    for _ in range(10):
        scripted_model.add(calls(("EXPERT", {"prompt": "Deeper"})))
    scripted_model.add(text("bottom"), *[text(f"up {n}") for n in range(10)])
    run = run_team(asker, team)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "up 9")
    assert TaskRun.objects.filter(run=run).count() == 11


def test_run_as_applies_to_the_agents_own_tools_and_does_not_go_down(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    boss = make_user("boss")
    agents = Agent.objects.in_bulk(field_name="uid").values()
    letter = make_tool("send_letter")
    for agent in agents:
        agent.tools.add(letter)
    Agent.objects.filter(name="CHIEF").update(run_as=boss)
    chief.add(
        calls(("send_letter", {"text": "A"}), ("EXPERT", {"prompt": "Write"})),
        text("Done."),
    )
    expert.add(calls(("send_letter", {"text": "B"})), text("Done."))
    run = run_team(asker, team)
    results = ToolCall.objects.filter(task_run__run=run, name="send_letter")
    assert list(results.order_by("created_at").values_list("result", flat=True)) == [
        "sent for boss",
        "sent for alice",
    ]


def test_a_run_as_identity_that_was_deactivated_forbids_the_tool(
    asker: User, team: Team, chief: Queue
) -> None:
    boss = make_user("boss")
    agent = Agent.objects.get(name="CHIEF")
    agent.tools.add(make_tool("send_letter"))
    Agent.objects.filter(pk=agent.pk).update(run_as=boss)
    User.objects.filter(pk=boss.pk).update(is_active=False)
    chief.add(calls(("send_letter", {"text": "A"})), text("I may not."))
    run_team(asker, team)
    assert chief.requests[1].messages[-1]["content"] == (
        "Error: The identity this agent works under is no longer active."
    )


def test_a_delegates_same_failing_call_three_times_fails_its_task(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    Agent.objects.get(name="EXPERT").tools.add(make_tool("find_file", read_only=True))
    chief.add(call(prompt="Find 404"), text("Not there."))
    expert.add(*[calls(("find_file", {"number": "404"})) for _ in range(3)])
    run = run_team(asker, team)
    worker = TaskRun.objects.get(run=run, depth=1)
    assert (worker.state, worker.error_code) == (
        TaskRunState.FAILED,
        "repeated_failure",
    )


def test_a_delegates_repeated_successful_call_gets_the_first_result_back(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    Agent.objects.get(name="EXPERT").tools.add(make_tool("shred_file"))
    chief.add(call(prompt="Shred 7"), text("Done."))
    twice = calls(("shred_file", {"number": "7"}))
    expert.add(twice, twice, text("Done."))
    run_team(asker, team)
    assert expert.requests[2].messages[-1]["content"] == (
        "You have called this already; its result was: shredded 7"
    )
    from tests.support.teams import EFFECTS

    assert EFFECTS == [("shred", "7")]


def test_budgets_are_fresh_for_each_call_and_not_charged_to_the_parent(
    asker: User, team: Team, chief: Queue, expert: Queue
) -> None:
    Agent.objects.filter(name="EXPERT").update(
        output_token_budget=10, budget_strategy="error"
    )
    Agent.objects.filter(name="CHIEF").update(
        output_token_budget=20, budget_strategy="error"
    )
    chief.add(
        calls(("EXPERT", {"prompt": "1"}), usage=(1, 5)),
        calls(("EXPERT", {"prompt": "2"}), usage=(1, 5)),
        text("Done.", usage=(1, 5)),
    )
    expert.add(text("one", usage=(1, 9)), text("two", usage=(1, 9)))
    run = run_team(asker, team)
    assert run.state == RunState.SUCCEEDED
    assert run.output_tokens == 33
    spent = TaskRun.objects.filter(run=run).order_by("started_at")
    assert [task.output_tokens for task in spent] == [15, 9, 9]


def test_a_delegate_with_a_chinese_name_can_be_called(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "退款", "订单")
    scripted_model.answer_with(
        lambda body: (
            text("好")
            if "You are CHIEF." not in body["messages"][0]["content"]
            or body["messages"][-1]["role"] == "tool"
            else calls((body["tools"][0]["function"]["name"], {"prompt": "?"}))
        )
    )
    run = run_team(asker, team)
    assert run.state == RunState.SUCCEEDED
    names = scripted_model.requests[0].tools
    assert len(set(names)) == 3
    assert all(name.isascii() for name in names)

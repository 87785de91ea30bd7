"""What can fail, and who reads it (S10)."""

from __future__ import annotations

import pytest
from django.test import override_settings

from conversations.choices import RunState, TaskRunState
from conversations.models import ModelCall, TaskRun
from conversations.services.runs import retry_run
from teams.models import Agent, Profile, Team, Tool
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, error, text


def test_a_workers_model_error_goes_to_the_supervisor(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("The clerk is away."))
    clerk.add(error(401, {"error": {"message": "bad key"}}))
    run = ask("File 7")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "The clerk is away.")
    assert TaskRun.objects.get(run=run, depth=1).state == TaskRunState.FAILED
    told = lead.requests[1].messages[-1]["content"]
    assert told.startswith("The worker failed: The model's server refused the API key.")


def test_the_supervisors_model_error_fails_the_run_and_retry_goes_on(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(
        calls(delegate("CLERK/FILES", "Find 7")),
        error(401, {"error": {"message": "bad key"}}),
        text("Title of 7."),
    )
    clerk.add(calls(("find_file", {"number": "7"})), text("Title of 7"))
    run = ask("File 7")
    assert (run.state, run.error_code) == (RunState.FAILED, "model_key_refused")
    retry_run(user=run.requested_by, run=run)
    run = go_on(run)
    assert (run.state, run.answer, run.error_code) == (
        RunState.SUCCEEDED,
        "Title of 7.",
        "",
    )
    # The worker was not asked again: its result stood.
    assert len(clerk.requests) == 2
    assert TaskRun.objects.filter(run=run).count() == 2


def test_an_unknown_tool_is_answered_with_the_allowed_names(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Burn 7")), text("No."))
    clerk.add(calls(("burn_file", {})), text("I cannot."))
    ask("Burn it")
    assert clerk.requests[1].messages[-1]["content"] == (
        "Error: There is no tool 'burn_file'. Tools: find_file, shred_file, ask_human."
    )


def test_arguments_that_are_no_json_object_do_not_run_the_tool(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Done."))
    clerk.add(
        calls(("find_file", "{not json")), calls(("find_file", "[7]")), text("Sorry.")
    )
    run = ask("File 7")
    worker = TaskRun.objects.get(run=run, depth=1)
    assert [call.state for call in worker.tool_calls.all()] == ["FAILED", "FAILED"]
    assert worker.failed_tools == 2
    sent = clerk.requests[2].messages
    assert [
        m["tool_calls"][0]["function"]["arguments"] for m in sent if "tool_calls" in m
    ] == [
        "{}",
        "{}",
    ]


def test_ten_failed_tool_calls_fail_the_task_identical_ones_included(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 404")), text("Not found."))
    clerk.add(*[calls(("find_file", {"number": "404"})) for _ in range(10)])
    run = ask("File 404")
    worker = TaskRun.objects.get(run=run, depth=1)
    assert (worker.state, worker.error_code) == (TaskRunState.FAILED, "tools_failed")
    assert len(clerk.requests) == 10
    assert run.state == RunState.SUCCEEDED


@override_settings(RUN_MAX_ROUNDS=3)
def test_too_many_rounds_are_an_explained_stop_that_can_go_on(
    ask: Ask, lead: Queue
) -> None:
    lead.add(
        *[calls(delegate("COOK/LUNCH", "Cook")) for _ in range(3)], text("At last.")
    )
    run = ask("Lunch")
    assert (run.state, run.error_code) == (RunState.FAILED, "rounds_exceeded")
    assert run.error_params == {"agent": "LEAD", "limit": 3}
    retry_run(user=run.requested_by, run=run)
    assert go_on(run).answer == "At last."


@override_settings(RUN_MAX_DELEGATIONS=2)
def test_too_many_delegations_stop_the_run_and_it_can_go_on(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(
        *[calls(delegate("CLERK/FILES", f"Part {n}")) for n in (1, 2, 3)], text("Done.")
    )
    clerk.add(text("1"), text("2"), text("3"))
    run = ask("Many parts")
    assert (run.state, run.error_code) == (RunState.FAILED, "delegations_exceeded")
    assert len(clerk.requests) == 2
    retry_run(user=run.requested_by, run=run)
    run = go_on(run)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Done.")
    assert [r.messages[-1]["content"] for r in clerk.requests] == [
        "Part 1",
        "Part 2",
        "Part 3",
    ]


def test_a_worker_disabled_after_the_start_is_refused(
    ask: Ask, lead: Queue, office: Team
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Not now."))
    Agent.objects.filter(name="CLERK").update(enabled=False)
    run = ask("File 7")
    assert (
        lead.requests[1].messages[-1]["content"]
        == "Error: This worker has been disabled."
    )
    assert run.state == RunState.SUCCEEDED


def test_a_tool_disabled_since_is_not_run(ask: Ask, lead: Queue, clerk: Queue) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Not now."))
    clerk.add(calls(("find_file", {"number": "7"})), text("I may not."))
    Tool.objects.filter(name="find_file").update(enabled=False)
    ask("File 7")
    assert (
        clerk.requests[1].messages[-1]["content"]
        == "Error: This tool has been disabled."
    )


def test_a_long_result_is_capped_for_the_model_and_kept_in_full(
    ask: Ask, lead: Queue, clerk: Queue, office: Team
) -> None:
    task = Team.objects.get().members.get(agent__name="CLERK").task
    assert task is not None
    task.tools.add(
        Tool.objects.create(name="big_file", function="big_file", read_only=True)
    )
    lead.add(calls(delegate("CLERK/FILES", "Big")), text("Big."))
    clerk.add(calls(("big_file", {})), text("Big."))
    run = ask("The big one")
    sent = clerk.requests[1].messages[-1]["content"]
    assert len(sent) < 16_200
    (call,) = TaskRun.objects.get(run=run, depth=1).tool_calls.all()
    assert call.full_result is not None
    assert len(call.full_result.text) == 50_000


def test_a_tool_that_takes_too_long_has_an_unknown_outcome(
    ask: Ask, lead: Queue, clerk: Queue, office: Team
) -> None:
    task = Team.objects.get().members.get(agent__name="CLERK").task
    assert task is not None
    task.tools.add(
        Tool.objects.create(name="slow_file", function="slow_file", timeout=1)
    )
    lead.add(calls(delegate("CLERK/FILES", "Slow")), text("Slow."))
    clerk.add(calls(("slow_file", {})), text("Slow."))
    run = ask("The slow one")
    (call,) = TaskRun.objects.get(run=run, depth=1).tool_calls.all()
    assert call.state == "UNKNOWN"


def test_tokens_and_cost_are_counted(ask: Ask, lead: Queue, office: Team) -> None:
    Profile.objects.update(input_price="2", output_price="10")
    office.supervisor_agent = Agent.objects.get(name="LEAD")
    lead.add(text("Hello.", usage=(1000, 100)))
    run = ask("Hello")
    assert (run.input_tokens, run.output_tokens) == (1000, 100)
    assert str(run.cost) == "0.003000"
    assert str(ModelCall.objects.get(task_run__run=run).cost) == "0.003000"


@pytest.mark.parametrize("arguments", ['{"number": "\\u0000"}', '{"number": NaN}'])
def test_arguments_that_a_database_refuses_do_not_stop_the_run(
    ask: Ask, lead: Queue, clerk: Queue, arguments: str
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Done."))
    clerk.add(calls(("find_file", arguments)), text("Sorry."))
    run = ask("File 7")
    assert run.state == RunState.SUCCEEDED
    told = clerk.requests[1].messages[-1]["content"]
    assert told.startswith("Error: The arguments hold NaN, Infinity, NUL or half of")

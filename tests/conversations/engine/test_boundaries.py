"""Limits at their very boundary: what is allowed still works (S10, H5, D8, D9, D10)."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from conversations.choices import RunState, TaskRunState
from conversations.models import Run, TaskRun
from conversations.services.runs import RunOptions, start_run
from teams.models import Agent, Team
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.handing import heard, say, to
from tests.conversations.engine.test_budgets import LOOK, SCHEMA, go, solo
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, ScriptedModel, calls, text
from tests.support.teams import make_chief

MISSING = ("find_file", {"number": "404"})


def test_the_twenty_fifth_round_may_be_the_answer(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    scripted_model.add(*[calls(LOOK) for _ in range(24)], text("Just in time."))
    assert go(asker, team).answer == "Just in time."


def test_nine_failed_calls_are_no_failure_and_successes_do_not_count(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    scripted_model.add(
        *[calls(MISSING, LOOK) for _ in range(9)], text("Nine are missing.")
    )
    assert go(asker, team).answer == "Nine are missing."
    assert TaskRun.objects.get().failed_tools == 9


def test_ten_failed_calls_in_one_reply_all_have_their_results_first(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    scripted_model.add(calls(*[MISSING] * 12))
    run = go(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "tools_failed")
    (task,) = TaskRun.objects.all()
    assert {call.state for call in task.tool_calls.all()} == {"FAILED"}


@override_settings(RUN_MAX_DELEGATIONS=2)
def test_as_many_delegations_as_are_allowed_succeed(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(
        *[calls(delegate("CLERK/FILES", f"Part {n}")) for n in (1, 2)], text("Done.")
    )
    clerk.add(text("1"), text("2"))
    assert ask("Two parts").answer == "Done."


@override_settings(RUN_MAX_HANDOFFS=2)
def test_as_many_handovers_as_are_allowed_are_delivered(
    asker: User, circle: Team, triage: Queue, orders: Queue, refunds: Queue
) -> None:
    triage.add(calls(to("ORDERS")))
    orders.add(calls(to("REFUNDS")))
    refunds.add(text("Here."))
    run = say(asker, circle, "Refund")
    assert (run.answer, run.ended_by, run.handoffs) == ("Here.", "", 2)


@pytest.mark.parametrize("strategy", ["error", "attempt_complete", "summarize"])
def test_an_answer_that_uses_up_the_budget_is_an_answer(
    asker: User, scripted_model: ScriptedModel, strategy: str
) -> None:
    """Budgets are looked at before a call, never after the last word."""
    team = solo(
        scripted_model,
        max_iterations=1,
        output_token_budget=5,
        budget_strategy=strategy,
    )
    scripted_model.add(text("Done.", usage=(1, 50)))
    assert go(asker, team).answer == "Done."


def test_a_cap_that_the_answer_itself_reaches_is_no_failure(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    Team.objects.update(run_token_budget=10)
    team.refresh_from_db()
    scripted_model.add(text("Done.", usage=(9, 9)))
    assert go(asker, team).answer == "Done."


def test_within_its_last_rounds_an_answer_must_still_satisfy_its_schema(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, max_iterations=1, output_schema=SCHEMA)
    scripted_model.add(calls(LOOK), text("Gold"), text('{"plan": "Gold"}'))
    assert go(asker, team).answer == '{"plan": "Gold"}'


def test_a_report_need_not_satisfy_the_schema(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(
        scripted_model,
        max_iterations=1,
        output_schema=SCHEMA,
        budget_strategy="summarize",
    )
    scripted_model.add(calls(LOOK), text("Found 7, no plan yet."))
    assert go(asker, team).answer == "Found 7, no plan yet."


def test_no_round_is_left_for_a_repair_where_the_budget_is_an_error(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(
        scripted_model, max_iterations=1, output_schema=SCHEMA, budget_strategy="error"
    )
    scripted_model.add(text("Gold"))
    assert go(asker, team).error_code == "budget_exceeded"


def test_a_delegate_repairs_its_own_answer_and_its_parent_gets_the_mended_one(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "EXPERT")
    Agent.objects.filter(name="EXPERT").update(output_schema=SCHEMA)
    chief = scripted_model.queue("chief", system="You are CHIEF.")
    expert = scripted_model.queue("expert", system="You are EXPERT.")
    chief.add(calls(("EXPERT", {"prompt": "Plan?"})), text("Gold."))
    expert.add(text("Gold"), text('{"plan": "Gold"}'))
    run = go_on(start_run(user=asker, prompt="Go", team=team))
    assert run.answer == "Gold."
    told = json.loads(str(heard(chief, 1)[-1][1]))
    assert told["answer"] == '{"plan": "Gold"}'
    # Neither the schema of the run nor a repair of its delegate is the parent's.
    assert "JSON Schema" not in chief.requests[0].system


def test_a_schema_of_the_run_binds_who_answers_the_person_alone(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "EXPERT")
    chief = scripted_model.queue("chief", system="You are CHIEF.")
    expert = scripted_model.queue("expert", system="You are EXPERT.")
    chief.add(calls(("EXPERT", {"prompt": "Plan?"})), text('{"plan": "Gold"}'))
    expert.add(text("Gold, I think"))
    options = RunOptions(output_schema=SCHEMA)
    run = go_on(start_run(user=asker, prompt="Go", team=team, options=options))
    assert run.answer == '{"plan": "Gold"}'
    assert "JSON Schema" not in expert.requests[0].system


def test_the_time_of_a_delegate_is_none_of_its_parents(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "EXPERT", timeout=1)
    chief = scripted_model.queue("chief", system="You are CHIEF.")
    expert = scripted_model.queue("expert", system="You are EXPERT.")
    chief.add(calls(("EXPERT", {"prompt": "Slowly"})), text("Done."))
    expert.add(text("Slow.", delay=1.5))
    run = go_on(start_run(user=asker, prompt="Go", team=team))
    assert run.answer == "Done."
    parent, child = TaskRun.objects.filter(run=run).order_by("depth")
    assert child.worked_ms >= 1500
    assert parent.worked_ms < 1000


def nested(office: Team, levels: int) -> None:
    """CLERK delegates to D2, D2 to D3, … so that D<n> works ``n`` levels deep."""
    upper = Agent.objects.get(name="CLERK")
    for level in range(2, levels + 1):
        name = f"D{level}"
        lower = Agent.objects.create(
            name=name, profile=upper.profile, role=f"You are {name}."
        )
        upper.delegates.add(lower)
        upper = lower


@pytest.mark.parametrize(
    ("levels", "state"), [(10, RunState.SUCCEEDED), (11, RunState.FAILED)]
)
def test_a_supervisors_worker_counts_as_one_of_ten_levels(
    ask: Ask, office: Team, scripted_model: ScriptedModel, levels: int, state: str
) -> None:
    nested(office, levels)
    scripted_model.add(calls(delegate("CLERK/FILES", "Deeper")))
    for level in range(2, levels + 1):
        scripted_model.add(calls((f"D{level}", {"prompt": "Deeper"})))
    if state == RunState.SUCCEEDED:
        scripted_model.add(*[text(f"up {n}") for n in range(levels + 1)])
    run: Run = ask("Deep")
    assert run.state == state
    depths = TaskRun.objects.filter(run=run).values_list("depth", flat=True)
    assert max(depths) == 10
    ends = {RunState.FAILED: TaskRunState.FAILED}
    states = set(TaskRun.objects.filter(run=run).values_list("state", flat=True))
    assert states == {ends.get(RunState(state), TaskRunState.SUCCEEDED)}

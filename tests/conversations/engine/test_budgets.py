"""Budgets and their strategies (D9), caps over a run, structured output (D10)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from conversations.choices import RunState
from conversations.models import Run
from conversations.services.runs import RunOptions, retry_run, start_run
from supervisor_site.common.errors import Invalid
from teams.models import Agent, Profile, Team
from tests.conversations.engine.conftest import go_on
from tests.support.scripted_model import ScriptedModel, calls, text
from tests.support.teams import make_soloist

LOOK = ("find_file", {"number": "7"})
SCHEMA = {
    "type": "object",
    "properties": {"plan": {"type": "string"}},
    "required": ["plan"],
}


def solo(model: ScriptedModel, **agent: Any) -> Team:
    return make_soloist(model.base_url, **agent)


def go(asker: User, team: Team, **options: Any) -> Run:
    return go_on(
        start_run(user=asker, prompt="Go", team=team, options=RunOptions(**options))
    )


def test_attempt_complete_gives_three_more_rounds_with_a_notice(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, max_iterations=1)
    scripted_model.add(calls(LOOK), calls(LOOK), calls(LOOK), text("Just in time."))
    run = go(asker, team)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Just in time.")
    notice = scripted_model.requests[1].messages[-1]
    assert notice["role"] == "user"
    assert "budget for this task is used up" in notice["content"]


def test_and_then_it_is_an_error(asker: User, scripted_model: ScriptedModel) -> None:
    team = solo(scripted_model, max_iterations=1)
    scripted_model.add(*[calls(LOOK) for _ in range(4)])
    run = go(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "budget_exceeded")
    assert run.error_params == {"budget": "rounds", "agent": "SOLOIST"}


def test_error_fails_at_once(asker: User, scripted_model: ScriptedModel) -> None:
    team = solo(scripted_model, input_token_budget=100, budget_strategy="error")
    scripted_model.add(calls(LOOK, usage=(100, 1)))
    run = go(asker, team)
    assert (run.error_code, run.error_params["budget"]) == (
        "budget_exceeded",
        "input_tokens",
    )


def test_summarize_answers_with_a_report_and_offers_no_tool(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, output_token_budget=5, budget_strategy="summarize")
    scripted_model.add(calls(LOOK, usage=(1, 5)), text("Found 7; the rest is open."))
    run = go(asker, team)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Found 7; the rest is open.")
    assert scripted_model.requests[1].tools == []


def test_ignore_goes_on(asker: User, scripted_model: ScriptedModel) -> None:
    team = solo(scripted_model, max_iterations=1, budget_strategy="ignore")
    scripted_model.add(*[calls(LOOK) for _ in range(6)], text("Done."))
    assert go(asker, team).answer == "Done."


@pytest.mark.parametrize("strategy", ["ignore", "attempt_complete"])
def test_twenty_five_rounds_are_the_hard_ceiling(
    asker: User, scripted_model: ScriptedModel, strategy: str
) -> None:
    team = solo(scripted_model, max_iterations=25, budget_strategy=strategy)
    scripted_model.add(*[calls(LOOK) for _ in range(25)])
    run = go(asker, team)
    assert (run.error_code, run.error_params["limit"]) == ("rounds_exceeded", 25)


def test_a_cap_of_tokens_over_the_run_is_a_stop_that_can_go_on(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    Team.objects.update(run_token_budget=10)
    team.refresh_from_db()
    scripted_model.add(calls(LOOK, usage=(9, 1)), text("Done.", usage=(5, 1)))
    run = go(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "run_tokens_exceeded")
    retry_run(user=asker, run=run)
    assert go_on(run).answer == "Done."


def test_a_cap_of_cost_over_the_run(asker: User, scripted_model: ScriptedModel) -> None:
    team = solo(scripted_model)
    Profile.objects.update(input_price="1000")
    Team.objects.update(run_cost_budget="0.005")
    team.refresh_from_db()
    scripted_model.add(calls(LOOK, usage=(5, 1)))
    run = go(asker, team)
    assert (run.error_code, run.error_params["limit"]) == ("run_cost_exceeded", "0.005")


def test_an_answer_must_satisfy_the_schema(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, output_schema=SCHEMA)
    scripted_model.add(text('```json\n{"plan": "Gold"}\n```'))
    assert go(asker, team).answer == '{"plan": "Gold"}'
    assert '"required": ["plan"]' in scripted_model.requests[0].system


def test_one_repair_round_then_an_error(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, output_schema=SCHEMA)
    scripted_model.add(text("Gold"), text('{"plan": 7}'))
    run = go(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "output_invalid")
    assert scripted_model.requests[1].messages[-1]["content"] == (
        "Your answer does not satisfy the schema. It is not valid JSON. "
        "Answer with the JSON only."
    )


def test_a_run_may_bring_its_own_schema(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    scripted_model.add(text("Gold"), text('{"plan": "Gold"}'))
    assert go(asker, team, output_schema=SCHEMA).answer == '{"plan": "Gold"}'


def test_a_schema_that_is_none_is_refused(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model)
    with pytest.raises(Invalid):
        go(asker, team, output_schema={"type": "nonsense"})
    assert Run.objects.count() == 0


def test_a_task_timeout_does_not_count_waiting_for_people(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = solo(scripted_model, timeout=1)
    assert Agent.objects.get().timeout == 1
    scripted_model.add(text("slow", delay=3))
    run = go(asker, team)
    assert (run.state, run.error_code) == (RunState.FAILED, "task_timeout")

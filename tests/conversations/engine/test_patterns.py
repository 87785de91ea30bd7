"""An agent alone, and teams in a fixed order (S12)."""

from __future__ import annotations

from django.contrib.auth.models import User

from conversations.choices import RunState
from conversations.models import TaskRun
from conversations.services.runs import start_run
from teams.models import Agent, Profile, Task, Team, TeamMember
from tests.conversations.engine.conftest import go_on
from tests.support.scripted_model import ScriptedModel, calls, error, text
from tests.support.teams import make_profile, make_soloist


def test_an_agent_alone_answers_with_its_own_tools(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_soloist(scripted_model.base_url)
    scripted_model.add(calls(("find_file", {"number": "7"})), text("Title of 7."))
    run = go_on(start_run(user=asker, prompt="File 7", team=team))
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Title of 7.")
    assert scripted_model.requests[0].tools == ["find_file", "ask_human"]
    assert [m["content"] for m in scripted_model.requests[0].messages[1:]] == ["File 7"]


def test_an_agent_alone_remembers(asker: User, scripted_model: ScriptedModel) -> None:
    team = make_soloist(scripted_model.base_url)
    scripted_model.add(text("Hello Ann."), text("Ann."))
    first = go_on(start_run(user=asker, prompt="I am Ann", team=team))
    go_on(start_run(user=asker, prompt="Who?", conversation=first.conversation))
    sent = [m["content"] for m in scripted_model.requests[1].messages[1:]]
    assert sent == ["I am Ann", "Hello Ann.", "Who?"]


def test_an_agent_that_may_not_ask_is_not_offered_to(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_soloist(scripted_model.base_url, enable_human_tool=False)
    scripted_model.add(text("Fine."))
    go_on(start_run(user=asker, prompt="Hm", team=team))
    assert scripted_model.requests[0].tools == ["find_file"]


def make_line(profile: Profile, *steps: str) -> Team:
    agent = Agent.objects.create(name="SMITH", profile=profile, role="You work.")
    team = Team.objects.create(name="LINE", pattern="sequential")
    for position, step in enumerate(steps):
        task, _ = Task.objects.get_or_create(
            name=step, instruction=f"Do {step}: {{query}}"
        )
        TeamMember.objects.create(team=team, position=position, agent=agent, task=task)
    return team


def test_steps_run_in_order_and_each_gets_the_result_before(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_line(make_profile(scripted_model.base_url), "CUT", "GLUE", "CUT")
    scripted_model.add(text("cut"), text("glued"), text("cut again"))
    run = go_on(start_run(user=asker, prompt="wood", team=team))
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "cut again")
    got = [request.messages[1:] for request in scripted_model.requests]
    assert got == [
        [{"role": "user", "content": words}] for words in ("wood", "cut", "glued")
    ]
    assert "Do GLUE: cut" in scripted_model.requests[1].system
    labels = [task.label for task in TaskRun.objects.filter(run=run)]
    assert labels == ["SMITH/CUT", "SMITH/GLUE", "SMITH/CUT"]


def test_a_failed_step_ends_the_run_with_its_reason(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_line(make_profile(scripted_model.base_url), "CUT", "GLUE")
    scripted_model.add(text("cut"), error(401, {"error": {"message": "no"}}))
    run = go_on(start_run(user=asker, prompt="wood", team=team))
    assert (run.state, run.error_code) == (RunState.FAILED, "model_key_refused")
    assert TaskRun.objects.filter(run=run).count() == 2

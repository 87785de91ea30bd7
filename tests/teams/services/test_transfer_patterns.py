"""Bundles of teams that delegate in circles, hand over, and take named inputs."""

from __future__ import annotations

import pytest

from teams.models import Agent, HandoffRule, Profile, Task, Team, TeamMember, Tool
from teams.services import definitions
from teams.services.describe import as_attributes
from teams.services.transfer import export_team, import_bundle
from teams.services.versions import build_definition
from tests.teams import build

pytestmark = pytest.mark.django_db


def wipe() -> None:
    HandoffRule.objects.all().delete()
    TeamMember.objects.all().delete()
    Team.objects.all().delete()
    Task.objects.update(input=None)
    Agent.objects.all().delete()
    Task.objects.all().delete()
    Tool.objects.all().delete()
    Profile.objects.all().delete()


def again(team: Team) -> tuple[dict, dict]:
    """The bundle of a team, and that of the team made of it on an empty site."""
    bundle = export_team(team)
    wipe()
    changes = import_bundle(bundle, user=None)
    assert {change.action for change in changes} == {"create"}
    made = Team.objects.get(name=team.name)
    assert build_definition(made)
    kept = import_bundle(bundle, user=None)
    assert {change.action for change in kept} == {"keep"}
    return bundle, export_team(made)


def test_delegates_come_along_with_theirs_in_circles_even() -> None:
    build.tool()
    build.agent("DEEP", tools=["lookup_account"])
    build.agent("MIDDLE", delegates=["DEEP"])
    build.agent("TOP", delegates=["MIDDLE", "TOP"])
    definitions.update("agent", "DEEP", {"delegates": ["TOP"]}, user=None)
    before, after = again(build.team("SOLO", agents=[{"name": "TOP"}]))
    assert after == before
    assert [agent["name"] for agent in before["agents"]] == ["DEEP", "MIDDLE", "TOP"]
    assert [tool["name"] for tool in before["tools"]] == ["lookup_account"]


def test_rules_and_settings_of_handing_over_come_along() -> None:
    for name in ("A", "B"):
        build.agent(name)
    team = build.team(
        "CIRCLE",
        start_agent="A",
        agents=[{"name": "A"}, {"name": "B"}],
        handoffs=[{"from": "A", "to": "B", "description": "All of b."}],
        autonomous={"agents": ["B"], "turn_limit": 2},
        termination={"contains": "bye"},
        outputs={"hidden": ["B"]},
    )
    before, after = again(team)
    assert after == before
    assert before["team"]["handoffs"] == [
        {"from": "A", "to": "B", "description": "All of b."}
    ]


def test_inputs_come_along_whatever_the_order_of_names() -> None:
    build.agent("A")
    build.task("ZERO")
    build.task("FIRST", input="ZERO")
    build.task("APEX", input="FIRST")
    line = [{"name": "A", "task": name} for name in ("ZERO", "FIRST", "APEX")]
    before, after = again(build.team("LINE", agents=line))
    assert after == before


def test_an_input_that_is_in_no_team_comes_along_too() -> None:
    build.task("OUTSIDE")
    team = build.desk()
    definitions.update("task", "LOOK_UP", {"input": "OUTSIDE"}, user=None)
    before, after = again(team)
    assert after == before
    assert [task["name"] for task in before["tasks"]] == ["LOOK_UP", "OUTSIDE"]


def test_what_a_trial_found_out_stays_at_home() -> None:
    team = build.desk()
    Profile.objects.update(calls_tools=True)
    assert "calls_tools" not in export_team(team)["profiles"][0]
    assert import_bundle(export_team(team), user=None)
    assert Profile.objects.get().calls_tools is True


def test_another_model_has_to_be_tried_anew() -> None:
    profile = build.keyed_profile()
    Profile.objects.update(calls_tools=True)
    definitions.update("profile", "KEYED", {"timeout": 5}, user=None)
    assert as_attributes(Profile.objects.get(pk=profile.pk))["calls_tools"] is True
    definitions.update("profile", "KEYED", {"model": "other"}, user=None)
    assert as_attributes(Profile.objects.get(pk=profile.pk))["calls_tools"] is None

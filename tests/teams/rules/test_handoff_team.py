"""What a handoff team may not be (H0), through the service that saves it."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor_site.common.errors import Conflict, FieldError, Invalid
from teams.models import Agent, Profile, Team
from teams.services import definitions
from teams.services.describe import as_attributes
from teams.services.versions import build_definition, version_for
from tests.teams import build

pytestmark = pytest.mark.django_db

BASE: dict[str, Any] = {
    "start_agent": "A",
    "agents": [{"name": "A"}, {"name": "B"}],
}


@pytest.fixture(autouse=True)
def parts(db: None) -> None:
    for name in ("A", "B", "STRANGER"):
        build.agent(name)
    build.agent("LEADER", supervisor=True)


def circle(**attributes: Any) -> Team:
    return build.team("CIRCLE", **(BASE | attributes))


def refused(**attributes: Any) -> list[FieldError]:
    with pytest.raises(Invalid) as caught:
        circle(**attributes)
    assert not Team.objects.exists()
    return list(caught.value.errors)


def fields(**attributes: Any) -> list[str]:
    return [error.field for error in refused(**attributes)]


def test_the_pattern_follows_from_who_starts_or_hands_over() -> None:
    assert circle().pattern == "handoff"
    rules = [{"from": "A", "to": "B", "description": "All of b."}]
    changed = definitions.update("team", "CIRCLE", {"handoffs": rules}, user=None)
    assert as_attributes(changed)["pattern"] == "handoff"
    assert as_attributes(changed)["handoffs"] == rules


def test_it_is_described_as_it_was_given() -> None:
    given = {
        "start_agent": "A",
        "handoffs": [{"from": "A", "to": "B", "description": ""}],
        "return_to": "start",
        "autonomous": {"agents": ["B"], "turn_limit": 3, "prompts": {"A": "Go on."}},
        "termination": {"regex": "bye+", "scope": "any"},
        "outputs": {"intermediate": ["A"], "hidden": ["B"]},
        "overridable": ["profile", "tool_params"],
        "run_token_budget": 1000,
        "run_cost_budget": "0.5",
        "run_timeout": 60,
    }
    found = as_attributes(circle(**given))
    assert {name: found[name] for name in given} == given


@pytest.mark.parametrize(
    ("attributes", "wrong"),
    [
        ({"start_agent": None, "pattern": "handoff"}, ["start_agent"]),
        ({"start_agent": "STRANGER"}, ["start_agent"]),
        ({"start_agent": "NOBODY"}, ["start_agent"]),
        ({"agents": [{"name": "A"}, {"name": "A"}]}, ["agents.1.name"]),
        ({"agents": [{"name": "A"}]}, ["agents"]),
        (
            {"pattern": "handoff", "supervisor_agent": "LEADER"},
            ["supervisor_agent"],
        ),
        ({"supervisor_agent": "LEADER"}, ["start_agent"]),
        ({"handoffs": [{"from": "A", "to": "STRANGER"}]}, ["handoffs.0.to"]),
        ({"handoffs": [{"from": "NOBODY", "to": "A"}]}, ["handoffs.0.from"]),
        ({"handoffs": [{"from": "A", "to": "A"}]}, ["handoffs.0.to"]),
        ({"handoffs": [{"from": "A", "to": "B"}] * 2}, ["handoffs.1"]),
        ({"handoffs": [{"from": "A"}]}, ["handoffs.0.to"]),
        ({"handoffs": [{"from": "A", "to": "B", "x": 1}]}, ["handoffs.0.x"]),
        ({"return_to": "nowhere"}, ["return_to"]),
        ({"autonomous": {"agents": ["STRANGER"]}}, ["autonomous.agents"]),
        ({"autonomous": {"prompts": {"X": "Go."}}}, ["autonomous.prompts"]),
        ({"autonomous": {"prompts": {"A": 5}}}, ["autonomous.prompts.A"]),
        ({"autonomous": {"prompts": ["A"]}}, ["autonomous.prompts"]),
        ({"autonomous": {"turn_limits": {"A": -1}}}, ["autonomous.turn_limits.A"]),
        ({"autonomous": {"turn_limit": True}}, ["autonomous.turn_limit"]),
        ({"autonomous": {"max_handoffs": 0}}, ["autonomous.max_handoffs"]),
        ({"autonomous": {"colour": 1}}, ["autonomous.colour"]),
        ({"autonomous": "yes"}, ["autonomous"]),
        ({"termination": {}}, ["termination"]),
        ({"termination": {"contains": "a", "regex": "b"}}, ["termination"]),
        ({"termination": {"contains": 5}}, ["termination.contains"]),
        ({"termination": {"regex": "("}}, ["termination.regex"]),
        ({"termination": {"predicate": "os.system"}}, ["termination.predicate"]),
        ({"termination": {"contains": "a", "scope": "all"}}, ["termination.scope"]),
        (
            {"termination": {"contains": "a", "ignore_case": 1}},
            ["termination.ignore_case"],
        ),
        ({"outputs": {"hidden": ["STRANGER"]}}, ["outputs.hidden"]),
        ({"outputs": {"hidden": ["A"], "intermediate": ["a"]}}, ["outputs.hidden"]),
        ({"outputs": {"hidden": 5}}, ["outputs.hidden"]),
        ({"overridable": ["model"]}, ["overridable.0"]),
        ({"run_token_budget": 0}, ["run_token_budget"]),
        ({"run_cost_budget": 0}, ["run_cost_budget"]),
        ({"run_timeout": 0}, ["run_timeout"]),
    ],
)
def test_what_is_wrong_is_refused_at_its_place(attributes, wrong) -> None:
    assert fields(**attributes) == wrong


def test_a_tool_called_like_a_handover_is_refused() -> None:
    build.tool("handoff_to_B")
    definitions.update("agent", "A", {"tools": ["handoff_to_B"]}, user=None)
    assert fields() == ["agents.0.name"]


def test_a_participant_needs_a_model_that_calls_tools() -> None:
    Profile.objects.update(calls_tools=False)
    assert fields() == ["agents.0.name", "agents.1.name"]


def test_other_patterns_have_nothing_of_it() -> None:
    build.task("T")
    pairs = [{"name": "A", "task": "T"}]
    with pytest.raises(Invalid) as caught:
        build.team(
            "DESK", supervisor_agent="LEADER", agents=pairs, autonomous={}, outputs={}
        )
    assert [error.field for error in caught.value.errors] == ["autonomous"]
    team = build.team("DESK", supervisor_agent="LEADER", agents=pairs, handoffs=[])
    assert "start_agent" not in as_attributes(team)


def test_turning_to_another_pattern_drops_what_only_handing_over_needs() -> None:
    circle(handoffs=[{"from": "A", "to": "B"}], autonomous={}, return_to="start")
    change = {"pattern": "sequential", "agents": [{"name": "A"}]}
    team = definitions.update("team", "CIRCLE", change, user=None)
    assert isinstance(team, Team)
    team = Team.objects.get(pk=team.pk)
    assert (team.start_agent, team.autonomous, team.handoffs.count()) == (None, None, 0)


def test_renaming_an_agent_changes_nothing_in_its_teams() -> None:
    team = circle(
        autonomous={"agents": ["a"], "turn_limits": {"B": 3}, "prompts": {"a": "Go."}},
        outputs={"hidden": ["b"]},
    )
    before = build_definition(team)
    definitions.update("agent", "A", {"name": "退款"}, user=None)
    definitions.update("agent", "B", {"name": "订单"}, user=None)
    team = Team.objects.get(pk=team.pk)
    assert team.autonomous == {
        "agents": ["退款"],
        "turn_limits": {"订单": 3},
        "prompts": {"退款": "Go."},
    }
    after = build_definition(team)
    assert (after.autonomous, after.outputs) == (before.autonomous, before.outputs)
    assert version_for(team)


def test_agents_of_a_rule_and_starters_are_not_dropped() -> None:
    circle(handoffs=[{"from": "A", "to": "B"}])
    for name in ("A", "B"):
        with pytest.raises(Conflict) as caught:
            definitions.drop("agent", name, user=None)
        assert caught.value.extra["used_by"] == [{"kind": "team", "name": "CIRCLE"}]
    assert Agent.objects.live().count() == 4

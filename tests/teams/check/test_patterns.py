"""The team check on handover, delegates and models (S5, S16, H0, H1)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from teams.check import check_team
from teams.models import Agent, Profile, Task, Team
from teams.services import definitions
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _real_model(settings) -> None:
    settings.OPENAI_API_KEY = "sk-test"
    build.profile(calls_tools=True)


def circle(*rules: tuple[str, str], **attributes: Any) -> Team:
    for name in ("A", "B", "C"):
        if not Agent.objects.named(name).exists():
            build.agent(
                name, description=f"Knows {name}.", role=f"Only {name}; leave others."
            )
    return build.team(
        "CIRCLE",
        agents=[{"name": name} for name in ("A", "B", "C")],
        start_agent="A",
        handoffs=[{"from": source, "to": target} for source, target in rules],
        **attributes,
    )


def codes(team: Team) -> list[tuple[str, str, str]]:
    ignored = ("no_result_format", "instruction_vague")
    return [
        (each.severity, each.code, each.name)
        for each in check_team(team)
        if each.code not in ignored
    ]


def test_a_sound_circle_without_rules_needs_nothing() -> None:
    assert codes(circle()) == []


def test_who_cannot_be_reached_or_left_is_named() -> None:
    team = circle(("A", "B"), ("C", "A"))
    assert codes(team) == [
        ("warning", "agent_unreachable", "C"),
        ("hint", "agent_no_way_out", "B"),
    ]


def test_a_participant_without_a_description_needs_a_word_in_its_rule() -> None:
    build.agent("A", role="Only a; leave the rest.")
    build.agent("B", role="Only b; leave the rest.")
    team = circle()
    assert codes(team) == [
        ("hint", "no_description", "A"),
        ("hint", "no_description", "B"),
    ]
    rules = [{"from": "A", "to": "B", "description": "Whatever is about b."}]
    rules += [{"from": "B", "to": "C"}, {"from": "C", "to": "A"}]
    definitions.update("team", "CIRCLE", {"handoffs": rules}, user=None)
    assert codes(team) == [("hint", "no_description", "A")]


def test_a_participant_that_leaves_nothing_to_others_is_hinted_at() -> None:
    build.agent("A", description="Knows all.", role="You answer everything.")
    assert codes(circle()) == [("hint", "no_boundary", "A")]


def test_going_on_alone_wants_an_end() -> None:
    assert codes(circle(autonomous={})) == [
        ("hint", "autonomous_without_end", "CIRCLE")
    ]
    changes = {"termination": {"contains": "goodbye"}}
    definitions.update("team", "CIRCLE", changes, user=None)
    assert codes(Team.objects.get(name="CIRCLE")) == []


def test_somebody_has_to_give_the_answer() -> None:
    outputs = {"intermediate": ["A", "B"], "hidden": ["C"]}
    assert codes(circle(outputs=outputs)) == [("warning", "no_answer_shown", "CIRCLE")]


def test_a_start_agent_that_is_off_stops_runs() -> None:
    team = circle()
    Agent.objects.filter(name="A").update(enabled=False)
    team = Team.objects.get(pk=team.pk)
    found = codes(team)
    assert ("error", "switched_off", "A") in found


def test_a_leader_does_not_use_its_delegates() -> None:
    build.agent("HELPER", role="You help with accounts and need a customer id.")
    team = build.desk()
    definitions.update("agent", "LEADER", {"delegates": ["HELPER"]}, user=None)
    found = codes(team)
    assert ("warning", "leader_delegates_unused", "LEADER") in found


def test_delegates_in_a_circle_are_told_once_with_their_chain() -> None:
    build.agent("ONE", role="You know the first thing, given its number.")
    build.agent("TWO", role="You know the second thing.", delegates=["ONE"])
    definitions.update("agent", "ONE", {"delegates": ["TWO"]}, user=None)
    team = build.team("SOLO", agents=[{"name": "ONE"}])
    (found,) = [e for e in check_team(team) if e.code == "delegates_in_circle"]
    assert "ONE → TWO → ONE" in found.message


def test_a_delegate_to_itself_is_a_circle_as_well() -> None:
    build.agent("ONE", role="You know the first thing, given its number.")
    definitions.update("agent", "ONE", {"delegates": ["ONE"]}, user=None)
    team = build.team("SOLO", agents=[{"name": "ONE"}])
    assert codes(team) == [("warning", "delegates_in_circle", "ONE")]


def test_what_a_delegate_needs_is_checked_like_the_rest() -> None:
    build.tool()
    build.agent("DATA", role="Data.", tools=["lookup_account"])
    build.agent("DESK", delegates=["DATA"])
    team = build.team("SOLO", agents=[{"name": "DESK"}])
    assert codes(team) == [("hint", "delegate_role_short", "DATA")]
    Agent.objects.filter(name="DATA").update(enabled=False)
    assert ("warning", "switched_off", "DATA") in codes(team)


def test_an_identity_that_is_gone_is_told() -> None:
    user = User.objects.create(username="robot")
    build.agent("SOLO", run_as="robot")
    team = build.team("ALONE", agents=[{"name": "SOLO"}])
    assert codes(team) == []
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert codes(Team.objects.get(pk=team.pk)) == [
        ("warning", "run_as_inactive", "SOLO")
    ]


def test_a_model_nobody_tried_is_hinted_at_and_one_that_cannot_is_warned_of() -> None:
    team = circle()
    Profile.objects.update(calls_tools=None)
    assert codes(team) == [("hint", "profile_untested", "MAIN")]
    Profile.objects.update(calls_tools=False)
    assert codes(team) == [("warning", "model_calls_no_tools", "MAIN")]


def test_an_agent_alone_without_delegates_needs_no_tool_calls() -> None:
    build.agent("SOLO")
    team = build.team("ALONE", agents=[{"name": "SOLO"}])
    Profile.objects.update(calls_tools=None)
    assert codes(team) == []


def test_an_input_outside_a_fixed_order_is_told() -> None:
    team = build.desk()
    build.task("FIRST")
    definitions.update("task", "LOOK_UP", {"input": "FIRST"}, user=None)
    assert Task.objects.get(name="LOOK_UP").input is not None
    assert ("hint", "input_unused", "LOOK_UP") in codes(team)

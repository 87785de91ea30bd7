"""What a run may replace for itself: only what its team lists (S11)."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Forbidden, Invalid
from teams.models import Profile, Team
from teams.services import definitions
from teams.services.versions import definition_of, version_for
from tests.conftest import make_user
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    build.profile("OTHER")
    team = build.desk()
    change = {"overridable": ["profile", "tool_params"]}
    definitions.update("team", "DESK", change, user=None)
    return Team.objects.get(pk=team.pk)


def refused(team: Team, overrides) -> list[str]:
    with pytest.raises(Invalid) as caught:
        version_for(team, overrides)
    assert not team.versions.exists()
    return [error.field for error in caught.value.errors]


def test_all_agents_get_the_profile(team: Team) -> None:
    plain, other = version_for(team), version_for(team, {"profile_name": "other"})
    assert (plain.number, other.number) == (1, 2)
    assert (plain.overrides, other.overrides) == ({}, {"profile_name": "other"})
    frozen = definition_of(other.pk)
    uid = Profile.objects.get(name="OTHER").uid
    assert {agent.profile for agent in frozen.agents.values()} == {uid}
    assert [profile.name for profile in frozen.profiles.values()] == ["OTHER"]
    assert definition_of(plain.pk).profiles.keys() != frozen.profiles.keys()


def test_settings_are_added_to_those_of_the_tool(team: Team) -> None:
    definitions.update(
        "tool", "lookup_account", {"tool_params": {"a": 1, "b": 2}}, user=None
    )
    version = version_for(team, {"tool_params": {"LOOKUP_ACCOUNT": {"b": 3}}})
    (tool,) = definition_of(version.pk).tools.values()
    assert tool.tool_params == {"a": 1, "b": 3}


def test_equal_content_is_one_version(team: Team) -> None:
    first = version_for(team, {"profile_name": "OTHER"})
    assert version_for(team, {"profile_name": "other", "tool_params": {}}) == first
    assert version_for(team, {"profile_name": "MAIN"}) == version_for(team)
    assert version_for(team, {}) == version_for(team, None)


@pytest.mark.parametrize(
    ("overrides", "fields"),
    [
        ({"profile_name": "NONE"}, ["overrides.profile_name"]),
        ({"profile_name": 5}, ["overrides.profile_name"]),
        ({"tool_params": {"nothing": {}}}, ["overrides.tool_params.nothing"]),
        (
            {"tool_params": {"lookup_account": 5}},
            ["overrides.tool_params.lookup_account"],
        ),
        ({"tool_params": [1]}, ["overrides.tool_params"]),
        ({"model": "x"}, ["overrides.model"]),
        ([1], ["overrides"]),
    ],
)
def test_what_is_not_there_is_refused(team: Team, overrides, fields) -> None:
    assert refused(team, overrides) == fields


def test_what_the_team_does_not_list_is_refused(team: Team) -> None:
    Team.objects.filter(pk=team.pk).update(overridable=["profile"])
    team = Team.objects.get(pk=team.pk)
    assert refused(team, {"tool_params": {}}) == ["overrides.tool_params"]


def test_a_profile_that_is_off_or_cannot_call_tools_is_refused(team: Team) -> None:
    for fields in ({"enabled": False}, {"enabled": True, "calls_tools": False}):
        Profile.objects.filter(name="OTHER").update(**fields)
        assert refused(team, {"profile_name": "OTHER"}) == ["overrides.profile_name"]


def test_a_key_needs_the_right_to_use_it(team: Team) -> None:
    build.keyed_profile()
    bob = make_user("bob")
    with pytest.raises(Forbidden) as caught:
        version_for(team, {"profile_name": "KEYED"}, user=bob)
    assert caught.value.code == "credential_forbidden"
    bob = build.grant(bob, "use_credentials")
    assert version_for(team, {"profile_name": "KEYED"}, user=bob)

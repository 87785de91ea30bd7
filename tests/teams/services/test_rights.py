"""Building, running and using a credential are separate rights (S14)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from supervisor_site.common.errors import Conflict, Forbidden, NotFound
from teams.models import Agent, Team
from teams.permissions import can_build, can_run, can_use_credentials
from teams.selectors import disabled_parts, runnable_teams, team_for_run
from teams.services import definitions
from tests.teams import build

pytestmark = pytest.mark.django_db

OBJECTS = [
    ("profile", "MAIN"),
    ("tool", "lookup_account"),
    ("agent", "ACCOUNTS"),
    ("task", "LOOK_UP"),
    ("team", "DESK"),
]


@pytest.mark.parametrize(("kind", "name"), OBJECTS)
def test_a_stranger_to_building_is_refused_and_nothing_changes(
    stranger, kind, name
) -> None:
    build.desk()
    before = definitions.find(kind, name)
    with pytest.raises(Forbidden):
        definitions.create(kind, {"name": "NEW"}, user=stranger)
    with pytest.raises(Forbidden):
        definitions.update(kind, name, {"description": "mine"}, user=stranger)
    with pytest.raises(Forbidden):
        definitions.set_enabled(kind, name, False, user=stranger)
    with pytest.raises(Forbidden):
        definitions.drop(kind, name, user=stranger)
    after = definitions.find(kind, name)
    assert (after.description, after.enabled) == ("", True)
    assert after.updated_at == before.updated_at


@pytest.mark.parametrize("kind", ["profile", "tool", "agent", "task", "team"])
def test_the_right_for_one_kind_is_for_that_kind_alone(stranger, kind) -> None:
    build.desk()
    user = build.grant(stranger, f"change_{kind}")
    for other, name in OBJECTS:
        if other == kind:
            definitions.update(other, name, {"description": "mine"}, user=user)
            with pytest.raises(Forbidden):
                definitions.drop(other, name, user=user, force=True)
        else:
            with pytest.raises(Forbidden):
                definitions.update(other, name, {"description": "mine"}, user=user)


def test_who_builds_is_not_therefore_who_runs(stranger, owner) -> None:
    team = build.desk()
    definitions.update("team", "DESK", {"access": {"everyone": False}}, user=None)
    team.refresh_from_db()
    user = build.builder(stranger)
    assert can_build(user)
    assert not can_build(owner)
    assert not can_run(user, team)
    assert not can_use_credentials(user)


def test_a_group_gets_to_run_a_team_and_no_more(owner, stranger) -> None:
    team = build.desk()
    group = Group.objects.create(name="Support")
    owner.groups.add(group, Group.objects.create(name="Other"))
    definitions.update(
        "team",
        "DESK",
        {"access": {"everyone": False, "groups": ["Support", "Other"]}},
        user=None,
    )
    team.refresh_from_db()
    assert can_run(owner, team)
    assert not can_run(stranger, team)
    assert list(runnable_teams(owner)) == [team]
    assert list(runnable_teams(stranger)) == []
    assert not can_build(owner)


def test_an_unshared_team_answers_like_one_that_is_not_there(stranger) -> None:
    build.desk()
    definitions.update("team", "DESK", {"access": {"everyone": False}}, user=None)
    with pytest.raises(NotFound) as hidden:
        team_for_run(stranger, "DESK")
    definitions.drop("team", "DESK", user=None)
    with pytest.raises(NotFound) as missing:
        team_for_run(stranger, "DESK")
    assert hidden.value.message == missing.value.message


def test_a_team_that_is_off_is_not_now(owner) -> None:
    build.desk()
    definitions.set_enabled("team", "DESK", False, user=None)
    with pytest.raises(Conflict) as caught:
        team_for_run(owner, "desk")
    assert caught.value.code == "team_disabled"
    assert list(runnable_teams(owner)) == []


def test_nobody_inactive_runs_or_builds(administrator) -> None:
    team = build.desk()
    assert can_run(administrator, team)
    administrator.is_active = False
    assert not can_run(administrator, team)
    assert not can_build(administrator)
    assert not can_use_credentials(administrator)
    assert list(runnable_teams(administrator)) == []


def test_attaching_a_profile_with_a_key_needs_its_own_right(stranger) -> None:
    build.keyed_profile()
    build.agent("PLAIN")
    user = build.builder(stranger)
    with pytest.raises(Forbidden) as caught:
        definitions.update("agent", "PLAIN", {"profile_name": "KEYED"}, user=user)
    assert caught.value.code == "credential_forbidden"
    with pytest.raises(Forbidden):
        definitions.create(
            "agent", {"name": "N", "profile_name": "KEYED", "role": "x"}, user=user
        )
    assert Agent.objects.get().profile.name == "MAIN"
    user = build.grant(user, "use_credentials")
    definitions.update("agent", "PLAIN", {"profile_name": "KEYED"}, user=user)
    assert Agent.objects.get().profile.name == "KEYED"


def test_an_agent_that_has_a_key_already_may_be_edited_without_it(stranger) -> None:
    build.keyed_profile()
    build.agent("PLAIN", profile_name="KEYED")
    user = build.builder(stranger)
    given = {"role": "Other.", "profile_name": "KEYED"}
    definitions.update("agent", "PLAIN", given, user=user)
    assert Agent.objects.get().role == "Other."


def test_what_is_switched_off_is_told_by_uid_and_reason() -> None:
    build.desk()
    found = {name: definitions.find(kind, name) for kind, name in OBJECTS}
    uids = [each.uid for each in found.values()]
    assert disabled_parts(uids) == {}
    assert disabled_parts([]) == {}
    for kind, name in OBJECTS:
        definitions.set_enabled(kind, name, False, user=None)
    assert disabled_parts(uids) == {
        found["MAIN"].uid: "profile_disabled",
        found["lookup_account"].uid: "tool_disabled",
        found["ACCOUNTS"].uid: "agent_disabled",
        found["LOOK_UP"].uid: "task_disabled",
    }


def test_a_dropped_part_does_not_count_as_switched_off() -> None:
    build.agent("GONE")
    agent = definitions.drop("agent", "GONE", user=None)
    assert agent is not None
    assert disabled_parts([agent.uid]) == {}


def test_the_maker_is_kept(stranger) -> None:
    user = build.builder(stranger)
    made = definitions.create(
        "profile", {"name": "P", "provider": "rehearsal"}, user=user
    )
    assert made.created_by == user
    assert Team.objects.count() == 0

"""An edit or a deletion elsewhere cannot break a saved team (S3)."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Conflict, Invalid
from teams.models import Agent, Team
from teams.services import definitions
from teams.services.versions import version_for
from teams.validation import check_version_rules
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def desk(db: None) -> Team:
    return build.desk()


def conflict(kind: str, name: str) -> Conflict:
    with pytest.raises(Conflict) as caught:
        definitions.drop(kind, name, user=None)
    assert caught.value.code == "in_use"
    assert definitions.find(kind, name).dropped_at is None
    return caught.value


def test_a_leading_agent_keeps_its_flag() -> None:
    with pytest.raises(Conflict) as caught:
        definitions.update("agent", "LEADER", {"supervisor": False}, user=None)
    assert caught.value.code == "in_use"
    assert caught.value.extra["used_by"] == [{"kind": "team", "name": "DESK"}]
    assert caught.value.message == (
        "“LEADER” leads “DESK”: name another supervisor there first, or leave "
        "supervisor true."
    )
    assert Agent.objects.get(name="LEADER").supervisor


def test_after_the_team_is_dropped_the_flag_is_free() -> None:
    definitions.drop("team", "DESK", user=None)
    agent = definitions.update("agent", "LEADER", {"supervisor": False}, user=None)
    assert not agent.supervisor  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["LEADER", "ACCOUNTS"])
def test_an_agent_of_a_team_is_not_dropped(name: str) -> None:
    error = conflict("agent", name)
    assert error.extra["used_by"] == [{"kind": "team", "name": "DESK"}]
    assert error.message == f"“{name}” is in use by “DESK”: take it out there first."


def test_a_task_of_a_team_is_not_dropped() -> None:
    error = conflict("task", "LOOK_UP")
    assert error.extra["used_by"] == [{"kind": "team", "name": "DESK"}]


def test_a_tool_of_a_task_or_an_agent_is_not_dropped() -> None:
    definitions.update("agent", "ACCOUNTS", {"tools": ["lookup_account"]}, user=None)
    error = conflict("tool", "lookup_account")
    assert error.extra["used_by"] == [
        {"kind": "agent", "name": "ACCOUNTS"},
        {"kind": "task", "name": "LOOK_UP"},
    ]


def test_a_profile_of_an_agent_is_not_dropped() -> None:
    error = conflict("profile", "MAIN")
    assert error.extra["used_by"] == [
        {"kind": "agent", "name": "ACCOUNTS"},
        {"kind": "agent", "name": "LEADER"},
    ]


def test_from_the_team_down_everything_can_be_dropped() -> None:
    for kind, name in [
        ("team", "DESK"),
        ("agent", "LEADER"),
        ("agent", "ACCOUNTS"),
        ("task", "LOOK_UP"),
        ("tool", "lookup_account"),
        ("profile", "MAIN"),
    ]:
        definitions.drop(kind, name, user=None)
    assert not Team.objects.live().exists()


def test_a_row_changed_behind_our_back_stops_the_start_of_a_run(desk: Team) -> None:
    Agent.objects.filter(name="LEADER").update(supervisor=False)
    team = Team.objects.get(pk=desk.pk)
    with pytest.raises(Invalid) as caught:
        check_version_rules(team)
    assert caught.value.code == "team_broken"
    assert [error.field for error in caught.value.errors] == ["supervisor_agent"]
    with pytest.raises(Invalid):
        version_for(team)
    assert not team.versions.exists()

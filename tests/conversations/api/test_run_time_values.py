"""``POST /runs`` with run-time values (S11): three names, or one object of them."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.models import Run
from teams.models import Profile, Team
from tests.api.client import Api, assert_problem, fields

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("idle")]
HELLO = {"team": "SUPPORT_TEAM", "prompt": "Hello"}
VALUES: dict[str, Any] = {
    "instruction_variables": {"region": "EU"},
    "attribute_variables": {"tool_params": {"lookup_account": {"limit": 3}}},
    "state_variables": {"basket": ["a", "b"]},
}


@pytest.fixture
def open_team(support_team: Team) -> Team:
    support_team.overridable = ["profile", "tool_params"]
    support_team.save()
    return support_team


@pytest.mark.parametrize("body", [VALUES, {"variables": VALUES}])
def test_each_kind_of_value_goes_where_it_belongs(
    api: Api, open_team: Team, body: dict[str, Any]
) -> None:
    assert api.post("/runs", HELLO | body).status_code == 202
    run = Run.objects.get()
    assert run.variables == {"region": "EU"}
    assert run.tool_state == {"basket": ["a", "b"]}
    assert run.team_version.overrides == VALUES["attribute_variables"]


def test_flat_variables_and_named_ones_are_put_together(
    api: Api, support_team: Team
) -> None:
    body = {"variables": {"a": "1", "b": "1"}, "instruction_variables": {"b": "2"}}
    assert api.post("/runs", HELLO | body).status_code == 202
    assert Run.objects.get().variables == {"a": "1", "b": "2"}


def test_the_next_request_works_on_the_team_as_it_is(api: Api, open_team: Team) -> None:
    begun = api.post("/runs", HELLO | VALUES).json()
    Run.objects.update(state="SUCCEEDED")
    where = begun["conversation_id"]
    api.post("/runs", {"prompt": "Hello", "conversation_id": where})
    assert Run.objects.latest("created_at").team_version.overrides == {}


def test_asked_again_it_keeps_its_values(api: Api, open_team: Team) -> None:
    begun = api.post("/runs", HELLO | VALUES).json()
    Run.objects.update(state="SUCCEEDED")
    again = api.post(f"/runs/{begun['id']}/retry").json()
    assert again["version"] == begun["version"]


def test_what_the_team_does_not_list_is_refused(api: Api, support_team: Team) -> None:
    body = {"attribute_variables": {"profile_name": "DEFAULT"}}
    problem = assert_problem(api.post("/runs", HELLO | body), 422, "invalid")
    assert fields(problem) == ["attribute_variables.profile_name"]
    assert not Run.objects.exists()


def test_a_profile_is_replaced_for_one_run(api: Api, open_team: Team) -> None:
    Profile.objects.create(name="OTHER", provider="rehearsal", model="other")
    body = {"attribute_variables": {"profile_name": "OTHER"}}
    assert api.post("/runs", HELLO | body).status_code == 202
    profiles = Run.objects.get().team_version.definition["profiles"]
    assert [profile["name"] for profile in profiles.values()] == ["OTHER"]

"""Definitions over REST: made, read, changed, switched and dropped, one kind as all."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from teams.models import Agent, Profile
from teams.services import definitions
from tests.api.client import Api, assert_problem, fields
from tests.teams import build

pytestmark = pytest.mark.django_db

NEW: dict[str, dict[str, Any]] = {
    "profile": {"name": "P", "provider": "rehearsal"},
    "tool": {"name": "T", "function": "list_payments"},
    "agent": {"name": "A", "profile_name": "MAIN", "role": "You help."},
    "task": {"name": "K", "instruction": "Help with {query}."},
    "team": {"name": "X", "agents": [{"name": "ACCOUNTS"}]},
}
KINDS = sorted(NEW)
NAMES = {
    "profile": "MAIN",
    "tool": "lookup_account",
    "agent": "ACCOUNTS",
    "task": "LOOK_UP",
    "team": "DESK",
}


@pytest.fixture(autouse=True)
def desk(db: None) -> None:
    build.desk()


@pytest.mark.parametrize("kind", KINDS)
def test_the_life_of_an_object(builder_api: Api, kind: str) -> None:
    path = f"/{kind}s"
    name = NEW[kind]["name"]
    made = builder_api.post(path, NEW[kind])
    assert made.status_code == 201
    for key, value in NEW[kind].items():
        assert made.json()[key] == value
    assert builder_api.get(f"{path}/{name.lower()}").json() == made.json()
    changed = builder_api.patch(f"{path}/{name}", {"display_name": "其他"})
    assert changed.json() == made.json() | {"display_name": "其他"}
    off = builder_api.post(f"{path}/{name}/disable")
    assert (off.status_code, off.json()["enabled"]) == (200, False)
    assert builder_api.post(f"{path}/{name}/enable").json()["enabled"] is True
    listed = builder_api.get(path).json()
    assert listed["count"] == len(listed["items"])
    assert changed.json() in listed["items"]
    assert builder_api.delete(f"{path}/{name}").status_code == 204
    assert_problem(builder_api.get(f"{path}/{name}"), 404, "not_found")
    assert_problem(builder_api.delete(f"{path}/{name}"), 404, "not_found")
    assert builder_api.delete(f"{path}/{name}?force=true").status_code == 204


@pytest.mark.parametrize("kind", KINDS)
def test_who_does_not_build_is_refused_on_every_object(
    stranger_api: Api, kind: str
) -> None:
    path, name = f"/{kind}s", NAMES[kind]
    before = definitions.find(kind, name)
    calls = [
        ("POST", path, NEW[kind]),
        ("PATCH", f"{path}/{name}", {"description": "mine"}),
        ("PATCH", f"{path}/NONE", {"description": "mine"}),
        ("POST", f"{path}/{name}/enable", None),
        ("POST", f"{path}/{name}/disable", None),
        ("DELETE", f"{path}/{name}", None),
        ("DELETE", f"{path}/NONE?force=true", None),
    ]
    if kind != "team":
        calls += [("GET", path, None), ("GET", f"{path}/{name}", None)]
    for method, where, body in calls:
        assert_problem(stranger_api.call(method, where, body), 403, "forbidden")
    after = definitions.find(kind, name)
    assert (after.updated_at, after.enabled) == (before.updated_at, True)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_anonymous_gets_anything(anonymous: Api, kind: str) -> None:
    for method, where in (
        ("GET", f"/{kind}s"),
        ("POST", f"/{kind}s"),
        ("GET", f"/{kind}s/{NAMES[kind]}"),
        ("DELETE", f"/{kind}s/{NAMES[kind]}"),
    ):
        assert_problem(anonymous.call(method, where), 401, "not_authenticated")


def test_who_may_only_run_sees_cards_of_teams(
    stranger_api: Api, builder_api: Api
) -> None:
    card = {
        "name": "DESK",
        "display_name": "",
        "description": "",
        "enabled": True,
        "pattern": "supervisor",
        "starters": [],
    }
    assert stranger_api.get("/teams").json() == {"items": [card], "count": 1}
    assert stranger_api.get("/teams/desk").json() == card
    builder_api.patch("/teams/DESK", {"access": {"everyone": False}})
    assert stranger_api.get("/teams").json() == {"items": [], "count": 0}
    assert_problem(stranger_api.get("/teams/DESK"), 404, "not_found")


def test_a_team_is_told_whole_to_builders(builder_api: Api) -> None:
    assert builder_api.get("/teams/DESK").json() == {
        "name": "DESK",
        "display_name": "",
        "description": "",
        "enabled": True,
        "pattern": "supervisor",
        "process": "sequential",
        "supervisor_agent": "LEADER",
        "agents": [{"name": "ACCOUNTS", "task": "LOOK_UP"}],
        "access": {"everyone": True, "groups": []},
        "starters": [],
        "overridable": [],
        "run_token_budget": None,
        "run_cost_budget": None,
        "run_timeout": None,
    }


def test_what_is_read_can_be_sent_back(builder_api: Api) -> None:
    for kind, name in NAMES.items():
        given = builder_api.get(f"/{kind}s/{name}").json()
        again = builder_api.patch(f"/{kind}s/{name}", given)
        assert (again.status_code, again.json()) == (200, given)


def test_every_rule_answers_with_its_field(builder_api: Api) -> None:
    problem = assert_problem(
        builder_api.post(
            "/teams",
            {
                "name": "X",
                "supervisor_agent": "ACCOUNTS",
                "agents": [
                    {"name": "LEADER", "task": "LOOK_UP"},
                    {"name": "LEADER", "task": "LOOK_UP"},
                ],
                "process": "parallel",
            },
        ),
        422,
        "invalid",
    )
    assert fields(problem) == ["process", "supervisor_agent", "agents.1.task"]
    assert problem["errors"][1]["message"].startswith("“ACCOUNTS” cannot lead a team")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"supervisor_agent": "ACCOUNTS", "agents": []}, "supervisor_agent"),
        ({"supervisor_agent": ["LEADER", "ACCOUNTS"]}, "supervisor_agent"),
        ({"supervisor_agent": "NOBODY"}, "supervisor_agent"),
        ({"pattern": "sequential"}, "supervisor_agent"),
        ({"agents": []}, "agents"),
        ({"agents": "ACCOUNTS"}, "agents"),
        ({"agents": [{"name": "LEADER", "task": "LOOK_UP"}]}, "agents.0.name"),
        ({"agents": [{"name": "ACCOUNTS"}]}, "agents.0.task"),
        ({"agents": [{"name": "NOBODY", "task": "LOOK_UP"}]}, "agents.0.name"),
        ({"agents": [{"name": "DESK", "task": "LOOK_UP"}]}, "agents.0.name"),
        ({"agents": [{"name": "ACCOUNTS", "task": "NOTHING"}]}, "agents.0.task"),
        (
            {"agents": [{"name": "ACCOUNTS", "task": "LOOK_UP", "tools": ["x"]}]},
            "agents.0.tools",
        ),
        ({"agents": [{"name": "ACCOUNTS", "task": "LOOK_UP"}] * 2}, "agents.1.task"),
        ({"agents": [{"name": "ACCOUNTS", "task": "LOOK_UP"}] * 201}, "agents"),
        ({"process": "parallel"}, "process"),
        ({"tools": ["lookup_account"]}, "tools"),
    ],
)
def test_a_team_that_would_not_be_sound_is_refused_and_stays(
    builder_api: Api, change: dict[str, Any], field: str
) -> None:
    before = builder_api.get("/teams/DESK").json()
    problem = assert_problem(builder_api.patch("/teams/DESK", change), 422, "invalid")
    assert field in fields(problem)
    assert builder_api.get("/teams/DESK").json() == before


def test_unknown_and_later_attributes_are_named(builder_api: Api) -> None:
    problem = assert_problem(
        builder_api.patch("/agents/ACCOUNTS", {"colour": 1, "supervisor": "no"}),
        422,
        "invalid",
    )
    assert fields(problem) == ["colour", "supervisor"]
    problem = assert_problem(
        builder_api.patch("/teams/DESK", {"pattern": "nonsense"}), 422, "invalid"
    )
    assert fields(problem) == ["pattern"]


def test_attributes_may_be_nested(builder_api: Api) -> None:
    made = builder_api.post(
        "/agents",
        {"agent_name": "N", "attributes": {"profile_name": "MAIN", "role": "x"}},
    )
    assert (made.status_code, made.json()["name"]) == (201, "N")


@pytest.mark.parametrize("body", [b"", b"[]", b'"x"', b"null", b"5"])
def test_a_body_that_is_no_object_is_refused(builder_api: Api, body: bytes) -> None:
    response = builder_api.call("POST", "/agents", body)
    assert response.status_code in (400, 422)
    assert response.headers["Content-Type"] == "application/problem+json"


def test_a_name_that_is_taken_is_a_conflict(builder_api: Api) -> None:
    given = NEW["agent"] | {"name": "accounts"}
    assert_problem(builder_api.post("/agents", given), 409, "exists")


def test_what_is_in_use_stays_and_says_by_whom(builder_api: Api) -> None:
    for kind, name, users in (
        ("agent", "ACCOUNTS", [{"kind": "team", "name": "DESK"}]),
        ("task", "LOOK_UP", [{"kind": "team", "name": "DESK"}]),
        ("tool", "lookup_account", [{"kind": "task", "name": "LOOK_UP"}]),
    ):
        problem = assert_problem(
            builder_api.delete(f"/{kind}s/{name}?force=true"), 409, "in_use"
        )
        assert problem["used_by"] == users
    problem = assert_problem(
        builder_api.patch("/agents/LEADER", {"supervisor": False}), 409, "in_use"
    )
    assert problem["used_by"] == [{"kind": "team", "name": "DESK"}]


def test_a_key_goes_in_and_never_out(builder_api: Api) -> None:
    given = {
        "name": "P",
        "base_url": "https://models.example.com/v1",
        "model": "large",
        "api_key": "sk-very-secret",
    }
    made = builder_api.post("/profiles", given)
    assert made.json()["has_key"] is True
    for response in (
        made,
        builder_api.get("/profiles/P"),
        builder_api.get("/profiles"),
        builder_api.patch("/profiles/P", {"model": "small"}),
    ):
        assert b"sk-very-secret" not in response.content
        assert b"api_key" not in response.content
    moved = builder_api.patch("/profiles/P", {"base_url": "https://b.example.com"})
    assert moved.json()["has_key"] is False


def test_a_credential_needs_its_own_right(builder_api: Api, builder) -> None:
    build.keyed_profile()
    given = {"profile_name": "KEYED"}
    assert_problem(
        builder_api.patch("/agents/ACCOUNTS", given), 403, "credential_forbidden"
    )
    assert Agent.objects.get(name="ACCOUNTS").profile.name == "MAIN"
    build.grant(builder, "use_credentials")
    assert builder_api.patch("/agents/ACCOUNTS", given).status_code == 200


def test_names_of_any_script_are_addresses(builder_api: Api) -> None:
    given = NEW["agent"] | {"name": "退款"}
    assert builder_api.post("/agents", given).status_code == 201
    assert builder_api.get("/agents/退款").json()["name"] == "退款"
    assert builder_api.get("/agents/%E9%80%80%E6%AC%BE").status_code == 200


def test_lists_are_paged(builder_api: Api) -> None:
    for number in range(5):
        build.agent(f"EXTRA_{number}")
    page = builder_api.get("/agents?limit=2&offset=1").json()
    assert page["count"] == 7
    assert [each["name"] for each in page["items"]] == ["EXTRA_0", "EXTRA_1"]
    assert_problem(builder_api.get("/agents?limit=0"), 422, "invalid")


@pytest.mark.parametrize("kind", KINDS)
def test_a_longer_list_takes_no_more_queries(builder_api: Api, kind: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert builder_api.get(f"/{kind}s").status_code == 200
        return len(found)

    builder_api.get("/profiles")  # writes when the token was used
    short = queries()
    for number in range(4):
        given = NEW[kind] | {"name": f"MORE_{number}"}
        if kind in ("agent", "task"):
            given["tools"] = ["lookup_account"]
        definitions.create(kind, given, user=None)
    assert queries() == short


def test_dropping_a_profile_hides_it(builder_api: Api) -> None:
    build.profile("SPARE")
    builder_api.delete("/profiles/SPARE")
    names = [each["name"] for each in builder_api.get("/profiles").json()["items"]]
    assert names == ["MAIN"]
    assert Profile.objects.filter(name="SPARE").exists()

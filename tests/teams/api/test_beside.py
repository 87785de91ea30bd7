"""What stands beside the definitions: trials, check, versions, export and import."""

from __future__ import annotations

import pytest

from teams.demo.models import Customer
from teams.models import Agent, Team
from teams.services import definitions
from teams.services.versions import version_for
from tests.api.client import Api, assert_problem, fields
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def desk(db: None) -> Team:
    Customer.objects.create(
        customer_id="C-1001",
        name="Maya",
        email="maya@example.com",
        plan="Fibre 250",
        since="2024-01-01",
    )
    return build.desk()


@pytest.mark.django_db(transaction=True)
def test_a_tool_is_run_by_hand(builder_api: Api) -> None:
    response = builder_api.post(
        "/tools/lookup_account/run", {"arguments": {"customer_id": "C-1001"}}
    )
    assert response.status_code == 200
    result = response.json()
    assert (result["ok"], result["unknown"]) == (True, False)
    assert "Fibre 250" in result["text"]


def test_a_tool_that_fails_says_why(builder_api: Api) -> None:
    for arguments, word in (({"customer_id": "C-9"}, "C-9"), ({}, "customer_id")):
        result = builder_api.post(
            "/tools/lookup_account/run", {"arguments": arguments}
        ).json()
        assert result["ok"] is False
        assert word in result["text"]


def test_a_tool_acts_for_the_caller(builder_api: Api, mailoutbox) -> None:
    build.tool("mail", function="send_email")
    given = {"arguments": {"subject": "Hello", "body": "There"}}
    assert builder_api.post("/tools/mail/run", given).json()["ok"] is True
    assert [each.to for each in mailoutbox] == [["bob@example.com"]]


def test_a_trial_needs_the_right_and_a_tool_that_is_on(
    builder_api: Api, stranger_api: Api, mailoutbox
) -> None:
    build.tool("mail", function="send_email")
    given = {"arguments": {"subject": "Hello", "body": "There"}}
    assert_problem(stranger_api.post("/tools/mail/run", given), 403, "forbidden")
    builder_api.post("/tools/mail/disable")
    assert_problem(builder_api.post("/tools/mail/run", given), 409, "tool_disabled")
    assert_problem(builder_api.post("/tools/NONE/run", given), 404, "not_found")
    assert_problem(builder_api.post("/tools/mail/run", {"args": 1}), 422, "invalid")
    assert mailoutbox == []


def test_a_profile_is_tried(builder_api: Api, stranger_api: Api) -> None:
    assert_problem(stranger_api.post("/profiles/MAIN/test"), 403, "forbidden")
    found = builder_api.post("/profiles/MAIN/test")
    assert found.status_code == 200
    assert (found.json()["ok"], found.json()["rehearsal"]) == (True, True)


def test_a_profile_that_cannot_be_called_says_why(builder_api: Api) -> None:
    build.profile(
        "FAR", provider="openai", base_url="https://not-listed.example.com", model="m"
    )
    found = builder_api.post("/profiles/FAR/test").json()
    assert found["ok"] is False
    assert found["error"]["code"] == "model_host_not_allowed"


def test_a_key_is_not_used_by_who_may_not(builder_api: Api) -> None:
    build.keyed_profile()
    assert_problem(
        builder_api.post("/profiles/KEYED/test"), 403, "credential_forbidden"
    )


def test_a_team_is_checked(builder_api: Api, stranger_api: Api) -> None:
    found = builder_api.post("/teams/desk/check").json()
    assert (found["team"], found["ok"]) == ("DESK", True)
    assert {
        "code": "requests_not_self_contained",
        "severity": "warning",
        "object": {"kind": "agent", "name": "LEADER"},
    }.items() <= next(
        each
        for each in found["advice"]
        if each["code"] == "requests_not_self_contained"
    ).items()
    Agent.objects.filter(name="LEADER").update(supervisor=False)
    assert builder_api.post("/teams/DESK/check").json()["ok"] is False
    assert_problem(stranger_api.post("/teams/DESK/check"), 403, "forbidden")


def test_versions_are_listed_newest_first(
    builder_api: Api, stranger_api: Api, desk: Team
) -> None:
    version_for(desk)
    definitions.update("agent", "ACCOUNTS", {"role": "Other."}, user=None)
    version_for(Team.objects.get())
    found = builder_api.get("/teams/DESK/versions").json()
    assert [each["number"] for each in found["items"]] == [2, 1]
    assert "definition" not in found["items"][0]
    one = builder_api.get("/teams/DESK/versions/1").json()
    assert one["definition"]["name"] == "DESK"
    assert_problem(builder_api.get("/teams/DESK/versions/3"), 404, "not_found")
    assert_problem(stranger_api.get("/teams/DESK/versions"), 403, "forbidden")
    assert_problem(stranger_api.get("/teams/DESK/versions/1"), 403, "forbidden")


def test_a_team_is_carried_over(builder_api: Api, stranger_api: Api) -> None:
    bundle = builder_api.get("/teams/DESK/export").json()
    assert_problem(stranger_api.get("/teams/DESK/export"), 403, "forbidden")
    assert_problem(stranger_api.post("/import", {"bundle": bundle}), 403, "forbidden")
    bundle["team"]["name"] = "COPY"
    tried = builder_api.post("/import", {"bundle": bundle, "dry_run": True})
    assert tried.status_code == 200
    assert tried.json()["dry_run"] is True
    assert not Team.objects.filter(name="COPY").exists()
    done = builder_api.post("/import", {"bundle": bundle})
    assert done.json()["changes"] == tried.json()["changes"]
    assert done.json()["changes"][-1] == {
        "action": "create",
        "kind": "team",
        "name": "COPY",
        "attributes": [],
        "message": "",
    }
    assert builder_api.get("/teams/COPY/export").json() == bundle


def test_an_import_in_the_way_of_something_is_a_conflict(builder_api: Api) -> None:
    bundle = builder_api.get("/teams/DESK/export").json()
    builder_api.patch("/agents/LEADER", {"role": "Mine."})
    problem = assert_problem(
        builder_api.post("/import", {"bundle": bundle}), 409, "exists"
    )
    assert problem["objects"] == [
        {"kind": "agent", "name": "LEADER", "attributes": ["role"]}
    ]
    done = builder_api.post("/import", {"bundle": bundle, "replace": True})
    assert done.status_code == 200
    assert Agent.objects.get(name="LEADER").role == "You are LEADER."


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"bundle": {"agents": [{"name": "A"}]}}, "agents.0.profile_name"),
        ({"bundle": {"kind": "x"}}, "kind"),
        ({"dry_run": True}, "bundle"),
        ({"bundle": {}, "colour": 1}, "colour"),
    ],
)
def test_a_bad_import_is_refused_at_its_place(builder_api: Api, body, field) -> None:
    problem = assert_problem(builder_api.post("/import", body), 422, "invalid")
    assert field in fields(problem)


def test_every_operation_has_its_own_id() -> None:
    from supervisor_site.api import api

    paths = api.get_openapi_schema()["paths"]
    ids = [
        operation["operationId"]
        for each in paths.values()
        for operation in each.values()
    ]
    assert len(ids) == len(set(ids))
    assert {
        "create_profile",
        "list_tools",
        "update_agent",
        "delete_task",
        "enable_team",
        "test_profile",
        "run_tool",
        "check_team",
        "export_team",
        "import_team",
    } <= set(ids)

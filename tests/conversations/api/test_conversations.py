"""``/conversations``: one's own talks with teams."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import DjangoAssertNumQueries

from conversations.models import Conversation
from teams.models import Team
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.django_db


def test_a_conversation_is_opened_with_a_team(api: Api, support_team: Team) -> None:
    made = api.post("/conversations", {"team": "support_team", "title": " My  talk "})
    assert made.status_code == 201
    got = made.json()
    assert got == api.get(f"/conversations/{got['id']}").json()
    assert got.pop("created_at") <= got.pop("updated_at")
    assert got == {
        "id": str(Conversation.objects.get().pk),
        "team": "SUPPORT_TEAM",
        "owner": "alice",
        "title": "My talk",
        "active_agent": None,
        "open_run_id": None,
        "state": None,
        "ended_by": None,
        "ended_at": None,
    }


@pytest.mark.usefixtures("idle")
def test_its_first_request_names_a_conversation_without_a_title(
    api: Api, support_team: Team
) -> None:
    made = api.post("/conversations", {"team": "SUPPORT_TEAM"}).json()
    assert made["title"] == ""

    path = f"/conversations/{made['id']}"
    api.post(f"{path}/messages", {"content": "What plan?\nQuickly."})

    assert api.get(path).json()["title"] == "What plan?"


def test_an_unknown_team_and_a_team_of_others_are_refused_alike(
    api: Api, support_team: Team
) -> None:
    support_team.access_everyone = False
    support_team.save()
    support_team.access_groups.add(Group.objects.create(name="others"))
    refused = api.post("/conversations", {"team": "SUPPORT_TEAM"})
    assert_problem(refused, 404, "not_found")
    assert refused.content == api.post("/conversations", {"team": "NO"}).content
    assert not Conversation.objects.exists()


def test_a_disabled_team_is_refused_for_now(api: Api, support_team: Team) -> None:
    Team.objects.update(enabled=False)
    refused = api.post("/conversations", {"team": "SUPPORT_TEAM"})
    assert_problem(refused, 409, "team_disabled")


def test_a_list_shows_ones_own_newest_first(
    api: Api, owner: User, stranger: User
) -> None:
    first = make_run_tree(owner, "done").conversation
    second = make_run_tree(owner, "waiting").conversation
    make_run_tree(stranger)
    Conversation.objects.get(pk=first.pk).save()
    got = api.get("/conversations").json()
    assert got["count"] == 2
    assert [c["id"] for c in got["items"]] == [str(first.pk), str(second.pk)]
    assert [c["state"] for c in got["items"]] == [None, "WAITING_FOR_HUMAN"]
    assert got["items"][1]["open_run_id"] == str(second.runs.get().pk)


def test_the_list_is_cut_into_pages(api: Api, owner: User) -> None:
    for _number in range(3):
        make_run_tree(owner)
    all_of_them = api.get("/conversations").json()["items"]
    got = api.get("/conversations?limit=1&offset=1").json()
    assert got == {"items": [all_of_them[1]], "count": 3}


def test_all_of_them_are_for_those_who_may_read_all(
    api: Api, admin_api: Api, owner: User
) -> None:
    make_run_tree(owner)
    assert admin_api.get("/conversations").json()["count"] == 0
    assert admin_api.get("/conversations?all=true").json()["count"] == 1
    assert api.get("/conversations?all=true").json()["count"] == 1


def test_a_stranger_finds_nothing_and_changes_nothing(
    stranger_api: Api, owner: User
) -> None:
    conversation = make_run_tree(owner).conversation
    mine, none = f"/conversations/{conversation.pk}", f"/conversations/{uuid4()}"
    assert stranger_api.get("/conversations?all=true").json()["count"] == 0
    for method, ending, body in (
        ("GET", "", None),
        ("PATCH", "", {"title": "taken"}),
        ("DELETE", "", None),
        ("GET", "/messages", None),
        ("POST", "/messages", {"content": "Hello"}),
    ):
        refused = stranger_api.call(method, mine + ending, body)
        assert_problem(refused, 404, "not_found")
        assert refused.content == stranger_api.call(method, none + ending, body).content
    conversation.refresh_from_db()
    assert conversation.deleted_at is None
    assert conversation.runs.count() == 1
    assert conversation.title != "taken"


def test_nobody_gets_anything(anonymous: Api, owner: User) -> None:
    conversation = make_run_tree(owner).conversation
    for method in ("GET", "PATCH", "DELETE"):
        refused = anonymous.call(method, f"/conversations/{conversation.pk}", {})
        assert_problem(refused, 401, "not_authenticated")
    assert_problem(anonymous.get("/conversations"), 401, "not_authenticated")
    assert_problem(anonymous.post("/conversations", {}), 401, "not_authenticated")


def test_the_owner_renames_it(api: Api, owner: User) -> None:
    conversation = make_run_tree(owner).conversation
    got = api.patch(f"/conversations/{conversation.pk}", {"title": "Plans"})
    assert (got.status_code, got.json()["title"]) == (200, "Plans")
    conversation.refresh_from_db()
    assert conversation.title == "Plans"


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "title"), ({"title": " "}, "title"), ({"title": "a", "team": "b"}, "team")],
)
def test_a_bad_new_name_changes_nothing(
    api: Api, owner: User, body: object, field: str
) -> None:
    conversation = make_run_tree(owner).conversation
    refused = api.patch(f"/conversations/{conversation.pk}", body)
    assert fields(assert_problem(refused, 422, "invalid")) == [field]
    title = conversation.title
    conversation.refresh_from_db()
    assert conversation.title == title


def test_who_may_only_read_may_not_rename(admin_api: Api, owner: User) -> None:
    conversation = make_run_tree(owner).conversation
    refused = admin_api.patch(f"/conversations/{conversation.pk}", {"title": "Mine"})
    assert_problem(refused, 403, "forbidden")


def test_a_deleted_conversation_is_gone_for_its_owner(api: Api, owner: User) -> None:
    run = make_run_tree(owner)
    path = f"/conversations/{run.conversation_id}"
    assert api.delete(path).status_code == 204
    assert_problem(api.get(path), 404, "not_found")
    assert_problem(api.get(f"/runs/{run.pk}"), 404, "not_found")
    assert api.get("/conversations").json() == {"items": [], "count": 0}
    assert api.get("/runs").json() == {"items": [], "count": 0}


def test_a_conversation_with_open_work_is_not_deleted(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "waiting")
    refused = api.delete(f"/conversations/{run.conversation_id}")
    problem = assert_problem(refused, 409, "conversation_busy")
    assert problem["run"]["id"] == str(run.pk)
    assert api.get(f"/conversations/{run.conversation_id}").status_code == 200


def test_the_list_costs_the_same_queries_whatever_its_length(
    api: Api, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_run_tree(owner, "waiting")
    api.get("/conversations")
    with django_assert_num_queries(6):
        api.get("/conversations")
    for outcome in ("waiting", "done", "failed"):
        make_run_tree(owner, outcome)
    with django_assert_num_queries(6):
        api.get("/conversations")


def test_a_wrong_method_is_refused(api: Api) -> None:
    assert_problem(api.call("PUT", "/conversations"), 405, "method_not_allowed")
    path = f"/conversations/{uuid4()}"
    assert_problem(api.post(path, {}), 405, "method_not_allowed")

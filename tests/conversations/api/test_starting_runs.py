"""``POST /runs``: what starts a run, and what is refused without a trace."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User

from conversations.models import Conversation, Message, Run
from teams.models import Agent, Team, TeamMember
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import make_run_tree

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("idle")]
HELLO = {"team": "SUPPORT_TEAM", "prompt": "Hello"}


@pytest.fixture
def other_team(support_team: Team) -> Team:
    team = Team.objects.create(name="OTHER", pattern="sequential")
    agent = Agent.objects.get(name="ACCOUNT_AGENT")
    TeamMember.objects.create(team=team, agent=agent)
    return team


def nothing_was_written() -> bool:
    return not (Conversation.objects.exists() or Message.objects.exists())


def test_a_run_begins_in_a_new_conversation(api: Api, support_team: Team) -> None:
    begun = api.post("/runs", HELLO)
    assert begun.status_code == 202
    run = Run.objects.get()
    assert begun.json() == api.get(f"/runs/{run.pk}").json()
    got = begun.json()
    assert (got["state"], got["prompt"], got["answer"]) == ("QUEUED", "Hello", "")
    assert got["path"] == []
    assert got["error"] is None
    assert run.conversation.owner.username == "alice"
    assert run.conversation.team == support_team


def test_a_run_begins_in_a_conversation_that_is_there(api: Api, owner: User) -> None:
    earlier = make_run_tree(owner)
    where = str(earlier.conversation_id)
    begun = api.post("/runs", HELLO | {"conversation_id": where})
    assert (begun.status_code, begun.json()["conversation_id"]) == (202, where)
    assert Run.objects.get(pk=begun.json()["id"]).follows == earlier


def test_the_conversation_names_the_team(api: Api, owner: User) -> None:
    where = str(make_run_tree(owner).conversation_id)
    begun = api.post("/runs", {"prompt": "Hello", "conversation_id": where})
    assert (begun.status_code, begun.json()["team"]) == (202, "SUPPORT_TEAM")


def test_the_options_stand_in_the_run(api: Api, support_team: Team) -> None:
    options = {"read_only": True, "debug": True, "variables": {"region": "EU"}}
    got = api.post("/runs", HELLO | options).json()
    assert (got["read_only"], got["debug"]) == (True, True)
    assert Run.objects.get().variables == {"region": "EU"}


def test_a_repeated_client_id_gives_the_first_run(api: Api, support_team: Team) -> None:
    first = api.post("/runs", HELLO | {"client_id": "a-1"}).json()
    again = api.post("/runs", HELLO | {"client_id": "a-1", "wait": 0})
    assert (again.status_code, again.json()["id"]) == (202, first["id"])
    Run.objects.update(state="SUCCEEDED")
    again = api.post("/runs", HELLO | {"client_id": "a-1", "wait": 1})
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert Run.objects.count() == 1


@pytest.mark.parametrize("wait", [0, 0.05])
def test_a_run_that_is_not_done_in_time_is_accepted(
    api: Api, support_team: Team, wait: float
) -> None:
    begun = api.post("/runs", HELLO | {"wait": wait})
    assert (begun.status_code, begun.json()["state"]) == (202, "QUEUED")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"prompt": ""}, "prompt"),
        ({"prompt": " \n "}, "prompt"),
        ({"prompt": None}, "prompt"),
        ({"prompt": 7}, "prompt"),
        ({"team": None}, "team"),
        ({"wait": 61}, "wait"),
        ({"wait": -1}, "wait"),
        ({"wait": "long"}, "wait"),
        ({"conversation_id": "7"}, "conversation_id"),
        ({"client_id": "x" * 101}, "client_id"),
        ({"read_only": "perhaps"}, "read_only"),
        ({"variables": {"a": 1}}, "variables.a"),
        ({"variables": ["a"]}, "variables"),
        ({"propmt": "typo"}, "propmt"),
    ],
)
def test_a_bad_field_is_named_and_nothing_written(
    api: Api, support_team: Team, change: dict[str, object], field: str
) -> None:
    problem = assert_problem(api.post("/runs", HELLO | change), 422, "invalid")
    assert fields(problem) == [field]
    assert nothing_was_written()


def test_a_prompt_may_have_100000_characters_and_no_more(
    api: Api, support_team: Team
) -> None:
    refused = api.post("/runs", HELLO | {"prompt": "x" * 100_001})
    problem = assert_problem(refused, 422, "prompt_too_long")
    assert fields(problem) == ["prompt"]
    assert "100001" in problem["detail"]
    assert nothing_was_written()
    begun = api.post("/runs", HELLO | {"prompt": "é" * 100_000})
    assert (begun.status_code, len(begun.json()["prompt"])) == (202, 100_000)


def test_an_unknown_team_and_one_of_others_are_refused_alike(
    api: Api, support_team: Team
) -> None:
    support_team.access_everyone = False
    support_team.save()
    support_team.access_groups.add(Group.objects.create(name="others"))
    refused = api.post("/runs", HELLO)
    assert_problem(refused, 404, "not_found")
    assert refused.content == api.post("/runs", HELLO | {"team": "NO"}).content
    assert nothing_was_written()


def test_a_disabled_team_is_refused_for_now(api: Api, support_team: Team) -> None:
    Team.objects.update(enabled=False)
    assert_problem(api.post("/runs", HELLO), 409, "team_disabled")
    assert nothing_was_written()


@pytest.mark.parametrize("outcome", ["running", "waiting"])
def test_a_busy_conversation_is_refused_with_its_run(
    api: Api, owner: User, outcome: str
) -> None:
    busy = make_run_tree(owner, outcome)
    refused = api.post("/runs", HELLO | {"conversation_id": str(busy.conversation_id)})
    problem = assert_problem(refused, 409, "conversation_busy")
    assert problem["run"] == api.get(f"/runs/{busy.pk}").json()
    assert Run.objects.count() == 1


def test_another_team_than_the_conversations_is_refused(
    api: Api, owner: User, other_team: Team
) -> None:
    where = str(make_run_tree(owner).conversation_id)
    refused = api.post("/runs", HELLO | {"team": "OTHER", "conversation_id": where})
    assert fields(assert_problem(refused, 422, "other_team")) == ["team"]
    assert Run.objects.count() == 1


def test_anothers_conversation_is_refused_as_if_it_were_none(
    stranger_api: Api, owner: User
) -> None:
    conversation = make_run_tree(owner).conversation
    body = HELLO | {"conversation_id": str(conversation.pk)}
    refused = stranger_api.post("/runs", body)
    assert_problem(refused, 404, "not_found")
    none = stranger_api.post("/runs", HELLO | {"conversation_id": str(uuid4())})
    assert refused.content == none.content
    assert Run.objects.count() == 1


def test_nobody_starts_anything(anonymous: Api, support_team: Team) -> None:
    assert_problem(anonymous.post("/runs", HELLO), 401, "not_authenticated")
    assert nothing_was_written()


def test_what_is_not_json_is_refused(api: Api, support_team: Team) -> None:
    refused = api.call("POST", "/runs", b'{"team": "SUPPORT_TEAM", ')
    assert_problem(refused, 400, "invalid_json")
    assert nothing_was_written()

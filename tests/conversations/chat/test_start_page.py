"""The start page: the list, the teams, the starters, the first message."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations.models import Conversation, Run
from teams.models import Profile, Team
from tests.conversations.chat.page import read
from tests.conversations.factories import make_run_tree


def test_it_offers_the_teams_and_the_starters_of_the_chosen_one(
    alice: Client, team: Team
) -> None:
    page = read(alice.get("/"))

    options = page.one("select", id="team").all("option")
    assert [option.text for option in options] == ["Support desk"]
    starters = [button.text for button in page.all("button", class_="starter")]
    assert starters == ["What plan is customer C-1001 on?", "Show the last payments"]


def test_without_a_team_it_says_what_to_do(alice: Client) -> None:
    page = read(alice.get("/"))

    assert "No team to talk to yet" in page.text
    assert page.all("textarea") == []


def test_an_administrator_without_a_team_is_shown_where_to_build_one(
    client: Client, administrator: User
) -> None:
    client.force_login(administrator)

    links = [a.attributes["href"] for a in read(client.get("/")).all("a")]

    assert "/admin/teams/team/add/" in links


def test_it_says_that_no_model_is_connected(alice: Client, team: Team) -> None:
    assert "Rehearsal: no model is connected" in read(alice.get("/")).text


def test_it_does_not_say_so_where_a_model_is_connected(
    alice: Client, team: Team
) -> None:
    Profile.objects.update(provider="openai")

    assert "Rehearsal" not in read(alice.get("/")).text


def test_the_environment_without_a_key_is_a_rehearsal_too(
    alice: Client, team: Team, settings: pytest.FixtureRequest
) -> None:
    Profile.objects.update(provider="env")
    assert "Rehearsal" in read(alice.get("/")).text

    settings.OPENAI_API_KEY = "sk-1"  # type: ignore[attr-defined]
    assert "Rehearsal" not in read(alice.get("/")).text


def test_the_list_shows_one_s_own_conversations_and_what_waits(
    alice: Client, done_run: Run, waiting_run: Run, stranger: User
) -> None:
    theirs = make_run_tree(stranger, "done")

    items = read(alice.get("/")).one("ul", id="items").all("a", class_="item")

    assert [item.attributes["href"] for item in items] == [
        f"/c/{waiting_run.conversation_id}/",
        f"/c/{done_run.conversation_id}/",
    ]
    assert "Waiting for you" in items[0].text
    assert "Done" not in items[1].text
    assert str(theirs.conversation_id) not in str(alice.get("/").content)


def test_who_may_read_all_still_sees_a_list_of_their_own(
    charlie: Client, stranger: User, done_run: Run
) -> None:
    stranger.user_permissions.add(Permission.objects.get(codename="view_all"))

    assert str(done_run.conversation_id) not in str(charlie.get("/").content)


def test_the_list_goes_on_where_it_ended(
    alice: Client, owner: User, team: Team
) -> None:
    Conversation.objects.bulk_create(
        Conversation(owner=owner, team=team, title=f"Talk {n}") for n in range(45)
    )

    page = read(alice.get("/"))
    assert len(page.all("a", class_="item")) == 40

    more = read(alice.get("/conversations/?offset=40"))
    assert len(more.all("a", class_="item")) == 5


def test_the_chosen_team_s_panel_is_sent_alone_to_the_script(
    alice: Client, team: Team
) -> None:
    answer = alice.get(f"/?team={team.name}", headers={"HX-Request": "true"})

    assert answer.content.decode().lstrip().startswith('<div class="team-panel"')


def test_a_first_message_starts_a_conversation_and_shows_it(
    alice: Client, owner: User, team: Team
) -> None:
    answer = alice.post("/", {"team": team.name, "content": "Hello there"})

    run = Run.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == f"/c/{run.conversation_id}/"
    assert (run.request.text, run.requested_by) == ("Hello there", owner)


def test_the_script_is_told_where_to_go(alice: Client, team: Team) -> None:
    answer = alice.post(
        "/", {"team": team.name, "content": "Hi"}, headers={"HX-Request": "true"}
    )

    run = Run.objects.get()
    assert answer.status_code == 200
    assert answer["HX-Redirect"] == f"/c/{run.conversation_id}/"


def test_the_same_message_sent_twice_starts_one_conversation(
    alice: Client, team: Team
) -> None:
    message = {"team": team.name, "content": "Hi", "client_id": "once"}

    first, second = alice.post("/", message), alice.post("/", message)

    assert first["Location"] == second["Location"]
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        ("", 422, "the message is empty"),
        (" \n ", 422, "the message is empty"),
        ("x" * 200_000, 422, "at most 100000 are allowed"),
    ],
)
def test_a_message_that_is_none_is_refused_and_kept(
    alice: Client, team: Team, content: str, status: int, words: str
) -> None:
    answer = alice.post("/", {"team": team.name, "content": content})

    page = read(answer)
    assert answer.status_code == status
    assert words in page.one(id="composer-error").text
    assert page.one("textarea").text == content.strip()
    assert not Conversation.objects.exists()


def test_an_unknown_team_is_refused(alice: Client, team: Team) -> None:
    answer = alice.post("/", {"team": "NO_TEAM", "content": "Hello"})

    assert answer.status_code == 404
    assert read(answer).one("textarea").text == "Hello"
    assert not Conversation.objects.exists()


def test_a_team_that_is_not_shared_is_answered_as_one_that_does_not_exist(
    alice: Client, team: Team
) -> None:
    Team.objects.update(access_everyone=False)
    post = {"team": team.name, "content": "Hello"}
    script = {"HX-Request": "true"}

    mine = alice.post("/", post, headers=script)
    none = alice.post("/", {**post, "team": "OTHER"}, headers=script)

    assert (mine.status_code, none.status_code) == (404, 404)
    assert mine.content.replace(team.name.encode(), b"OTHER") == none.content


def test_a_disabled_team_is_not_offered_and_says_why(alice: Client, team: Team) -> None:
    Team.objects.update(enabled=False)

    assert read(alice.get("/")).all("option") == []
    answer = alice.post(
        "/", {"team": team.name, "content": "Hi"}, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 409
    assert "switched off" in answer.content.decode()

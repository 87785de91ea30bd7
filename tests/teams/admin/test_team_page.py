"""The form of teams: pairs in rows, each refusal where it belongs."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from teams.models import Agent, Task, Team
from teams.services.versions import version_for
from tests.teams import build
from tests.teams.admin import pages


def member_row(number: int, agent: Agent, task: Task | None, **more: Any) -> Any:
    given = {"agent": agent.pk, "task": task.pk if task else "", **more}
    return {f"members-{number}-{name}": value for name, value in given.items()}


def pairs(team: Team) -> list[str]:
    return [str(member) for member in team.members.select_related("agent", "task")]


@pytest.fixture
def second(desk: Team) -> tuple[Agent, Task]:
    return build.agent("POST"), build.task("SEND")


def test_a_team_is_made_in_the_order_of_its_places(
    office: Client, desk: Team, second: tuple[Agent, Task]
) -> None:
    first = desk.members.get()
    staff = Group.objects.create(name="staff")
    response = pages.post(
        office,
        pages.add_url("team"),
        name="NEW",
        supervisor_agent=desk.supervisor_agent_id,
        starters="Hello\n\n Show the account ",
        access_everyone=None,
        access_groups=[staff.pk],
        **member_row(0, first.agent, first.task, place="2"),
        **member_row(1, *second, place="1"),
    )
    assert pages.saved(response)
    team = Team.objects.get(name="NEW")
    assert pairs(team) == ["POST/SEND", "ACCOUNTS/LOOK_UP"]
    assert (team.pattern, team.supervisor_agent) == (
        "supervisor",
        desk.supervisor_agent,
    )
    assert team.starters == ["Hello", "Show the account"]
    assert team.access_everyone is False
    assert list(team.access_groups.all()) == [staff]


def test_a_pair_without_a_place_comes_last(
    office: Client, desk: Team, second: tuple[Agent, Task]
) -> None:
    url = pages.change_url(desk)
    assert pages.saved(pages.post(office, url, **member_row(1, *second)))
    assert pairs(desk) == ["ACCOUNTS/LOOK_UP", "POST/SEND"]
    again = pages.post(office, url, **{"members-0-DELETE": "on"})
    assert pages.saved(again)
    assert pairs(desk) == ["POST/SEND"]


def test_nothing_changed_changes_nothing(office: Client, desk: Team) -> None:
    before = version_for(desk)
    assert pages.saved(pages.post(office, pages.change_url(desk)))
    desk = Team.objects.get(pk=desk.pk)
    assert version_for(desk) == before


def test_whoever_cannot_lead_is_refused_in_words(
    office: Client, desk: Team, second: tuple[Agent, Task]
) -> None:
    page = office.get(pages.change_url(desk))
    widget = page.context["adminform"].form.fields["supervisor_agent"].widget
    assert [label for _value, label in widget.choices] == ["---------", "LEADER"]
    response = pages.post(office, pages.change_url(desk), supervisor_agent=second[0].pk)
    assert pages.errors(response) == {
        "supervisor_agent": [
            "“POST” cannot lead a team: set supervisor to true on that agent, or "
            "name another one."
        ]
    }


def test_the_leader_does_not_work_in_its_own_team(office: Client, desk: Team) -> None:
    leader = desk.supervisor_agent
    assert leader is not None
    response = pages.post(
        office,
        pages.change_url(desk),
        **member_row(1, leader, desk.members.get().task),
    )
    assert pages.row_errors(response) == [
        {},
        {
            "agent": [
                "“LEADER” leads this team and cannot work in it as well: take it out "
                "of the agents, or name another supervisor."
            ]
        },
    ]


def test_a_repeated_pair_and_a_missing_task_stand_in_their_rows(
    office: Client, desk: Team, second: tuple[Agent, Task]
) -> None:
    first = desk.members.get()
    response = pages.post(
        office,
        pages.change_url(desk),
        **{"members-TOTAL_FORMS": "3"},
        **member_row(1, second[0], None),
        **member_row(2, first.agent, first.task),
    )
    assert pages.row_errors(response) == [
        {},
        {
            "task": [
                "Give “POST” a task: a supervisor delegates to a pair of agent and "
                "task."
            ]
        },
        {"task": ["“ACCOUNTS/LOOK_UP” is in the team already: remove one of the two."]},
    ]
    assert pairs(desk) == ["ACCOUNTS/LOOK_UP"]


def test_a_fixed_order_has_no_leader(office: Client, desk: Team) -> None:
    response = pages.post(office, pages.change_url(desk), pattern="sequential")
    assert list(pages.errors(response)) == ["supervisor_agent"]
    url = pages.change_url(desk)
    response = pages.post(office, url, pattern="sequential", supervisor_agent=None)
    assert pages.saved(response)
    desk.refresh_from_db()
    assert (desk.pattern, desk.supervisor_agent) == ("sequential", None)


def test_a_name_taken_in_another_case_is_refused(office: Client, desk: Team) -> None:
    response = pages.post(
        office,
        pages.add_url("team"),
        name="desk",
        supervisor_agent=desk.supervisor_agent_id,
    )
    assert pages.errors(response) == {
        "name": ["The name “desk” is taken: choose another one."]
    }


def test_too_many_starters_are_refused(office: Client, desk: Team) -> None:
    response = pages.post(office, pages.change_url(desk), starters="a\n" * 11)
    assert pages.errors(response) == {"starters": ["Give at most 10 prompts."]}


def test_the_page_links_to_the_chat_and_the_versions(
    office: Client, desk: Team
) -> None:
    page = office.get(pages.change_url(desk)).content.decode()
    assert '<a href="/?team=DESK">Chat with this team</a>' in page
    assert "None yet: the first run makes one." in page
    version = version_for(desk)
    page = office.get(pages.change_url(desk)).content.decode()
    assert f'<a href="/admin/teams/teamversion/{version.pk}/change/">1</a>' in page


def test_dropped_agents_are_found_by_no_row(office: Client, desk: Team) -> None:
    url = "/admin/autocomplete/?app_label=teams&model_name=teammember&field_name=agent"
    build.agent("GONE")
    office.post(
        pages.change_url(Agent.objects.get(name="GONE")).replace("change", "delete"),
        {"post": "yes"},
    )
    found = [each["text"] for each in office.get(url).json()["results"]]
    assert found == ["ACCOUNTS", "LEADER"]


def test_the_page_shows_the_team_check_with_links(office: Client, desk: Team) -> None:
    agent = desk.members.get().agent
    Agent.objects.filter(pk=agent.pk).update(enabled=False)
    page = office.get(pages.change_url(desk)).content.decode()
    assert '<ul class="advice-list">' in page
    assert f'<a href="{pages.change_url(agent)}">ACCOUNTS</a>: ' in page


def test_the_team_check_is_open_where_something_goes_wrong(
    office: Client, desk: Team
) -> None:
    page = office.get(pages.change_url(desk)).content.decode()
    assert '<details class="panel boxed team-check" id="team-check" open>' in page
    assert "goes wrong" in page


def test_who_saves_a_team_hears_of_its_check(office: Client, desk: Team) -> None:
    assert pages.saved(pages.post(office, pages.change_url(desk)))
    told = pages.notices(office.get(pages.list_url("team")))
    assert any(
        text.startswith("The team check of “DESK” has something to say:")
        and f'<a href="{pages.change_url(desk)}#team-check">' in text
        for text in told
    )

"""Lists answer questions, are searched, and need no more queries for more rows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from teams.models import ApiToken, Team
from teams.services.versions import version_for
from tests.teams import build
from tests.teams.admin import pages

KINDS = ("profile", "tool", "agent", "task", "team", "teamversion", "apitoken")


def add(numbers: range, owner: User) -> None:
    for number in numbers:
        build.profile(f"P{number}")
        build.tool(f"tool_{number}")
        build.agent(
            f"A{number}",
            profile_name=f"P{number}",
            supervisor=True,
            tools=[f"tool_{number}"],
        )
        build.task(f"T{number}", tools=[f"tool_{number}"])
        build.agent(f"W{number}", profile_name=f"P{number}")
        team = build.team(
            f"TEAM{number}",
            supervisor_agent=f"A{number}",
            agents=[{"name": f"W{number}", "task": f"T{number}"}],
        )
        version_for(team)
        ApiToken.issue(user=owner, name=f"token {number}")


def count(client: Client, kind: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        response = client.get(pages.list_url(kind))
    assert response.status_code == 200
    return len(queries)


def test_thirty_rows_need_as_many_queries_as_three(office: Client, owner: User) -> None:
    add(range(3), owner)
    count(office, "team")  # warms up the content types
    few = {kind: count(office, kind) for kind in KINDS}
    add(range(3, 30), owner)
    many = {kind: count(office, kind) for kind in KINDS}
    assert many == few
    assert max(many.values()) <= 10


def cells(client: Client, kind: str, query: str = "") -> list[str]:
    page = client.get(f"{pages.list_url(kind)}?q={query}")
    found = page.context["cl"]
    return [str(row) for row in found.result_list]


@pytest.mark.parametrize(
    ("kind", "query", "found"),
    [
        ("team", "accounts", ["DESK"]),
        ("team", "nothing", []),
        ("agent", "you are acc", ["ACCOUNTS"]),
        ("task", "look", ["LOOK_UP"]),
        ("tool", "lookup", ["lookup_account"]),
        ("profile", "main", ["MAIN"]),
    ],
)
def test_lists_are_searched(
    kind: str, query: str, found: list[str], office: Client, desk: Team
) -> None:
    assert cells(office, kind, query) == found


def test_who_uses_what_is_shown(office: Client, desk: Team) -> None:
    build.tool("unused")
    page = office.get(pages.list_url("tool")).content.decode()
    assert '<td class="field-used_by">LOOK_UP</td>' in page
    assert '<td class="field-used_by">–</td>' in page
    page = office.get(pages.list_url("profile")).content.decode()
    assert '<td class="field-used_by">ACCOUNTS, LEADER</td>' in page
    page = office.get(pages.list_url("agent")).content.decode()
    assert page.count('<td class="field-used_by">DESK</td>') == 2


def test_a_dropped_team_uses_nothing(office: Client, desk: Team) -> None:
    office.post(f"/admin/teams/team/{desk.pk}/delete/", {"post": "yes"})
    page = office.get(pages.list_url("agent")).content.decode()
    assert '<td class="field-used_by">DESK</td>' not in page


def test_a_team_row_says_how_it_works(office: Client, desk: Team) -> None:
    version_for(desk)
    page = office.get(pages.list_url("team")).content.decode()
    assert '<td class="field-pair_count">1</td>' in page
    assert '<td class="field-last_version">1</td>' in page
    assert '<td class="field-access">everyone</td>' in page
    assert '<td class="field-chat"><a href="/?team=DESK">Chat</a></td>' in page

"""Deleting in the admin drops: rows stay, names are free, what is in use is kept."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Profile, Task, Team, Tool
from tests.teams import build
from tests.teams.admin import pages


def delete_url(row: object) -> str:
    return pages.change_url(row).replace("/change/", "/delete/")  # type: ignore[arg-type]


def test_a_team_is_dropped_and_its_row_stays(office: Client, desk: Team) -> None:
    link = f'<a href="{delete_url(desk)}" class="deletelink">Drop</a>'
    assert link in office.get(pages.change_url(desk)).content.decode()
    page = office.get(delete_url(desk)).content.decode()
    assert "<h1>Drop the team</h1>" in page
    assert "New runs will not know it any more" in page
    response = office.post(delete_url(desk), {"post": "yes"})
    assert response.status_code == 302
    desk.refresh_from_db()
    assert desk.dropped_at is not None
    assert desk.members.count() == 1
    listed = office.get(pages.list_url("team"))
    assert pages.notices(listed) == ["The team “DESK” was dropped."]
    assert list(listed.context["cl"].result_list) == []
    assert build.team("DESK", agents=[{"name": "ACCOUNTS"}]).pk != desk.pk


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Agent, "“ACCOUNTS” is in use by “DESK”: take it out there first."),
        (Task, "“LOOK_UP” is in use by “DESK”: take it out there first."),
        (Tool, "“lookup_account” is in use by “LOOK_UP”: take it out there first."),
        (Profile, "“MAIN” is in use by “ACCOUNTS”, “LEADER”: take it out there first."),
    ],
)
def test_what_is_in_use_is_not_dropped(
    model: type[Agent | Task | Tool | Profile],
    message: str,
    office: Client,
    desk: Team,
) -> None:
    row = model.objects.order_by("name_key").first()
    assert row is not None
    for response in (
        office.get(delete_url(row)),
        office.post(delete_url(row), {"post": "yes"}),
    ):
        assert response.status_code == 200
        assert message in response.content.decode()
    row.refresh_from_db()
    assert row.dropped_at is None


def test_a_selection_is_dropped_as_a_whole_or_not_at_all(
    office: Client, desk: Team
) -> None:
    build.task("SPARE")
    selected = {
        "action": "delete_selected",
        "_selected_action": list(Task.objects.values_list("pk", flat=True)),
        "post": "yes",
    }
    shown = office.get(pages.list_url("task")).content.decode()
    assert "Drop selected tasks" in shown
    page = office.post(pages.list_url("task"), selected)
    assert "“LOOK_UP” is in use by “DESK”" in page.content.decode()
    assert Task.objects.filter(dropped_at__isnull=True).count() == 2
    selected["_selected_action"] = [Task.objects.get(name="SPARE").pk]
    assert office.post(pages.list_url("task"), selected).status_code == 302
    assert list(Task.objects.live().values_list("name", flat=True)) == ["LOOK_UP"]


def test_without_the_right_nothing_is_dropped(
    client: Client, clerk: User, desk: Team
) -> None:
    client.force_login(build.grant(clerk, "change_team"))
    assert b"deletelink" not in client.get(pages.change_url(desk)).content
    assert client.post(delete_url(desk), {"post": "yes"}).status_code == 403
    desk.refresh_from_db()
    assert desk.dropped_at is None


def test_a_dropped_object_has_no_page(office: Client, desk: Team) -> None:
    office.post(delete_url(desk), {"post": "yes"})
    response = office.get(pages.change_url(desk))
    assert response.status_code == 302
    assert response["Location"] == "/admin/"

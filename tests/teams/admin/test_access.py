"""Who sees the pages of definitions, and who may only read them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Definition, Profile, Task, Team, Tool
from tests.teams import build
from tests.teams.admin import pages

KINDS = ("profile", "tool", "agent", "task", "team", "teamversion", "apitoken")


@pytest.mark.parametrize("kind", KINDS)
def test_a_stranger_is_sent_to_the_log_in(
    kind: str, client: Client, stranger: User
) -> None:
    client.force_login(stranger)
    url = pages.list_url(kind)
    response = client.get(url)
    assert response.status_code == 302
    assert response["Location"] == f"/admin/login/?next={url}"


@pytest.mark.parametrize("kind", KINDS)
def test_staff_without_rights_see_nothing(
    kind: str, client: Client, clerk: User
) -> None:
    client.force_login(clerk)
    assert client.get(pages.list_url(kind)).status_code == 403
    assert b"teams/" not in client.get("/admin/").content


def test_the_right_to_view_shows_pages_without_a_form(
    client: Client, clerk: User, desk: Team
) -> None:
    kinds = ("profile", "tool", "agent", "task", "team")
    client.force_login(build.grant(clerk, *(f"view_{kind}" for kind in kinds)))
    models: tuple[type[Definition], ...] = (Profile, Tool, Agent, Task, Team)
    rows = [row for model in models for row in model.objects.all()]
    assert len(rows) == 6
    for row in rows:
        page = client.get(pages.change_url(row))
        assert page.status_code == 200
        assert b'name="_save"' not in page.content
        assert b'name="name"' not in page.content
        assert client.post(pages.change_url(row), {"name": "X"}).status_code == 403


def test_who_may_change_teams_may_change_their_pairs(
    client: Client, clerk: User, desk: Team
) -> None:
    rights = ("change_team", "view_agent", "view_task")
    client.force_login(build.grant(clerk, *rights))
    response = pages.post(client, pages.change_url(desk), **{"members-0-DELETE": "on"})
    rows = response.context["inline_admin_formsets"][0].formset
    assert rows.non_form_errors() == [
        "Add at least one agent with a task for the supervisor to delegate to."
    ]

"""Export and import of a team in the admin (S14)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from teams.models import Agent, Profile, Team
from teams.services.transfer import export_team
from tests.teams import build
from tests.teams.admin import pages

IMPORT = "/admin/teams/team/import/"


def export_url(team: Team) -> str:
    return pages.change_url(team).replace("/change/", "/export/")


@pytest.fixture
def bundle(desk: Team) -> dict[str, Any]:
    """The desk under another name, with another role for one agent."""
    found = export_team(desk)
    found["team"]["name"] = "COPY"
    found["agents"][0]["role"] = "You look up accounts, and nothing else."
    return found


def as_file(bundle: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile("team.json", json.dumps(bundle).encode())


def refusals(response: Any) -> dict[str, list[str]]:
    form = response.context["form"]
    return {field: list(messages) for field, messages in form.errors.items()}


def test_a_team_is_a_file_without_its_keys(office: Client, desk: Team) -> None:
    Profile.objects.get().set_api_key("sk-secret")
    page = office.get(pages.change_url(desk)).content.decode()
    assert f'<a href="{export_url(desk)}">Export</a>' in page
    response = office.get(export_url(desk))
    assert response["Content-Disposition"] == 'attachment; filename="DESK.json"'
    assert response.json() == export_team(desk)
    assert "sk-secret" not in response.content.decode()


def test_an_export_needs_the_right_to_read_all_it_holds(
    client: Client, clerk: User, desk: Team
) -> None:
    client.force_login(build.grant(clerk, "view_team", "view_agent"))
    assert b"Export" not in client.get(pages.change_url(desk)).content
    assert client.get(export_url(desk)).status_code == 403


def test_a_look_first_changes_nothing(office: Client, bundle: dict[str, Any]) -> None:
    given = {"file": as_file(bundle), "replace": "on", "_check": "1"}
    response = office.post(IMPORT, given)
    changes = [
        (str(word), change.name, change.attributes)
        for word, change in response.context["changes"]
        if change.action != "keep"
    ]
    assert changes == [("Changed", "ACCOUNTS", ("role",)), ("Made", "COPY", ())]
    # The file has become text, for a browser does not send it again.
    assert json.loads(response.context["form"]["text"].value()) == bundle
    assert not Team.objects.filter(name="COPY").exists()
    assert Agent.objects.get(name="ACCOUNTS").role == "You are ACCOUNTS."


def test_an_import_leads_to_the_team(office: Client, bundle: dict[str, Any]) -> None:
    given = {"text": json.dumps(bundle), "replace": "on", "_import": "1"}
    response = office.post(IMPORT, given)
    team = Team.objects.get(name="COPY")
    assert response["Location"] == pages.change_url(team)
    assert Agent.objects.get(name="ACCOUNTS").role.endswith("nothing else.")


def test_a_difference_stops_the_import_and_is_named(
    office: Client, bundle: dict[str, Any]
) -> None:
    response = office.post(IMPORT, {"file": as_file(bundle), "_import": "1"})
    (first, second) = refusals(response)["replace"]
    assert first.startswith("These exist and differ: “ACCOUNTS”.")
    assert second == "ACCOUNTS: role"
    assert not Team.objects.filter(name="COPY").exists()


def test_what_is_wrong_is_told_with_its_place(
    office: Client, bundle: dict[str, Any]
) -> None:
    bundle["team"]["supervisor_agent"] = "NOBODY"
    response = office.post(IMPORT, {"text": json.dumps(bundle), "replace": "on"})
    (message,) = refusals(response)["__all__"]
    assert message.startswith("team.supervisor_agent: ")
    assert "NOBODY" in message


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"file": ["Choose a file, or paste its text."]}),
        ({"text": "{"}, {"text": ["This is no JSON."]}),
    ],
)
def test_what_is_no_bundle_is_refused(
    given: dict[str, str], expected: dict[str, list[str]], office: Client
) -> None:
    assert refusals(office.post(IMPORT, given)) == expected


def test_who_may_not_build_imports_nothing(client: Client, clerk: User) -> None:
    client.force_login(build.grant(clerk, "view_team"))
    assert client.get(IMPORT).status_code == 403
    assert b"Import" not in client.get(pages.list_url("team")).content

"""Versions are read, tokens are revoked; neither is made or changed here."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from teams.definition import SCHEMA_VERSION
from teams.models import ApiToken, Team, TeamVersion
from teams.services.versions import version_for
from tests.teams.admin import pages


def test_a_version_shows_its_definition(office: Client, desk: Team) -> None:
    version = version_for(desk)
    page = office.get(pages.change_url(version))
    assert page.status_code == 200
    text = page.content.decode()
    assert f"&quot;schema_version&quot;: {SCHEMA_VERSION}," in text
    assert "You are ACCOUNTS." in text
    assert b'name="_save"' not in page.content


def test_a_version_is_neither_made_nor_changed_nor_deleted(
    office: Client, desk: Team
) -> None:
    version = version_for(desk)
    assert office.get(pages.add_url("teamversion")).status_code == 403
    assert office.post(pages.change_url(version), {"number": 9}).status_code == 403
    url = reverse("admin:teams_teamversion_delete", args=[version.pk])
    assert office.post(url, {"post": "yes"}).status_code == 403
    assert TeamVersion.objects.get().number == 1


def test_a_token_is_listed_and_revoked(office: Client, owner: User) -> None:
    token, _text = ApiToken.issue(user=owner, name="script")
    page = office.get(pages.list_url("apitoken")).content.decode()
    assert "script" in page
    assert "alice" in page
    url = reverse("admin:teams_apitoken_delete", args=[token.pk])
    assert "Revoke the token “script” of alice?" in office.get(url).content.decode()
    assert office.post(url, {"post": "yes"}).status_code == 302
    assert not ApiToken.objects.exists()


def test_a_token_is_neither_made_nor_changed(office: Client, owner: User) -> None:
    token, _text = ApiToken.issue(user=owner, name="script")
    assert office.get(pages.add_url("apitoken")).status_code == 403
    assert office.post(pages.change_url(token), {"name": "x"}).status_code == 403
    token.refresh_from_db()
    assert token.name == "script"

"""No page shows a key, its ciphertext or the hash of a token."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from teams.models import ApiToken, Profile
from tests.teams import build
from tests.teams.admin import pages


def test_a_key_is_on_no_page(office: Client, client: Client, clerk: User) -> None:
    profile = build.keyed_profile()
    token, text = ApiToken.issue(user=clerk, name="script")
    secrets = ("sk-secret", profile.api_key_encrypted, text, token.digest)
    urls = [
        pages.list_url("profile"),
        pages.change_url(profile),
        pages.list_url("apitoken"),
        pages.change_url(token),
        f"/admin/teams/profile/{profile.pk}/history/",
    ]
    refused = pages.post(
        office, pages.change_url(profile), new_key="sk-typed", model=""
    )
    assert "sk-typed" not in refused.content.decode()
    texts = [refused.content.decode()]
    texts += [office.get(url).content.decode() for url in urls]
    reader = build.grant(clerk, "view_profile")
    client.force_login(reader)
    texts.append(client.get(pages.change_url(profile)).content.decode())
    for page in texts:
        assert not [secret for secret in secrets if secret in page]


def test_history_names_the_field_and_not_the_key(office: Client) -> None:
    profile = build.keyed_profile()
    pages.post(office, pages.change_url(profile), new_key="sk-new")
    page = office.get(f"/admin/teams/profile/{profile.pk}/history/").content.decode()
    assert "Changed API key." in page
    assert "sk-new" not in page
    assert Profile.objects.get().api_key() == "sk-new"

"""The form of profiles: rules on their fields, keys that go in and never out."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Profile
from tests.teams import build
from tests.teams.admin import pages


@pytest.fixture
def keyed(db: None) -> Profile:
    return build.keyed_profile()


def test_a_profile_is_made(office: Client, administrator: User) -> None:
    response = pages.post(
        office,
        pages.add_url("profile"),
        name="LOCAL",
        base_url="http://localhost:8080/v1",
        model="small",
        new_key="sk-first",
        parameters='{"temperature": 0}',
        input_price="0.15",
    )
    assert pages.saved(response)
    profile = Profile.objects.get()
    assert (profile.name, profile.base_url) == ("LOCAL", "http://localhost:8080/v1")
    assert profile.api_key() == "sk-first"
    assert profile.parameters == {"temperature": 0}
    assert str(profile.input_price) == "0.150000"
    assert profile.created_by == administrator


def test_the_rules_speak_on_their_fields(office: Client) -> None:
    response = pages.post(
        office,
        pages.add_url("profile"),
        name="LOCAL",
        base_url="https://me:pw@models.example.com/v1",
        parameters='{"stream": true}',
    )
    assert pages.errors(response) == {
        "base_url": [
            "Leave user, password and query out of the address; use the API key."
        ],
        "model": ["Name the model, as its server calls it."],
        "parameters": ["Remove “stream”: each call sets it itself."],
    }
    assert not Profile.objects.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Enter a valid JSON."),
        ("[1]", "Give a JSON object, such as {}."),
        (
            '{"a": NaN}',
            "Remove what JSON cannot hold (NaN, Infinity, broken characters).",
        ),
    ],
)
def test_json_is_checked_on_its_field(
    text: str, message: str, office: Client, keyed: Profile
) -> None:
    response = pages.post(office, pages.change_url(keyed), parameters=text)
    assert pages.errors(response) == {"parameters": [message]}


def test_a_taken_name_is_told_on_the_name(office: Client, keyed: Profile) -> None:
    response = pages.post(
        office, pages.add_url("profile"), name="keyed", provider="rehearsal"
    )
    assert pages.errors(response) == {
        "name": ["The name “keyed” is taken: choose another one."]
    }


def test_the_key_is_kept_when_the_field_stays_empty(
    office: Client, keyed: Profile
) -> None:
    page = office.get(pages.change_url(keyed))
    assert b"A key is stored. Leave this empty to keep it." in page.content
    assert pages.saved(pages.post(office, pages.change_url(keyed), model="larger"))
    keyed.refresh_from_db()
    assert (keyed.model, keyed.api_key()) == ("larger", "sk-secret")


def test_the_key_is_replaced(office: Client, keyed: Profile) -> None:
    assert pages.saved(pages.post(office, pages.change_url(keyed), new_key="sk-new"))
    keyed.refresh_from_db()
    assert keyed.api_key() == "sk-new"


def test_the_key_is_removed(office: Client, keyed: Profile) -> None:
    assert pages.saved(pages.post(office, pages.change_url(keyed), remove_key="on"))
    keyed.refresh_from_db()
    assert keyed.has_key is False
    page = office.get(pages.change_url(keyed))
    assert b"No key is stored." in page.content
    assert b"remove_key" not in page.content


def test_a_key_is_not_given_and_removed_at_once(office: Client, keyed: Profile) -> None:
    response = pages.post(
        office, pages.change_url(keyed), new_key="sk-new", remove_key="on"
    )
    assert pages.errors(response) == {
        "remove_key": ["Either give a new key or remove the stored one."]
    }


def test_a_new_address_clears_the_key_and_says_so(
    office: Client, keyed: Profile
) -> None:
    url = pages.change_url(keyed)
    response = pages.post(office, url, base_url="https://other.example.com/v1")
    assert pages.saved(response)
    keyed.refresh_from_db()
    assert keyed.has_key is False
    assert "The stored key was removed: it belonged to the address before." in (
        pages.notices(office.get(url))
    )


def test_a_new_address_with_its_key_keeps_that_key(
    office: Client, keyed: Profile
) -> None:
    pages.post(
        office,
        pages.change_url(keyed),
        base_url="https://other.example.com/v1",
        new_key="sk-other",
    )
    keyed.refresh_from_db()
    assert keyed.api_key() == "sk-other"

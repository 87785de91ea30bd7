"""Profiles: the key is encrypted, bound to its address, and never shown again."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command

from supervisor_site.common.errors import FieldError, Invalid
from teams.models import Profile
from teams.services import definitions
from teams.services.describe import as_attributes
from tests.teams import build

pytestmark = pytest.mark.django_db


def refused(**attributes) -> list[FieldError]:
    given = {
        "name": "P",
        "provider": "openai",
        "base_url": "https://models.example.com/v1",
        "model": "large",
    }
    with pytest.raises(Invalid) as caught:
        definitions.create("profile", given | attributes, user=None)
    assert not Profile.objects.exists()
    return list(caught.value.errors)


def test_the_key_is_encrypted_and_only_its_presence_is_told() -> None:
    profile = build.keyed_profile(key="sk-secret")
    assert "sk-secret" not in profile.api_key_encrypted
    assert profile.api_key() == "sk-secret"
    attributes = as_attributes(profile)
    assert attributes["has_key"] is True
    assert "api_key" not in attributes
    assert "sk-secret" not in str(attributes)


def test_another_change_leaves_the_key() -> None:
    build.keyed_profile()
    definitions.update("profile", "KEYED", {"model": "small"}, user=None)
    assert Profile.objects.get(name="KEYED").api_key() == "sk-secret"


def test_a_new_address_never_gets_the_old_key() -> None:
    build.keyed_profile()
    definitions.update(
        "profile", "KEYED", {"base_url": "https://evil.example.com/v1"}, user=None
    )
    assert not Profile.objects.get(name="KEYED").has_key


def test_a_new_address_with_a_new_key_keeps_that_one() -> None:
    build.keyed_profile()
    definitions.update(
        "profile",
        "KEYED",
        {"base_url": "https://other.example.com/v1", "api_key": "sk-new"},
        user=None,
    )
    assert Profile.objects.get(name="KEYED").api_key() == "sk-new"


@pytest.mark.parametrize("nothing", ["", None])
def test_an_empty_key_takes_the_key_away(nothing: str | None) -> None:
    build.keyed_profile()
    definitions.update("profile", "KEYED", {"api_key": nothing}, user=None)
    assert not Profile.objects.get(name="KEYED").has_key


def test_the_environment_stores_no_key() -> None:
    assert refused(provider="env", base_url="", api_key="sk-x") == [
        FieldError("api_key", "Leave it out: this provider stores no key.")
    ]


def test_changing_to_the_environment_forgets_the_key() -> None:
    build.keyed_profile()
    definitions.update(
        "profile", "KEYED", {"provider": "env", "base_url": ""}, user=None
    )
    assert not Profile.objects.get(name="KEYED").has_key


@pytest.mark.parametrize(
    "address",
    [
        "models.example.com/v1",
        "ftp://models.example.com/",
        "https://user:pass@models.example.com/v1",
        "https://models.example.com/v1?key=1",
        "javascript:alert(1)",
        "http://[::1",
    ],
)
def test_an_address_that_cannot_be_called_is_refused(address: str) -> None:
    assert [error.field for error in refused(base_url=address)] == ["base_url"]


def test_without_an_address_it_is_the_openai_api() -> None:
    profile = build.profile(provider="openai", model="gpt-4o-mini", api_key="sk-1")
    assert (profile.base_url, profile.has_key) == ("", True)
    definitions.update(
        "profile", "MAIN", {"base_url": "https://other.example.com"}, user=None
    )
    assert not Profile.objects.get().has_key


def test_a_server_needs_a_model() -> None:
    (error,) = refused(model=" ")
    assert error == FieldError("model", "Name the model, as its server calls it.")


def test_what_a_call_sets_itself_is_no_parameter() -> None:
    errors = refused(parameters={"messages": [], "stream": False, "temperature": 0})
    assert [error.field for error in errors] == ["parameters", "parameters"]
    assert errors[0].message == "Remove “messages”: each call sets it itself."


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timeout", 0),
        ("timeout", "60"),
        ("timeout", True),
        ("timeout", 3601),
        ("max_retries", 11),
        ("max_retries", -1),
        ("input_price", "cheap"),
        ("input_price", -1),
        ("input_price", "NaN"),
        ("output_price", 12345678),
        ("provider", "azure"),
        ("parameters", []),
        ("parameters", {"a": float("nan")}),
        ("compat", "x"),
        ("compat", {"nonsense": True}),
        ("compat", {"stream": "no"}),
        ("model", "x" * 201),
        ("display_name", 5),
        ("enabled", "yes"),
        ("description", "a\x00b"),
    ],
)
def test_a_bad_value_is_refused_on_its_field(name: str, value) -> None:
    assert {error.field for error in refused(**{name: value})} == {name}


def test_prices_come_back_as_plain_numbers() -> None:
    profile = build.profile(input_price=0.15, output_price="10.50")
    found = as_attributes(Profile.objects.get(pk=profile.pk))
    assert (found["input_price"], found["output_price"]) == ("0.15", "10.5")


def test_keys_move_to_the_newest_encryption_key(settings, capsys) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [old]
    build.keyed_profile()
    settings.FIELD_ENCRYPTION_KEYS = [new, old]
    call_command("rotate_secrets")
    assert "1 secret" in capsys.readouterr().out
    settings.FIELD_ENCRYPTION_KEYS = [new]
    assert Profile.objects.get(name="KEYED").api_key() == "sk-secret"


def test_a_secret_that_cannot_be_read_is_named_and_the_rest_still_moves(
    settings, capsys
) -> None:
    lost, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [lost]
    build.keyed_profile("LOST")
    settings.FIELD_ENCRYPTION_KEYS = [new]
    build.keyed_profile("FINE")
    with pytest.raises(SystemExit) as caught:
        call_command("rotate_secrets")
    assert caught.value.code == 1
    assert "LOST" in capsys.readouterr().err
    assert Profile.objects.get(name="FINE").api_key() == "sk-secret"

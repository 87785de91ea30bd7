"""From a profile to a connection: base URL and key as they are now."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from teams.definition import ProfileDefinition
from teams.models import Profile
from teams.providers.connection import connection_for
from teams.providers.types import ModelFailure
from tests.support.model_calls import connection_to, start
from tests.support.scripted_model import text


def definition(profile: Profile, **fields: Any) -> ProfileDefinition:
    given = {
        "uid": profile.uid,
        "name": profile.name,
        "provider": profile.provider,
        "model": profile.model,
        "parameters": profile.parameters,
    }
    return ProfileDefinition(**{**given, **fields})


@pytest.fixture
def profile(db):
    made = Profile(name="P", model="m", base_url="http://127.0.0.1:9/v1")
    made.set_api_key("sk-one")
    made.save()
    return made


def code_of(profile: ProfileDefinition) -> tuple[str, Any]:
    with pytest.raises(ModelFailure) as failure:
        connection_for(profile)
    return failure.value.code, failure.value.params.get("reason")


def test_base_url_and_key_are_the_live_ones(profile):
    frozen = definition(profile, parameters={"temperature": 0})
    profile.base_url = "http://127.0.0.1:10/v1"
    profile.set_api_key("sk-two")
    profile.model = "other"
    profile.save()
    connection = connection_for(frozen)
    assert (connection.base_url, connection.api_key) == (
        "http://127.0.0.1:10/v1",
        "sk-two",
    )
    assert (connection.model, connection.parameters) == ("m", {"temperature": 0})
    assert "sk-two" not in repr(connection)


def test_without_a_base_url_it_is_openai(profile):
    profile.base_url = ""
    profile.save()
    assert connection_for(definition(profile)).base_url == "https://api.openai.com/v1"


def test_a_dropped_profile_still_serves_the_runs_that_use_it(profile):
    profile.dropped_at = timezone.now()
    profile.save()
    assert connection_for(definition(profile)).api_key == "sk-one"


def test_a_profile_that_is_gone_is_not_configured(profile):
    frozen = definition(profile)
    profile.delete()
    assert code_of(frozen) == ("model_not_configured", "profile_missing")


def test_a_key_that_cannot_be_read_any_more_is_not_configured(profile):
    profile.api_key_encrypted = "gAAAAA-not-ours"
    profile.save()
    assert code_of(definition(profile)) == ("model_not_configured", "key_unreadable")


def test_a_profile_without_a_model_is_not_configured(profile):
    assert code_of(definition(profile, model="")) == (
        "model_not_configured",
        "model_missing",
    )


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://elsewhere.example/v1", "unlisted"),
        ("http://169.254.169.254/latest", "unlisted"),
        ("http://user:pw@127.0.0.1/v1", "userinfo"),
        ("ftp://127.0.0.1/v1", "scheme"),
        ("http://api.openai.com/v1", "unlisted"),
    ],
)
def test_a_base_url_that_is_not_listed_is_refused(profile, url, reason):
    profile.base_url = url
    profile.save()
    assert code_of(definition(profile)) == ("model_host_not_allowed", reason)


def test_the_environment_without_server_and_key_means_rehearsal(profile):
    connection = connection_for(definition(profile, provider="env", model=""))
    assert (connection.provider, connection.base_url, connection.api_key) == (
        "rehearsal",
        "http://rehearsal.invalid/v1",
        "",
    )


def test_the_environment_names_server_key_and_model(profile, settings):
    settings.OPENAI_BASE_URL = "http://models.internal/v1"
    settings.OPENAI_API_KEY = "sk-env"
    settings.OPENAI_MODEL = "env-model"
    connection = connection_for(definition(profile, provider="env", model=""))
    assert (connection.base_url, connection.api_key, connection.model) == (
        "http://models.internal/v1",
        "sk-env",
        "env-model",
    )
    settings.OPENAI_API_KEY = ""
    assert connection_for(definition(profile, provider="env")).api_key == ""


def test_a_key_alone_means_openai(profile, settings):
    settings.OPENAI_API_KEY = "sk-env"
    connection = connection_for(definition(profile, provider="env", model=""))
    assert connection.base_url == "https://api.openai.com/v1"


def test_the_key_of_the_environment_goes_to_no_other_profile(profile, settings):
    settings.OPENAI_API_KEY = "sk-env"
    profile.set_api_key("")
    profile.save()
    assert connection_for(definition(profile)).api_key == ""


def test_nothing_of_the_environment_is_sent_to_a_server(scripted_model, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer x\nX-Own: y")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    scripted_model.add(text("a"), text("b"))
    start(connection_to(scripted_model, api_key="")).wait()
    start(connection_to(scripted_model, api_key="sk-profile")).wait()
    without, with_key = (request.headers for request in scripted_model.requests)
    assert "authorization" not in without
    assert with_key["authorization"] == "Bearer sk-profile"
    for headers in (without, with_key):
        assert not {"openai-organization", "openai-project", "x-own"} & set(headers)


def test_connections_are_not_shared_between_keys(scripted_model):
    scripted_model.add(text("a"), text("b"))
    for key in ("sk-1", "sk-2"):
        start(connection_to(scripted_model, api_key=key)).wait()
    assert scripted_model.connections == 2

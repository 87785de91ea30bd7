"""Trying a profile: one small real call, and whether its model calls functions."""

from __future__ import annotations

import pytest

from teams.models import Profile
from teams.providers.calls import test_profile as try_profile
from tests.support.scripted_model import calls, error, text


@pytest.fixture
def profile(db, scripted_model):
    made = Profile(name="P", model="m", base_url=scripted_model.base_url, timeout=5)
    made.set_api_key("sk-trial")
    made.save()
    return made


def test_a_model_that_calls_the_offered_function(scripted_model, profile):
    scripted_model.add(calls(("report_ready", {}), usage=(20, 4)))
    answer = try_profile(profile)
    assert answer["ok"]
    assert answer["called_tool"]
    assert answer["error"] is None
    assert (answer["model"], answer["rehearsal"]) == ("m", False)
    assert answer["usage"] == {"input_tokens": 20, "output_tokens": 4}
    assert 0 <= answer["first_token_ms"] <= answer["latency_ms"] < 5000
    [request] = scripted_model.requests
    assert request.tools == ["report_ready"]
    assert request.headers["authorization"] == "Bearer sk-trial"


def test_a_model_that_only_talks(scripted_model, profile):
    scripted_model.add(text("I am ready"))
    answer = try_profile(profile)
    assert (answer["ok"], answer["called_tool"]) == (True, False)
    assert answer["text"] == "I am ready"


def test_a_failure_is_told_at_once_without_retries(scripted_model, profile):
    profile.max_retries = 5
    scripted_model.add(error(503, "busy"))
    answer = try_profile(profile)
    assert not answer["ok"]
    assert answer["error"]["code"] == "model_server_error"
    assert answer["error"]["params"]["detail"] == "busy"


def test_a_host_that_is_not_listed(profile, settings):
    settings.TOOL_ALLOWED_HOSTS = []
    assert try_profile(profile)["error"]["code"] == "model_host_not_allowed"

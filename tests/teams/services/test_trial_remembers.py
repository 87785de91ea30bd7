"""A trial call finds out whether a model calls tools, and that is remembered (H0)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from teams.models import Profile
from teams.services.trials import try_profile
from tests.support.scripted_model import calls, error, text
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def profile(scripted_model: Any) -> Profile:
    return build.profile(
        "TRIED", provider="openai", model="m", base_url=scripted_model.base_url
    )


def known(profile: Profile) -> bool | None:
    found: bool | None = Profile.objects.get(pk=profile.pk).calls_tools
    return found


def test_what_the_model_did_is_remembered(
    scripted_model: Any, profile: Profile, administrator: User
) -> None:
    assert known(profile) is None
    scripted_model.add(calls(("report_ready", {})), text("I am ready"))
    try_profile("TRIED", user=administrator)
    assert known(profile) is True
    try_profile("TRIED", user=administrator)
    assert known(profile) is False


def test_a_failed_call_says_nothing(
    scripted_model: Any, profile: Profile, administrator: User
) -> None:
    Profile.objects.update(calls_tools=True)
    scripted_model.add(error(503, "busy"))
    assert not try_profile("TRIED", user=administrator)["ok"]
    assert known(profile) is True


def test_the_rehearsal_model_says_nothing_of_the_one_after_it(
    administrator: User,
) -> None:
    profile = build.profile("OFFLINE", provider="rehearsal")
    assert try_profile("OFFLINE", user=administrator)["ok"]
    assert known(profile) is None

"""People at their browsers, and runs that are begun but not worked on."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from conversations import dispatch
from conversations.models import Run
from teams.models import Team
from tests.conversations.factories import make_run_tree, make_team_version


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def alice(owner: User) -> Client:
    return browser_of(owner)


@pytest.fixture
def charlie(stranger: User) -> Client:
    return browser_of(stranger)


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked on: what is queued stays queued."""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)


@pytest.fixture
def team(db: None) -> Team:
    team = make_team_version().team
    team.display_name = "Support desk"
    team.starters = ["What plan is customer C-1001 on?", "Show the last payments"]
    team.save()
    return team


@pytest.fixture
def done_run(owner: User) -> Run:
    return make_run_tree(owner, "done")


@pytest.fixture
def waiting_run(owner: User) -> Run:
    return make_run_tree(owner, "waiting")


@pytest.fixture
def failed_run(owner: User) -> Run:
    return make_run_tree(owner, "failed")

"""``manage.py recover_runs``: work for which nobody is there any more."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from conversations import dispatch
from conversations.models import Run
from conversations.services.runs import start_run
from tests.support.scripted_model import ScriptedModel, text
from tests.support.teams import make_chief

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch, scripted_model: ScriptedModel) -> Run:
    """A run whose worker died before it took the first step."""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)
    user = User.objects.create_user("alice")
    run = start_run(user=user, prompt="Hello", team=make_chief(scripted_model.base_url))
    then = timezone.now() - timedelta(minutes=1)
    Run.objects.update(state="RUNNING", created_at=then, lease_until=then)
    return run


def recover() -> list[str]:
    said = StringIO()
    call_command("recover_runs", stdout=said)
    return said.getvalue().splitlines()


def test_a_run_whose_worker_died_is_worked_on_to_its_end(
    lost: Run, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(text("Hello, Alice."))

    assert recover() == [f"Taking up run {lost.pk}", "Runs taken up: 1"]

    lost.refresh_from_db()
    assert (lost.state, lost.answer) == ("SUCCEEDED", "Hello, Alice.")
    assert recover() == ["Runs taken up: 0"]


def test_a_run_that_somebody_holds_is_left_to_them(lost: Run) -> None:
    held = timezone.now() + timedelta(minutes=5)
    Run.objects.update(lease_until=held)

    assert recover() == ["Runs taken up: 0"]

    lost.refresh_from_db()
    assert (lost.state, lost.lease_until) == ("RUNNING", held)

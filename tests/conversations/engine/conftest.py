"""The office on a scripted model; runs are worked on in the test's own thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User

from conversations import dispatch
from conversations.engine import lease
from conversations.engine.loop import advance
from conversations.models import Conversation, Run
from conversations.services.runs import RunOptions, start_run
from teams.models import Team
from tests.conftest import make_user
from tests.support.scripted_model import Queue, ScriptedModel
from tests.support.teams import EFFECTS, GATE, make_circle, make_office

Ask = Callable[..., Run]


@pytest.fixture
def asker(transactional_db: None) -> User:
    return make_user("alice")


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    EFFECTS.clear()
    GATE.set()
    yield
    GATE.set()


@pytest.fixture(autouse=True)
def no_holders() -> Iterator[None]:
    """A test that "kills" a process leaves its holders behind."""
    yield
    lease._holders.clear()


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is picked up by itself: the test says when."""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)


@pytest.fixture
def office(transactional_db: None, scripted_model: ScriptedModel) -> Team:
    return make_office(scripted_model.base_url)


@pytest.fixture
def lead(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("lead", system="You lead the office.")


@pytest.fixture
def clerk(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("clerk", system="You are the clerk.")


@pytest.fixture
def post(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("post", system="You are the post.")


@pytest.fixture
def ask(asker: User, office: Team) -> Ask:
    """Ask the office and work until it pauses or ends."""

    def ask(
        prompt: str, conversation: Conversation | None = None, **options: object
    ) -> Run:
        run = start_run(
            user=asker,
            prompt=prompt,
            team=office,
            conversation=conversation,
            options=RunOptions(**options),  # type: ignore[arg-type]
        )
        return go_on(run)

    return ask


def go_on(run: Run) -> Run:
    advance(run.pk)
    return Run.objects.select_related(
        "conversation__team", "requested_by", "request"
    ).get(pk=run.pk)


@pytest.fixture
def circle(transactional_db: None, scripted_model: ScriptedModel) -> Team:
    return make_circle(scripted_model.base_url)


@pytest.fixture
def triage(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("triage", system="You are TRIAGE.")


@pytest.fixture
def orders(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("orders", system="You are ORDERS.")


@pytest.fixture
def refunds(scripted_model: ScriptedModel) -> Queue:
    return scripted_model.queue("refunds", system="You are REFUNDS.")

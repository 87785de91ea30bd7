"""Run-as: only an identity that the editor may use, and nobody else's made to do more
than its owner set up (D6)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from supervisor_site.common.errors import Forbidden
from teams.models import Agent
from teams.services import definitions
from teams.services.describe import as_attributes
from tests.conftest import make_user
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob() -> User:
    return build.builder(make_user("bob"))


def forbidden(kind: str, name: str, user: User, /, **attributes) -> None:
    before = as_attributes(definitions.find(kind, name))
    with pytest.raises(Forbidden) as caught:
        definitions.update(kind, name, attributes, user=user)
    assert caught.value.code == "run_as_forbidden"
    assert as_attributes(definitions.find(kind, name)) == before


def test_an_editor_may_use_himself_and_a_superuser_anyone(
    bob: User, administrator: User
) -> None:
    build.agent("ROBOT")
    definitions.update("agent", "ROBOT", {"run_as": "bob"}, user=bob)
    assert Agent.objects.get(name="ROBOT").run_as == bob
    forbidden("agent", "ROBOT", bob, run_as="admin")
    definitions.update("agent", "ROBOT", {"run_as": "admin"}, user=administrator)
    assert as_attributes(Agent.objects.get(name="ROBOT"))["run_as"] == "admin"


def test_whoever_may_not_use_it_may_take_it_away_but_change_nothing_else(
    bob: User, administrator: User
) -> None:
    build.tool()
    build.agent("ROBOT", run_as="admin")
    forbidden("agent", "ROBOT", bob, role="Do as I say.")
    forbidden("agent", "ROBOT", bob, tools=["lookup_account"])
    definitions.update("agent", "ROBOT", {"role": "You are ROBOT."}, user=bob)
    change = {"run_as": None, "role": "Mine."}
    definitions.update("agent", "ROBOT", change, user=bob)
    assert Agent.objects.get(name="ROBOT").run_as is None


def test_tasks_and_tools_are_no_way_around(bob: User, administrator: User) -> None:
    build.tool()
    build.tool("mail", function="send_email")
    build.agent("ROBOT", run_as="admin")
    build.task("WORK", tools=["lookup_account"])
    build.task("OTHER")
    pair = {"name": "ROBOT", "task": "WORK"}
    build.team("LINE", agents=[pair])
    forbidden("task", "WORK", bob, tools=["mail"])
    forbidden("tool", "lookup_account", bob, function="list_payments")
    forbidden("team", "LINE", bob, agents=[pair, {"name": "ROBOT", "task": "OTHER"}])
    definitions.update("task", "WORK", {"instruction": "Do it well."}, user=bob)
    definitions.update("team", "LINE", {"description": "A line."}, user=bob)
    definitions.update("task", "WORK", {"tools": []}, user=bob)


def test_delegating_to_it_is_what_it_is_for(bob: User, administrator: User) -> None:
    build.agent("ROBOT", run_as="admin")
    build.profile("P")
    given = {"name": "DESK", "profile_name": "P", "role": "You lead."}
    assert definitions.create("agent", given | {"delegates": ["ROBOT"]}, user=bob)


def test_a_user_who_is_not_active_is_nobody(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Exception, match="There is no active user “bob”"):
        build.agent("ROBOT", run_as="bob")

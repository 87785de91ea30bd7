"""A start sees at once that anything its team is made of has changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from supervisor_site.common.errors import Invalid
from teams.models import Agent, HandoffRule, Profile, Task, Team, TeamMember, Tool
from teams.services.versions import version_for
from tests.teams import build

pytestmark = pytest.mark.django_db(transaction=True)


def counter() -> Team:
    """CLERK hands to DESK, has the delegate SCOUT, and SCOUT the delegate SCOUT_2."""
    build.tool()
    build.tool("list_payments", function="list_payments")
    build.agent("SCOUT_2")
    build.agent("SCOUT", delegates=["SCOUT_2"])
    build.agent("CLERK", delegates=["SCOUT"], tools=["lookup_account"])
    build.agent("DESK")
    build.task("LOOK_UP", tools=["list_payments"])
    return build.team(
        "COUNTER",
        start_agent="CLERK",
        agents=[{"name": "CLERK", "task": "LOOK_UP"}, {"name": "DESK"}],
        handoffs=[{"from": "CLERK", "to": "DESK", "description": "For papers."}],
    )


def agent(name: str) -> Agent:
    found = Agent.objects.get(name=name)
    assert isinstance(found, Agent)
    return found


# Past all services, as a shell or another program would: none touches ``updated_at``.
CHANGES: dict[str, Callable[[], object]] = {
    "the team": lambda: Team.objects.update(return_to="start"),
    "an agent": lambda: Agent.objects.filter(name="DESK").update(role="New."),
    "a delegate": lambda: Agent.objects.filter(name="SCOUT").update(role="New."),
    "its delegate": lambda: Agent.objects.filter(name="SCOUT_2").update(role="New."),
    "a task": lambda: Task.objects.update(instruction="New."),
    "an agent's tool": lambda: Tool.objects.filter(name="lookup_account").update(
        description="New."
    ),
    "a task's tool": lambda: Tool.objects.filter(name="list_payments").update(
        description="New."
    ),
    "a profile": lambda: Profile.objects.update(model="new"),
    "a rule": lambda: HandoffRule.objects.update(description="New."),
    "the order": lambda: TeamMember.objects.filter(agent__name="CLERK").update(
        position=9
    ),
    "a tool taken away": lambda: agent("CLERK").tools.set([]),
    "a task's tool taken away": lambda: Task.objects.get().tools.set([]),
    "a delegate taken away": lambda: agent("CLERK").delegates.set([]),
    "a delegate's delegate taken away": lambda: agent("SCOUT").delegates.set([]),
    "a member taken away": lambda: TeamMember.objects.filter(
        agent__name="CLERK"
    ).update(task=None),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_this_is_in_the_next_version(what: str) -> None:
    team = counter()
    first = version_for(team)
    assert version_for(team) is first
    CHANGES[what]()
    second = version_for(team)
    assert (second.number, second.digest == first.digest) == (2, False)


def test_a_team_that_was_led_by_another_is_read_anew() -> None:
    """Whatever the caller's object has loaded before."""
    team = build.desk()
    assert team.supervisor_agent is not None
    version_for(team)
    Agent.objects.filter(name="LEADER").update(role="New.")
    leader = version_for(team).definition["supervisor"]
    assert version_for(team).definition["agents"][leader]["role"] == "New."


def test_an_unchanged_team_is_neither_read_as_objects_nor_written() -> None:
    team = counter()
    version_for(team)
    with CaptureQueriesContext(connection) as queries:
        version_for(team)
    assert len(queries) == 7
    assert not [query for query in queries if "teamversion" in query["sql"].lower()]


def test_a_team_broken_meanwhile_is_refused() -> None:
    team = build.desk()
    version_for(team)
    Agent.objects.filter(name="LEADER").update(supervisor=False)
    with pytest.raises(Invalid):
        version_for(team)


def test_a_version_that_was_rolled_back_is_not_remembered() -> None:
    team = build.desk()
    with transaction.atomic():
        version_for(team)
        transaction.set_rollback(True)
    version = version_for(team)
    assert team.versions.get() == version

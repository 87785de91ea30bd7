"""What a supervised team may not be (S3), through the service that saves it."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor_site.common.errors import FieldError, Invalid
from teams.models import Agent, Team
from teams.services import definitions
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def parts(db: None) -> None:
    build.agent("LEADER", supervisor=True)
    build.agent("SECOND_LEADER", supervisor=True)
    build.agent("PLAIN")
    build.agent("WORKER")
    build.task("WORK")
    build.task("OTHER_WORK")


def refused(**attributes: Any) -> list[FieldError]:
    given = {
        "name": "DESK",
        "supervisor_agent": "LEADER",
        "agents": [{"name": "WORKER", "task": "WORK"}],
    }
    with pytest.raises(Invalid) as caught:
        definitions.create("team", given | attributes, user=None)
    assert not Team.objects.exists()
    return list(caught.value.errors)


def test_a_sound_team_is_saved_with_its_pattern_and_pairs_in_order() -> None:
    team = build.team(
        "DESK",
        supervisor_agent="LEADER",
        agents=[
            {"name": "WORKER", "task": "WORK"},
            {"name": "WORKER", "task": "OTHER_WORK"},
            {"name": "PLAIN", "task": "WORK"},
        ],
    )
    assert (team.pattern, team.process) == ("supervisor", "sequential")
    assert [str(member) for member in team.members.all()] == [
        "WORKER/WORK",
        "WORKER/OTHER_WORK",
        "PLAIN/WORK",
    ]


def test_a_supervisor_without_the_flag_is_refused() -> None:
    assert refused(supervisor_agent="PLAIN") == [
        FieldError(
            "supervisor_agent",
            "“PLAIN” cannot lead a team: set supervisor to true on that agent, or "
            "name another one.",
        )
    ]


def test_the_supervisor_cannot_work_in_its_own_team() -> None:
    (error,) = refused(
        agents=[
            {"name": "WORKER", "task": "WORK"},
            {"name": "LEADER", "task": "WORK"},
        ]
    )
    assert error.field == "agents.1.name"
    assert error.message.startswith("“LEADER” leads this team and cannot work in it")


def test_a_team_without_workers_is_refused() -> None:
    assert refused(agents=[]) == [
        FieldError(
            "agents",
            "Add at least one agent with a task for the supervisor to delegate to.",
        )
    ]


def test_a_worker_needs_a_task() -> None:
    (error,) = refused(agents=[{"name": "WORKER"}])
    assert error.field == "agents.0.task"
    assert error.message.startswith("Give “WORKER” a task")


def test_tools_in_an_entry_are_refused_with_the_place_where_they_belong() -> None:
    assert refused(
        agents=[{"name": "WORKER", "task": "WORK", "tools": ["lookup_account"]}]
    ) == [
        FieldError(
            "agents.0.tools",
            "Tools sit on tasks, never on the team: name them in the task's tools.",
        )
    ]


def test_tools_on_the_team_are_refused_by_name() -> None:
    (error,) = refused(tools=["lookup_account"])
    assert error.field == "tools"
    assert "“tools” is not known here: take it out." in error.message


def test_two_supervisors_are_refused() -> None:
    assert refused(supervisor_agent=["LEADER", "SECOND_LEADER"]) == [
        FieldError(
            "supervisor_agent",
            "A team has exactly one supervisor: give one agent's name.",
        )
    ]


def test_the_same_pair_twice_is_refused_at_the_second_place() -> None:
    pair = {"name": "WORKER", "task": "WORK"}
    (error,) = refused(agents=[pair, {"name": "PLAIN", "task": "WORK"}, dict(pair)])
    assert error.field == "agents.2.task"
    assert error.message == (
        "“WORKER/WORK” is in the team already: remove one of the two."
    )


def test_unknown_names_are_refused_each_at_its_place() -> None:
    errors = refused(
        supervisor_agent="NOBODY",
        agents=[{"name": "NOWHERE", "task": "WORK"}, {"name": "WORKER", "task": "X"}],
    )
    assert [error.field for error in errors] == [
        "supervisor_agent",
        "agents.0.name",
        "agents.1.task",
    ]
    assert errors[1].message == (
        "There is no agent “NOWHERE”: make it first, or take it out."
    )


def test_a_pair_that_names_a_team_is_refused_as_such() -> None:
    build.team("INNER", agents=[{"name": "WORKER"}])
    with pytest.raises(Invalid) as caught:
        build.team(
            "OUTER",
            supervisor_agent="LEADER",
            agents=[{"name": "inner", "task": "WORK"}],
        )
    (error,) = caught.value.errors
    assert error.field == "agents.0.name"
    assert error.message == (
        "“inner” is a team, and no team works in another one: name agents."
    )


@pytest.mark.parametrize("process", ["parallel", "hierarchical", ""])
def test_another_process_is_refused(process: str) -> None:
    (error,) = refused(process=process)
    assert error.field == "process"


def test_the_supervisor_pattern_needs_a_supervisor() -> None:
    (error,) = refused(supervisor_agent=None, pattern="supervisor")
    assert error.field == "supervisor_agent"


def test_an_entry_that_is_no_object_is_refused() -> None:
    (error,) = refused(agents=["WORKER"])
    assert error == FieldError("agents.0", "Give an object with a name and a task.")


def test_names_are_found_in_any_case_and_compatibility_form() -> None:
    team = build.team(
        "desk",
        supervisor_agent="leader",
        agents=[{"name": "ｗｏｒｋｅｒ", "task": "Work"}],
    )
    assert str(team.members.get()) == "WORKER/WORK"


def test_a_dropped_agent_is_unknown_to_new_teams() -> None:
    definitions.drop("agent", "WORKER", user=None)
    assert Agent.objects.filter(name="WORKER").exists()
    (error,) = refused()
    assert error.field == "agents.0.name"


def test_a_supervising_agent_may_work_in_another_team() -> None:
    build.team(
        "DESK", supervisor_agent="LEADER", agents=[{"name": "WORKER", "task": "WORK"}]
    )
    other = build.team(
        "OTHER",
        supervisor_agent="SECOND_LEADER",
        agents=[{"name": "LEADER", "task": "WORK"}],
    )
    assert str(other.members.get()) == "LEADER/WORK"

"""Teams of fixed order, and an agent alone (S12)."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Invalid
from teams.services import definitions
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def parts(db: None) -> None:
    build.agent("WRITER")
    build.agent("EDITOR")
    build.task("DRAFT")
    build.task("MEND")


def test_pairs_keep_their_order_and_may_repeat() -> None:
    team = build.team(
        "PRESS",
        agents=[
            {"name": "WRITER", "task": "DRAFT"},
            {"name": "EDITOR", "task": "MEND"},
            {"name": "WRITER", "task": "DRAFT"},
        ],
    )
    assert team.pattern == "sequential"
    assert [str(member) for member in team.members.all()] == [
        "WRITER/DRAFT",
        "EDITOR/MEND",
        "WRITER/DRAFT",
    ]


def test_an_agent_alone_needs_no_task() -> None:
    team = build.team("ALONE", agents=[{"name": "WRITER"}])
    assert str(team.members.get()) == "WRITER"


def test_in_company_every_agent_needs_a_task() -> None:
    with pytest.raises(Invalid) as caught:
        build.team(
            "PRESS", agents=[{"name": "WRITER"}, {"name": "EDITOR", "task": "MEND"}]
        )
    (error,) = caught.value.errors
    assert error.field == "agents.0.task"
    assert error.message == (
        "Give “WRITER” a task: only an agent that is alone in its team can be without."
    )


def test_an_empty_team_is_refused() -> None:
    with pytest.raises(Invalid) as caught:
        build.team("PRESS", agents=[])
    assert [error.field for error in caught.value.errors] == ["agents"]


def test_a_supervisor_does_not_fit_the_fixed_order() -> None:
    build.agent("LEADER", supervisor=True)
    with pytest.raises(Invalid) as caught:
        build.team(
            "PRESS",
            pattern="sequential",
            supervisor_agent="LEADER",
            agents=[{"name": "WRITER", "task": "DRAFT"}],
        )
    assert [error.field for error in caught.value.errors] == ["supervisor_agent"]


def test_taking_the_supervisor_out_makes_it_sequential() -> None:
    build.agent("LEADER", supervisor=True)
    build.team(
        "PRESS",
        supervisor_agent="LEADER",
        agents=[{"name": "WRITER", "task": "DRAFT"}],
    )
    team = definitions.update("team", "press", {"supervisor_agent": None}, user=None)
    assert team.pattern == "sequential"  # type: ignore[attr-defined]

"""A step may take the result of a named earlier one: no circle, no self (S12)."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Conflict, Invalid
from teams.services import definitions
from teams.services.describe import as_attributes
from teams.services.versions import build_definition
from tests.teams import build

pytestmark = pytest.mark.django_db


def refused(name: str, given: str) -> list[str]:
    with pytest.raises(Invalid) as caught:
        definitions.update("task", name, {"input": given}, user=None)
    return [error.field for error in caught.value.errors]


def test_a_task_takes_an_earlier_one() -> None:
    first = build.task("FIRST")
    second = build.task("SECOND", input="first")
    assert as_attributes(second)["input"] == "FIRST"
    build.agent("A")
    line = [{"name": "A", "task": name} for name in ("FIRST", "FIRST", "SECOND")]
    frozen = build_definition(build.team("LINE", agents=line))
    assert frozen.tasks[second.uid].input == first.uid


def test_neither_itself_nor_a_circle_nor_a_stranger() -> None:
    build.task("FIRST")
    build.task("SECOND", input="FIRST")
    build.task("THIRD", input="SECOND")
    assert refused("FIRST", "FIRST") == ["input"]
    assert refused("FIRST", "THIRD") == ["input"]
    assert refused("FIRST", "NOTHING") == ["input"]
    definitions.update("task", "THIRD", {"input": None}, user=None)
    definitions.update("task", "FIRST", {"input": "THIRD"}, user=None)


def test_it_stands_earlier_in_the_team() -> None:
    build.task("FIRST")
    build.task("SECOND", input="FIRST")
    build.agent("A")
    line = [{"name": "A", "task": "SECOND"}, {"name": "A", "task": "FIRST"}]
    with pytest.raises(Invalid) as caught:
        build.team("LINE", agents=line)
    assert [error.field for error in caught.value.errors] == ["agents.0.task"]


def test_a_task_that_feeds_another_is_not_dropped() -> None:
    build.task("FIRST")
    build.task("SECOND", input="FIRST")
    with pytest.raises(Conflict) as caught:
        definitions.drop("task", "FIRST", user=None)
    assert caught.value.extra["used_by"] == [{"kind": "task", "name": "SECOND"}]

"""Delegates: whom an agent may name, and what each name must be unlike (D1, D2)."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Conflict, FieldError, Invalid
from teams.models import Agent
from teams.services import definitions
from teams.services.describe import as_attributes
from teams.services.versions import build_definition, version_for
from tests.teams import build

pytestmark = pytest.mark.django_db


def refused(kind: str, name: str, /, **attributes) -> list[FieldError]:
    before = as_attributes(definitions.find(kind, name))
    with pytest.raises(Invalid) as caught:
        definitions.update(kind, name, attributes, user=None)
    assert as_attributes(definitions.find(kind, name)) == before
    return list(caught.value.errors)


def test_a_delegate_must_exist() -> None:
    build.agent("DESK")
    assert refused("agent", "DESK", delegates=["NOBODY"]) == [
        FieldError(
            "delegates.0",
            "There is no agent “NOBODY”: make it first, or take it out.",
        )
    ]


def test_an_agent_may_delegate_to_itself_and_in_circles() -> None:
    build.agent("ONE")
    build.agent("TWO", delegates=["ONE"])
    definitions.update("agent", "ONE", {"delegates": ["ONE", "TWO"]}, user=None)
    assert as_attributes(Agent.objects.get(name="ONE"))["delegates"] == ["ONE", "TWO"]


def test_a_delegate_is_not_called_like_an_own_tool() -> None:
    build.tool("lookup")
    build.agent("LOOKUP")
    build.agent("DESK", tools=["lookup"])
    (error,) = refused("agent", "DESK", delegates=["LOOKUP"])
    assert error == FieldError(
        "delegates",
        "“DESK” would be offered the delegate “LOOKUP” beside “lookup”, under one "
        "name: rename one of the two, or take it out.",
    )


@pytest.mark.parametrize("name", ["ask_human", "Delegate_To_Worker", "handoff_to_x"])
def test_a_delegate_is_not_called_like_the_product_s_own(name: str) -> None:
    build.agent(name)
    build.agent("DESK")
    assert [e.field for e in refused("agent", "DESK", delegates=[name])] == [
        "delegates"
    ]


def test_names_of_other_scripts_get_numbers_instead() -> None:
    build.tool("订单")
    build.agent("退款")
    build.agent("库存")
    build.agent("DESK", tools=["订单"], delegates=["退款", "库存"])
    frozen = build_definition(build.team("SOLO", agents=[{"name": "DESK"}]))
    names = [agent.function_name for agent in frozen.agents.values()]
    names += [tool.function_name for tool in frozen.tools.values()]
    assert len(set(names)) == len(names) == 4


def pair() -> None:
    build.tool("lookup")
    build.tool("count")
    build.agent("LOOKUP")
    build.agent("DESK", delegates=["LOOKUP"])
    build.task("WORK", tools=["count"])


def test_a_team_does_not_bring_a_delegate_and_a_tool_of_one_name_together() -> None:
    pair()
    definitions.update("task", "WORK", {"tools": ["lookup"]}, user=None)
    with pytest.raises(Invalid) as caught:
        build.team("LINE", agents=[{"name": "DESK", "task": "WORK"}])
    assert [error.field for error in caught.value.errors] == ["agents"]


def test_an_edit_elsewhere_does_not_either() -> None:
    pair()
    build.team("LINE", agents=[{"name": "DESK", "task": "WORK"}])
    assert [e.field for e in refused("task", "WORK", tools=["lookup"])] == ["tools"]


def test_nor_does_a_new_name() -> None:
    pair()
    build.team("LINE", agents=[{"name": "DESK", "task": "WORK"}])
    definitions.drop("tool", "lookup", user=None)
    assert [e.field for e in refused("tool", "count", name="lookup")] == ["name"]
    assert [e.field for e in refused("agent", "LOOKUP", name="Count")] == ["name"]


def test_a_run_does_not_start_where_rows_were_changed_behind_our_back() -> None:
    pair()
    team = build.team("LINE", agents=[{"name": "DESK", "task": "WORK"}])
    Agent.objects.filter(name="LOOKUP").update(name="count")
    with pytest.raises(Invalid) as caught:
        version_for(team)
    assert caught.value.code == "team_broken"


def test_a_delegate_is_not_dropped_while_somebody_needs_it() -> None:
    build.agent("HELPER")
    definitions.update("agent", "HELPER", {"delegates": ["HELPER"]}, user=None)
    build.agent("DESK", delegates=["HELPER"])
    with pytest.raises(Conflict) as caught:
        definitions.drop("agent", "HELPER", user=None)
    assert caught.value.extra["used_by"] == [{"kind": "agent", "name": "DESK"}]
    definitions.update("agent", "DESK", {"delegates": []}, user=None)
    assert definitions.drop("agent", "HELPER", user=None)


def test_a_delegate_s_delegates_are_frozen_with_it() -> None:
    build.tool("lookup")
    build.agent("DEEP", tools=["lookup"])
    build.agent("MIDDLE", delegates=["DEEP"])
    build.agent("TOP", delegates=["MIDDLE"], input_token_budget=5)
    frozen = build_definition(build.team("SOLO", agents=[{"name": "TOP"}]))
    assert {agent.name for agent in frozen.agents.values()} == {"TOP", "MIDDLE", "DEEP"}
    assert [tool.name for tool in frozen.tools.values()] == ["lookup"]


def test_a_model_known_not_to_call_tools_does_not_delegate() -> None:
    build.profile("DEAF", calls_tools=False)
    build.agent("HELPER")
    with pytest.raises(Invalid) as caught:
        build.agent("DESK", profile_name="DEAF", delegates=["HELPER"])
    assert [error.field for error in caught.value.errors] == ["profile_name"]
    build.agent("DESK", delegates=["HELPER"])
    (error,) = refused("agent", "DESK", profile_name="DEAF")
    assert error.message.startswith("The profile “DEAF” of “DESK” is known not to")

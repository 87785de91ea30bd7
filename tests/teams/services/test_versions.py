"""Versions: one for each content, frozen, without secrets, made once."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from teams.models import Team, TeamVersion, Tool
from teams.services import definitions
from teams.services.versions import build_definition, definition_of, version_for
from tests.teams import build


@pytest.mark.django_db
def test_the_same_content_has_one_version() -> None:
    team = build.desk()
    first, second = version_for(team), version_for(team)
    assert (first.pk, first.number) == (second.pk, 1)


@pytest.mark.django_db
def test_a_change_of_any_part_makes_the_next_number_and_going_back_the_first() -> None:
    team = build.desk()
    first = version_for(team)
    definitions.update("task", "LOOK_UP", {"instruction": "Look it up."}, user=None)
    second = version_for(Team.objects.get(pk=team.pk))
    assert second.number == 2
    assert definition_of(first.pk) != definition_of(second.pk)
    definitions.update(
        "task", "LOOK_UP", {"instruction": "Do LOOK_UP: {query}"}, user=None
    )
    assert version_for(Team.objects.get(pk=team.pk)) == first


@pytest.mark.django_db
def test_what_is_only_a_switch_or_a_right_makes_no_version() -> None:
    team = build.desk()
    first = version_for(team)
    definitions.set_enabled("agent", "ACCOUNTS", False, user=None)
    definitions.update("team", "DESK", {"access": {"everyone": False}}, user=None)
    assert version_for(Team.objects.get(pk=team.pk)) == first


@pytest.mark.django_db
def test_the_frozen_team_holds_all_it_needs() -> None:
    frozen = build_definition(build.desk())
    (member,) = frozen.members
    (tool,) = frozen.tools_of(member.agent, member.task)
    assert frozen.label(member) == "ACCOUNTS/LOOK_UP"
    assert frozen.supervisor is not None
    assert frozen.agents[frozen.supervisor].name == "LEADER"
    assert (tool.name, tool.function_name) == ("lookup_account", "lookup_account")
    assert list(tool.parameters["properties"]) == ["customer_id"]
    assert tool.description.startswith("Look up a customer's account")
    assert [each.name for each in frozen.profiles.values()] == ["MAIN"]


@pytest.mark.django_db
def test_neither_key_nor_address_is_in_a_version() -> None:
    build.keyed_profile(key="sk-very-secret")
    build.agent("ALONE", profile_name="KEYED")
    version = version_for(build.team("SOLO", agents=[{"name": "ALONE"}]))
    stored = str(version.definition)
    assert "sk-very-secret" not in stored
    assert "models.example.com" not in stored


@pytest.mark.django_db
def test_function_names_are_ascii_unique_and_never_reserved() -> None:
    names = [
        "退款",
        "订单",
        "ask_human",
        "Handoff_to_boss",
        "é-mail",
        "delegate_to_worker",
    ]
    for name in names:
        build.tool(name)
    build.agent("ALONE", tools=names)
    frozen = build_definition(build.team("SOLO", agents=[{"name": "ALONE"}]))
    derived = {tool.name: tool.function_name for tool in frozen.tools.values()}
    assert derived == {
        "退款": "tool_2",
        "订单": "tool",
        "ask_human": "tool_ask_human",
        "Handoff_to_boss": "tool_Handoff_to_boss",
        "é-mail": "e_-mail",
        "delegate_to_worker": "tool_delegate_to_worker",
    }


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_make_one_version() -> None:
    team = build.desk()
    barrier = threading.Barrier(4)
    found: list[int] = []
    errors: list[Exception] = []

    def start() -> None:
        try:
            mine = Team.objects.get(pk=team.pk)
            barrier.wait(timeout=10)
            found.append(version_for(mine).pk)
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert errors == []
    assert found == [TeamVersion.objects.get().pk] * 4


@pytest.mark.django_db(transaction=True)
def test_the_loser_of_a_race_takes_the_winners_version(monkeypatch) -> None:
    """The other writer comes between the look and the insert, on purpose."""
    from teams.services import versions

    team = build.desk()
    insert = versions._new_version
    attempts: list[int] = []

    def late(*given):
        attempts.append(1)
        if len(attempts) == 1:
            insert(*given)
        return insert(*given)

    monkeypatch.setattr(versions, "_new_version", late)
    version = version_for(team)
    assert version == TeamVersion.objects.get()
    assert len(attempts) == 1


@pytest.mark.django_db
def test_a_tool_whose_function_is_gone_stops_the_start() -> None:
    team = build.desk()
    Tool.objects.update(function="gone")
    from supervisor_site.common.errors import Invalid

    with pytest.raises(Invalid) as caught:
        version_for(team)
    (error,) = caught.value.errors
    assert error.field == "tools.lookup_account"
    assert error.message.startswith("lookup_account: No function “gone” is registered")

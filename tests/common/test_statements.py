"""Prepared inserts and updates write what the ORM would write."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, connection
from django.forms import model_to_dict
from django.test.utils import CaptureQueriesContext

from supervisor_site.common import statements
from supervisor_site.common.statements import insert_rows, update_row, update_where
from teams.models import Profile, Tool

pytestmark = pytest.mark.django_db


def tools(count: int) -> list[Tool]:
    return [
        Tool(
            name=f"tool_{number}",
            name_key=f"tool_{number}",
            description="退款 'quoted' 100%",
            tool_params={"number": number, "nothing": None},
        )
        for number in range(count)
    ]


def test_rows_are_read_back_as_they_were() -> None:
    row = tools(1)[0]

    insert_rows([row])

    stored = Tool.objects.get(uid=row.uid)
    assert stored.description == "退款 'quoted' 100%"
    assert stored.tool_params == {"number": 0, "nothing": None}
    assert stored.created_at is not None
    made = Tool(name="other", name_key="other", tool_params={"number": 0})
    made.save()
    same = {"id", "name", "description", "tool_params"}
    kept = {k: v for k, v in model_to_dict(stored).items() if k not in same}
    assert kept == {k: v for k, v in model_to_dict(made).items() if k not in same}


def test_inserted_rows_count_as_saved() -> None:
    row = tools(1)[0]

    insert_rows([row])

    assert row._state.adding is False
    assert row._state.db == "default"


def test_no_rows_ask_no_database() -> None:
    with CaptureQueriesContext(connection) as queries:
        insert_rows([])

    assert len(queries) == 0


def test_many_rows_go_in_as_many_statements_as_their_values_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statements, "VALUES_AT_MOST", 60)

    with CaptureQueriesContext(connection) as queries:
        insert_rows(tools(10))

    assert Tool.objects.count() == 10
    assert 1 < len(queries) < 10


def test_a_broken_constraint_is_the_databases_to_refuse() -> None:
    insert_rows(tools(1))

    with pytest.raises(IntegrityError):
        insert_rows(tools(1))


def test_an_update_writes_the_named_fields_only() -> None:
    row = tools(1)[0]
    insert_rows([row])
    stored = Tool.objects.get(uid=row.uid)
    stored.tool_params, stored.description = {"a": [1]}, "new"

    update_row(stored, {"tool_params"})

    stored.refresh_from_db()
    assert stored.tool_params == {"a": [1]}
    assert stored.description == "退款 'quoted' 100%"


def test_an_update_says_how_many_rows_it_met() -> None:
    insert_rows(tools(2))

    assert update_where(Tool, {"enabled": False}, {"name": "tool_0"}) == 1
    assert update_where(Tool, {"enabled": False}, {"uid": uuid4()}) == 0
    assert list(Tool.objects.filter(enabled=False).values_list("name")) == [("tool_0",)]


def test_a_related_row_may_stand_for_its_key() -> None:
    profile = Profile.objects.create(name="MINE", name_key="mine")
    from teams.models import Agent

    agent = Agent.objects.create(name="A", name_key="a", role="r", profile=profile)
    other = Profile.objects.create(name="OTHER", name_key="other")
    agent.profile = other

    update_row(agent, ["profile"])

    assert Agent.objects.get().profile == other


def test_a_default_of_the_database_is_the_models_as_well() -> None:
    # A row that is inserted with a statement of ours must hold a value of its own.
    ours = [m for m in apps.get_models() if m.__module__.startswith("conversations")]
    fields = [f for model in ours for f in model._meta.concrete_fields]

    lacking = [str(f) for f in fields if f.has_db_default() and not f.has_default()]

    assert lacking == []

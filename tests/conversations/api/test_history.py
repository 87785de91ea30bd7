"""``/history/task-runs`` and ``/history/tool-calls``."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from conversations.models import Run
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import E_MAIL, make_run_tree

pytestmark = pytest.mark.django_db
PATHS = pytest.mark.parametrize("path", ["/history/task-runs", "/history/tool-calls"])


@pytest.fixture
def run(owner: User) -> Run:
    return make_run_tree(owner, "sent")


def items(api: Api, path: str) -> list[dict[str, object]]:
    got = api.get(path).json()
    assert got["count"] == len(got["items"])
    found: list[dict[str, object]] = got["items"]
    return found


def test_task_runs_newest_first(api: Api, run: Run) -> None:
    got = items(api, "/history/task-runs")
    assert [row["agent"] for row in got] == [
        "NOTIFICATION_AGENT",
        "PAYMENT_AGENT",
        "ACCOUNT_AGENT",
        "SUPPORT_SUPERVISOR",
    ]
    traced = api.get(f"/runs/{run.pk}/trace").json()["task_runs"]
    for row, full in zip(reversed(got), traced, strict=True):
        assert row == {name: full[name] for name in row}


def test_task_runs_by_filter(api: Api, owner: User, run: Run) -> None:
    other = make_run_tree(owner, "failed")
    base = "/history/task-runs"
    assert len(items(api, base)) == 6
    assert len(items(api, f"{base}?run_id={other.pk}")) == 2
    assert len(items(api, f"{base}?agent=ACCOUNT_AGENT")) == 2
    assert len(items(api, f"{base}?task=PAYMENT_LOOKUP_TASK")) == 1
    assert len(items(api, f"{base}?state=FAILED")) == 2
    assert len(items(api, f"{base}?team=SUPPORT_TEAM&user=alice")) == 6
    assert items(api, f"{base}?user=charlie") == []


def test_tool_calls_newest_first(api: Api, run: Run) -> None:
    got = items(api, "/history/tool-calls?kind=function")
    assert [row["tool"] for row in got] == [
        "send_email",
        "list_payments",
        "lookup_account",
    ]
    assert got[0]["arguments"] == E_MAIL
    assert got[0]["approved"] is True


def test_tool_calls_by_filter(api: Api, owner: User, run: Run) -> None:
    other = make_run_tree(owner, "failed")
    base = "/history/tool-calls"
    assert len(items(api, base)) == 8
    assert len(items(api, f"{base}?run_id={other.pk}")) == 2
    assert len(items(api, f"{base}?tool=lookup_account")) == 2
    assert len(items(api, f"{base}?tool=lookup_account&state=FAILED")) == 1
    assert len(items(api, f"{base}?agent=SUPPORT_SUPERVISOR&kind=delegate")) == 4
    assert items(api, f"{base}?from=2099-01-01T00:00:00Z") == []


@PATHS
def test_others_see_nothing(
    stranger_api: Api, anonymous: Api, admin_api: Api, run: Run, path: str
) -> None:
    assert items(stranger_api, path) == []
    assert items(stranger_api, f"{path}?run_id={run.pk}") == []
    assert len(items(admin_api, path)) > 0
    assert_problem(anonymous.get(path), 401, "not_authenticated")


@PATHS
def test_a_wrong_filter_is_named(api: Api, path: str) -> None:
    problem = assert_problem(api.get(f"{path}?run_id=7"), 422, "invalid")
    assert fields(problem) == ["run_id"]


@PATHS
def test_the_queries_do_not_grow(
    api: Api,
    owner: User,
    run: Run,
    path: str,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    api.get(path)
    with django_assert_num_queries(6):
        api.get(path)
    make_run_tree(owner, "failed")
    make_run_tree(owner, "waiting")
    with django_assert_num_queries(6):
        api.get(path)


@PATHS
def test_history_is_read_only(api: Api, path: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert_problem(api.call(method, path), 405, "method_not_allowed")

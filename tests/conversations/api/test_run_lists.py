"""``GET /runs`` and ``/history/team-runs``: filters, pages, constant cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from conversations.models import Run
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.django_db
PATHS = pytest.mark.parametrize("path", ["/runs", "/history/team-runs"])


def day(number: int) -> datetime:
    return datetime(2026, 3, number, 12, tzinfo=UTC)


@pytest.fixture
def runs(owner: User) -> list[Run]:
    """Three of the owner's, oldest first."""
    made = []
    for number, outcome in enumerate(("done", "failed", "waiting"), start=1):
        run = make_run_tree(owner, outcome, started=day(number))
        Run.objects.filter(pk=run.pk).update(created_at=day(number))
        made.append(run)
    return made


def ids(api: Api, path: str) -> list[str]:
    got = api.get(path).json()
    assert got["count"] == len(got["items"])
    return [item["id"] for item in got["items"]]


def own(*runs: Run) -> list[str]:
    return [str(run.pk) for run in runs]


@PATHS
def test_newest_first(api: Api, runs: list[Run], path: str) -> None:
    assert ids(api, path) == own(*reversed(runs))


@PATHS
def test_an_item_is_the_run_object(api: Api, runs: list[Run], path: str) -> None:
    for item in api.get(path).json()["items"]:
        assert item == api.get(f"/runs/{item['id']}").json()


@PATHS
def test_the_filters(api: Api, runs: list[Run], path: str) -> None:
    done, failed, waiting = runs
    assert ids(api, f"{path}?state=FAILED") == own(failed)
    assert ids(api, f"{path}?state=FAILED&state=SUCCEEDED") == own(failed, done)
    assert ids(api, f"{path}?team=support_team&state=SUCCEEDED") == own(done)
    assert ids(api, f"{path}?team=OTHER") == []
    assert ids(api, f"{path}?user=alice") == own(waiting, failed, done)
    assert ids(api, f"{path}?user=charlie") == []
    assert ids(api, f"{path}?from=2026-03-02T12:00:00Z") == own(waiting, failed)
    assert ids(api, f"{path}?to=2026-03-02T00:00:00") == own(done)
    between = "from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z"
    assert ids(api, f"{path}?{between}") == own(failed)


@PATHS
@pytest.mark.parametrize(
    ("query", "field"),
    [("state=ASLEEP", "state"), ("from=yesterday", "from"), ("limit=x", "limit")],
)
def test_a_wrong_filter_is_named(api: Api, path: str, query: str, field: str) -> None:
    problem = assert_problem(api.get(f"{path}?{query}"), 422, "invalid")
    assert fields(problem) == [field]


@PATHS
def test_a_page(api: Api, runs: list[Run], path: str) -> None:
    got = api.get(f"{path}?limit=1&offset=1").json()
    assert got["count"] == 3
    assert [item["id"] for item in got["items"]] == own(runs[1])


@PATHS
def test_others_see_nothing_and_an_administrator_everything(
    stranger_api: Api,
    admin_api: Api,
    anonymous: Api,
    runs: list[Run],
    path: str,
) -> None:
    assert ids(stranger_api, path) == []
    assert ids(admin_api, f"{path}?user=alice") == own(*reversed(runs))
    assert_problem(anonymous.get(path), 401, "not_authenticated")


@PATHS
def test_the_queries_do_not_grow(
    api: Api,
    owner: User,
    path: str,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make_run_tree(owner, "waiting")
    api.get(path)
    with django_assert_num_queries(8):
        api.get(path)
    for outcome in ("waiting", "waiting", "sent", "failed"):
        make_run_tree(owner, outcome)
    with django_assert_num_queries(8):
        api.get(path)

"""The admin's first page: what waits, what failed, what ran last."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from conversations.trace.overview import overview_for
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree


def index(client) -> str:
    return str(client.get(reverse("admin:index")).content.decode())


def test_it_says_what_waits_what_failed_and_what_ran(client, administrator, owner):
    waiting = make_run_tree(owner, "waiting", prompt="Send it")
    failed = make_run_tree(owner, "failed", prompt="Look it up")
    client.force_login(administrator)
    text = index(client)
    assert "Approval: send_email" in text
    assert "The model&#x27;s server did not answer within 60 s." in text
    for run in (waiting, failed):
        assert reverse("admin:conversations_run_change", args=[run.pk]) in text


def test_it_teaches_where_nothing_has_happened(client, administrator):
    client.force_login(administrator)
    text = index(client)
    assert "Nothing waits for a person." in text
    assert "Nobody has asked anything yet." in text


def test_failures_older_than_a_week_are_left_to_the_list(administrator, owner):
    make_run_tree(owner, "failed", started=timezone.now() - timedelta(days=8))
    assert overview_for(administrator).failed == []


def test_totals_count_beyond_the_rows_shown(administrator, owner):
    for _number in range(8):
        make_run_tree(owner, "failed")
    overview = overview_for(administrator)
    assert (len(overview.failed), overview.failed_total) == (6, 8)


def test_staff_who_may_not_read_runs_see_none(client, owner):
    make_run_tree(owner, "failed", prompt="Look it up")
    client.force_login(make_user("other", is_staff=True))
    assert "Look it up" not in index(client)


def test_its_queries_do_not_grow(administrator, owner):
    make_run_tree(owner, "waiting")
    make_run_tree(owner, "failed")
    with CaptureQueriesContext(connection) as few:
        overview_for(administrator)
    for _number in range(5):
        make_run_tree(owner, "waiting")
        make_run_tree(owner, "failed")
    with CaptureQueriesContext(connection) as many:
        overview_for(administrator)
    assert len(many) == len(few)

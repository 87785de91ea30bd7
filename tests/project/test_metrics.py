"""``/metrics``: who may read it, and that its figures are those of the rows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.django_db


def figures(client: Client) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = [
        line
        for line in answer.content.decode().splitlines()
        if not line.startswith("#")
    ]
    return {name: float(value) for name, value in (li.rsplit(" ", 1) for li in lines)}


def test_the_figures_are_those_of_the_rows(client: Client, owner: User) -> None:
    make_run_tree(owner, "done")
    make_run_tree(owner, "waiting")

    found = figures(client)

    assert found['supervisor_runs{state="WAITING_FOR_HUMAN"}'] == 1
    assert found['supervisor_runs{state="QUEUED"}'] == 0
    assert found["supervisor_oldest_queued_seconds"] == 0
    assert found["supervisor_process_sockets"] == 0
    assert found["process_resident_memory_bytes"] > 0
    assert 'supervisor_tokens_recent{direction="output"}' in found


def test_from_this_machine_it_is_open(client: Client) -> None:
    assert client.get("/metrics").status_code == 200


@pytest.mark.parametrize(
    "headers", [{"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=1.2.3.4"}]
)
def test_what_a_proxy_passes_on_comes_from_elsewhere(
    client: Client, headers: dict[str, str]
) -> None:
    assert client.get("/metrics", headers=headers).status_code == 404


def test_from_elsewhere_there_is_no_such_page(client: Client, owner: User) -> None:
    client.force_login(owner)

    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 404


def test_staff_may_read_it_from_anywhere(client: Client, administrator: User) -> None:
    client.force_login(administrator)

    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 200


@pytest.mark.parametrize(
    ("sent", "status"), [("Bearer right", 200), ("Bearer wrong", 404), ("", 404)]
)
def test_with_a_token_set_its_bearer_may_and_nobody_else(
    client: Client, settings: Settings, sent: str, status: int
) -> None:
    settings.METRICS_TOKEN = "right"

    answer = client.get("/metrics", headers={"Authorization": sent})

    assert answer.status_code == status

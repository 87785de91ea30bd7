"""What load balancers and people ask of a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

ASK = """
import django
django.setup()
from supervisor_site.health import _database
print(_database())
"""


def test_a_living_process_says_so_without_its_database(client: Client) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_server_with_its_database_is_ready(client: Client) -> None:
    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_server_without_its_database_is_not(client: Client) -> None:
    def broken(*_: Any) -> Any:
        raise OperationalError

    with connection.execute_wrapper(broken):
        answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "database": "OperationalError"}


def test_a_database_that_does_not_answer_is_not_waited_for_as_requests_do() -> None:
    """Requests wait 20 s for the pool; who asks whether all is well, two."""
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=Path(__file__).parents[2],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "supervisor_site.settings",
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert asked.stdout == "OperationalError\n", asked.stderr
    assert "couldn't get a connection after 2.00 sec" in asked.stderr


@pytest.mark.django_db
def test_a_server_without_its_broker_is_not(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "broker": "ConnectionError"}

"""What load balancers and people ask of a server."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client


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


@pytest.mark.django_db
def test_a_server_without_its_broker_is_not(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "broker": "ConnectionError"}

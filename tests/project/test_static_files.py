"""Static files over the asynchronous server."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient

from supervisor_site.settings import BASE_DIR

ADDRESS = "/static/css/base.css"
FILE = Path(BASE_DIR) / "static" / "css" / "base.css"


@pytest.fixture(autouse=True)
def no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def fetch(method: str, **headers: str) -> Any:
    client = AsyncClient()
    ask = client.head if method == "HEAD" else client.get
    return async_to_sync(ask)(ADDRESS, headers=headers)


def test_a_file_is_sent_whole_and_without_a_warning() -> None:
    answer = fetch("GET")

    assert (answer.status_code, answer.streaming) == (200, False)
    assert answer.content == FILE.read_bytes()
    assert answer["Content-Type"] == 'text/css; charset="utf-8"'
    assert answer["Content-Length"] == str(FILE.stat().st_size)


def test_a_part_of_a_file_can_be_asked_for() -> None:
    answer = fetch("GET", Range="bytes=2-5")

    assert (answer.status_code, answer.content) == (206, FILE.read_bytes()[2:6])


def test_the_head_of_a_file_has_its_length_and_no_content() -> None:
    answer = fetch("HEAD")

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["Content-Length"] == str(FILE.stat().st_size)


def test_a_file_that_has_not_changed_is_not_sent_again() -> None:
    first = fetch("GET")

    answer = fetch("GET", **{"If-Modified-Since": first["Last-Modified"]})

    assert (answer.status_code, answer.content) == (304, b"")

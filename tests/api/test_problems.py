"""Every error is a problem, whoever found it."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from teams.models import ApiToken
from tests.api.client import Api, assert_problem, fields

pytestmark = pytest.mark.django_db


def test_an_unknown_path_is_a_problem(api: Api) -> None:
    assert_problem(api.get("/nothing"), 404, "no_such_path")


def test_a_wrong_method_is_a_problem_that_names_the_right_ones(api: Api) -> None:
    refused = api.call("PUT", "/tokens")
    assert_problem(refused, 405, "method_not_allowed")
    assert set(refused.headers["Allow"].split(", ")) == {"GET", "POST"}


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"name": NaN}',
        b'{"name": [-Infinity]}',
        b'{"name": {"deep": -1e999}}',
        b'{"name": "\\u0000"}',
        b'{"name": "\\ud800"}',
        b'{"\\udc00": 1}',
        b'{"name": ["\\ud800"]}',
        b'{"name": "\xed\xa0\x80"}',
        '{"name": "plain"}'.encode("utf-16"),
        '{"name": "\\u0000"}'.encode("utf-16"),
        b"[" * 100_000,
    ],
)
def test_what_is_not_json_is_refused(api: Api, body: bytes) -> None:
    assert_problem(api.call("POST", "/tokens", body), 400, "invalid_json")
    assert ApiToken.objects.count() == 1


def test_a_pair_of_surrogates_is_text(api: Api) -> None:
    made = api.call("POST", "/tokens", b'{"name": "\\ud83d\\ude00"}')
    assert made.json()["name"] == "😀"


def test_texts_are_answered_in_the_letters_they_came_in(
    api: Api, admin_api: Api
) -> None:
    made = api.post("/tokens", {"name": "退款"})
    refused = admin_api.get("/agents/%E9%80%80%E6%AC%BE")
    broken = admin_api.post("/agents", {"name": "退款", "profile_name": "订单"})

    assert "退款".encode() in made.content
    assert "订单".encode() in broken.content
    assert_problem(refused, 404, "not_found")


@pytest.mark.parametrize("body", [b"", b"[]", b"3", b"null", b'"text"'])
def test_a_body_that_is_no_object_is_refused(api: Api, body: bytes) -> None:
    problem = assert_problem(api.call("POST", "/tokens", body), 422, "invalid")
    assert fields(problem) == ["body"]


def test_a_wrong_query_parameter_is_named(api: Api) -> None:
    problem = assert_problem(api.get("/tokens?limit=0"), 422, "invalid")
    assert fields(problem) == ["limit"]
    problem = assert_problem(api.get("/tokens?limit=5&offset=x"), 422, "invalid")
    assert fields(problem) == ["offset"]


def test_nul_is_refused_wherever_it_stands(api: Api) -> None:
    problem = assert_problem(api.get("/runs?user=a%00b"), 422, "invalid")
    assert fields(problem) == ["user"]
    assert_problem(api.get("/agents/a%00b"), 404, "no_such_path")


def test_a_body_that_is_too_large_is_a_problem(api: Api, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    refused = api.post("/tokens", {"name": "x" * 2000})
    assert_problem(refused, 413, "request_too_large")


def test_a_failure_of_ours_gives_a_number_and_nothing_else(
    api: Api,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(**_fields: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(ApiToken, "issue", fail)
    with caplog.at_level(logging.ERROR, logger="supervisor.api"):
        failed = api.post("/tokens", {"name": "x"})
    problem = assert_problem(failed, 500, "internal_error")
    assert "secret" not in failed.text
    assert problem["id"] in problem["detail"]
    assert problem["id"] in caplog.text
    assert "the secret reason" in caplog.text

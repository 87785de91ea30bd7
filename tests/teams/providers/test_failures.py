"""Refusals and failures of the connection, as codes with the server's own words."""

from __future__ import annotations

import socket
import time
from email.utils import formatdate

import pytest

from teams.providers.retry import wait_before_retry
from teams.providers.types import ModelFailure
from tests.support.model_calls import connection_to, start
from tests.support.scripted_model import (
    DROP,
    calls,
    chunk,
    error,
    event,
    events,
    hang,
    raw,
    silent,
    text,
)

pytestmark = pytest.mark.usefixtures("quick_retries")


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (
            400,
            {"error": {"message": "x", "code": "context_length_exceeded"}},
            "model_context_too_long",
        ),
        (
            400,
            {"error": {"code": 400, "type": "exceed_context_size_error"}},
            "model_context_too_long",
        ),
        (
            413,
            "This model's maximum context length is 8192 tokens",
            "model_context_too_long",
        ),
        (
            400,
            "tool_call_ids did not have response messages: call_1",
            "model_bad_request",
        ),
        (400, {"error": {"code": "content_filter"}}, "model_filtered"),
        (401, "Incorrect API key", "model_key_refused"),
        (403, "Not your country", "model_key_refused"),
        (404, "The model gpt-x does not exist", "model_bad_request"),
        (422, {"detail": [{"msg": "Field required"}]}, "model_bad_request"),
    ],
)
def test_34_35_36_refusals_are_not_tried_again(scripted_model, status, body, code):
    scripted_model.add(error(status, body))
    call = start(connection_to(scripted_model, max_retries=2))
    failure = call.failure()
    assert (failure.code, failure.params["status"]) == (code, status)
    assert failure.params["host"] == f"127.0.0.1:{scripted_model.port}"
    assert call.running.attempts == 1


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
def test_32_passing_failures_are_tried_again(scripted_model, status):
    scripted_model.add(error(status, "busy"), text("Now"))
    call = start(connection_to(scripted_model, max_retries=1))
    assert call.wait().text == "Now"
    assert call.running.attempts == 2


def test_a_timeout_of_the_server_itself_names_the_seconds(scripted_model):
    scripted_model.add(error(408, "too slow"))
    failure = start(connection_to(scripted_model)).failure()
    assert (failure.code, failure.params["seconds"]) == ("model_timeout", 5.0)


def test_there_are_no_more_attempts_than_the_profile_allows(scripted_model):
    scripted_model.add(*[error(500, f"broken {n}") for n in range(3)])
    call = start(connection_to(scripted_model, max_retries=2))
    failure = call.failure()
    assert (failure.code, failure.params["detail"]) == (
        "model_server_error",
        "broken 2",
    )
    assert call.running.attempts == 3


def test_32_retry_after_in_seconds_is_kept(scripted_model):
    scripted_model.add(error(429, "slow", {"Retry-After": "0.4"}), text("Now"))
    begun = time.monotonic()
    assert start(connection_to(scripted_model, max_retries=1)).wait().text == "Now"
    assert 0.4 <= time.monotonic() - begun < 2


def test_32_retry_after_as_a_date_is_kept(scripted_model):
    date = formatdate(time.time() + 2, usegmt=True)
    scripted_model.add(error(429, "slow", {"Retry-After": date}), text("Now"))
    begun = time.monotonic()
    assert start(connection_to(scripted_model, max_retries=1)).wait().text == "Now"
    assert 0.5 < time.monotonic() - begun < 4


def test_32_a_long_wait_is_told_at_once(scripted_model):
    scripted_model.add(error(429, "tomorrow", {"Retry-After": "3600"}))
    failure = start(connection_to(scripted_model, max_retries=2)).failure(5)
    assert (failure.code, failure.params["seconds"]) == ("model_rate_limited", 3600)
    assert failure.retry_after == 3600


def test_a_used_up_quota_is_not_tried_again(scripted_model):
    body = {"error": {"message": "Pay first", "code": "insufficient_quota"}}
    scripted_model.add(error(429, body))
    assert start(connection_to(scripted_model, max_retries=2)).failure().code == (
        "model_rate_limited"
    )


def test_waits_grow_and_end():
    failure = ModelFailure("model_server_error", retryable=True)
    waits = [wait_before_retry(failure, n, 10) for n in range(1, 11)]
    assert all(wait is not None and wait <= 8 for wait in waits)
    assert waits[5] > waits[0]  # type: ignore[operator]
    assert wait_before_retry(failure, 11, 10) is None
    assert wait_before_retry(ModelFailure("model_filtered"), 1, 10) is None


def test_33_a_failure_in_the_middle_starts_the_text_again(scripted_model):
    scripted_model.add(
        events(chunk({"content": "First"}), {"error": {"code": 500}}),
        raw([event(chunk({"content": "Second"})), 0.05, DROP]),
        text("Third try"),
    )
    call = start(connection_to(scripted_model, max_retries=2))
    assert call.wait().text == "Third try"
    assert call.published() == {1: "First", 2: "Second", 3: "Third try"}
    assert call.running.partial() == (3, "Third try")


def test_an_empty_reply_is_tried_once_more_only(scripted_model):
    scripted_model.add(raw([]), raw([]))
    call = start(connection_to(scripted_model, max_retries=5))
    assert call.failure().code == "model_empty_reply"
    assert call.running.attempts == 2


def test_an_empty_reply_followed_by_a_real_one(scripted_model):
    scripted_model.add(raw([]), calls(("add", {"a": 1})))
    reply = start(connection_to(scripted_model, max_retries=2)).wait()
    assert reply.calls[0].name == "add"


@pytest.mark.parametrize("reply", [silent(), hang(), hang("Some words")])
def test_37_no_sign_of_life_is_a_timeout(scripted_model, reply):
    scripted_model.add(reply)
    begun = time.monotonic()
    call = start(connection_to(scripted_model, timeout=0.4))
    failure = call.failure()
    assert 0.4 <= time.monotonic() - begun < 3
    assert (failure.code, failure.params["seconds"]) == ("model_timeout", 0.4)
    assert scripted_model.requests[0].wait_disconnected()


def test_37_slow_is_not_silent(scripted_model):
    sent = [event(chunk({"content": f"{n} "})) for n in range(4)]
    slow = [step for piece in sent for step in (0.25, piece)]
    scripted_model.add(raw([*slow, 0.25, ": ping\n\n", 0.25, b"data: [DONE]\n\n"]))
    assert start(connection_to(scripted_model, timeout=0.6)).wait().text == "0 1 2 3 "


def test_nobody_listens():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    from teams.providers.types import Connection

    url = f"http://127.0.0.1:{port}/v1"
    connection = Connection("openai", url, "", "m", {}, {}, 5, 1)
    call = start(connection)
    failure = call.failure()
    assert failure.code == "model_unreachable"
    assert failure.params["host"] == f"127.0.0.1:{port}"
    assert call.running.attempts == 2


def test_a_server_that_hangs_up_before_an_answer(scripted_model):
    scripted_model.add(raw([DROP], status=0))
    assert start(connection_to(scripted_model)).failure().code == "model_unreachable"


def test_a_redirect_is_not_followed(scripted_model):
    elsewhere = {"Location": "http://127.0.0.1:1/v1/chat/completions"}
    scripted_model.add(error(307, "", elsewhere))
    failure = start(connection_to(scripted_model, max_retries=2)).failure()
    assert (failure.code, failure.params["status"]) == ("model_bad_request", 307)


def test_details_are_capped_and_hold_no_key(scripted_model):
    words = "Bad key sk-scripted-key or Bearer abc.def or sk-other123 " + "x" * 900
    scripted_model.add(error(401, words))
    detail = start(connection_to(scripted_model)).failure().params["detail"]
    assert detail.startswith("Bad key … or … or … xxx")
    assert len(detail) == 500


def test_an_error_page_becomes_plain_words(scripted_model):
    page = b"<html><head><title>502</title></head><body>Bad   gateway</body></html>"
    scripted_model.add(error(502, page))
    detail = start(connection_to(scripted_model)).failure().params["detail"]
    assert detail == "502 Bad gateway"


def test_a_key_that_cannot_be_sent_is_named_as_such(scripted_model):
    failure = start(connection_to(scripted_model, api_key="schlüssel…")).failure()
    assert failure.code == "model_not_configured"
    failure = start(connection_to(scripted_model, api_key="line\nbreak")).failure()
    assert failure.code == "model_not_configured"


def test_a_host_that_is_not_listed_is_not_called(scripted_model, settings):
    settings.TOOL_ALLOWED_HOSTS = []
    failure = start(connection_to(scripted_model)).failure()
    assert (failure.code, failure.params["reason"]) == (
        "model_host_not_allowed",
        "unlisted",
    )
    assert scripted_model.requests == []

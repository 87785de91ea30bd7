"""Servers and proxies that bend HTTP and event streams, byte by byte."""

from __future__ import annotations

import gzip
import json

import pytest

from teams.providers.types import Connection, ModelFailure, ModelReply
from tests.support.model_calls import Call, start
from tests.support.raw_server import RawServer, raw_server
from tests.support.scripted_model import chunk, event, usage_chunk

pytestmark = pytest.mark.usefixtures("quick_retries")

KEY = "a-key-without-a-prefix"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
SAID = event(chunk({"content": "Grüße"})) + event(chunk({}, "stop"))
DONE = b"data: [DONE]\n\n"


def closed(body: bytes, head: bytes = HEAD) -> bytes:
    """An answer whose end is that of the connection."""
    return head + b"Connection: close\r\n\r\n" + body


def call(server: RawServer, **fields: object) -> Call:
    given = {"max_retries": 0, "timeout": 5.0, **fields}
    connection = Connection(
        "openai",
        server.base_url,
        KEY,
        "m",
        {},
        {},
        **given,  # type: ignore[arg-type]
    )
    return start(connection)


def reply_to(answer: bytes) -> ModelReply:
    with raw_server(answer) as server:
        return call(server).wait()


def failure_of(answer: bytes) -> ModelFailure:
    with raw_server(answer) as server:
        return call(server).failure()


@pytest.mark.parametrize(
    "answer",
    [
        closed(SAID + DONE),
        closed(SAID + DONE, b"HTTP/1.0 200 OK\r\n"),
        closed(SAID + DONE + DONE),
        closed(SAID + DONE + b"data: {broken\n\nrubbish\x00\xff"),
        closed(SAID.replace(b"\n", b"\r\n") + DONE),
        closed(SAID.replace(b"\n", b"\r") + b"data: [DONE]\r\r"),
        closed(SAID.rstrip(b"\n")),
        closed(
            b"\xef\xbb\xbf: hello\nid: 7\nretry: 10\nevent: message\n" + SAID + DONE
        ),
        closed(SAID.replace(b"data: ", b"data:") + DONE),
        closed(
            gzip.compress(SAID + DONE),
            HEAD + b"Content-Encoding: gzip\r\n",
        ),
        HEAD + b"Content-Length: %d\r\n\r\n" % len(SAID + DONE) + SAID + DONE,
        b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + closed(SAID + DONE),
    ],
    ids=[
        "closes",
        "http-1.0",
        "two-ends",
        "rubbish-after-the-end",
        "crlf",
        "cr-alone",
        "no-last-line",
        "fields",
        "no-space",
        "gzip",
        "length",
        "early-hints",
    ],
)
def test_it_is_read_all_the_same(answer):
    assert reply_to(answer).text == "Grüße"


def test_carriage_returns_alone_may_be_split_from_their_line_feeds():
    body = SAID.replace(b"\n", b"\r\n") + DONE
    answer = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    answer += b"".join(b"1\r\n%b\r\n" % body[i : i + 1] for i in range(len(body)))
    assert reply_to(answer + b"0\r\n\r\n").text == "Grüße"


def test_an_object_over_several_lines_that_end_in_carriage_returns():
    lines = json.dumps(chunk({"content": "Yes"}, "stop"), indent=1).splitlines()
    body = b"".join(b"data: %b\r" % line.encode() for line in lines) + b"\r"
    assert reply_to(closed(body)).text == "Yes"


def test_ten_megabytes_in_one_line_are_read():
    words = "x" * 10_000_000
    body = event(chunk({"content": words})) + event(chunk({}, "stop")) + DONE
    assert len(reply_to(closed(body)).text) == 10_000_000


def test_usage_after_the_end_of_the_text_is_read():
    body = SAID + event(usage_chunk(7, 3)) + DONE
    usage = reply_to(closed(body)).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (7, 3)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", "model_empty_reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "model_empty_reply"),
        (b"", "model_unreachable"),
        (b"HTTP/1.1 200", "model_unreachable"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "model_unreachable"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 300_000, "model_unreachable"),
        (
            HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nnot a size",
            "model_stream_broken",
        ),
        (HEAD + b"Content-Length: 900\r\n\r\n" + SAID[:40], "model_stream_broken"),
        (
            closed(b"not gzip at all", HEAD + b"Content-Encoding: gzip\r\n"),
            "model_stream_broken",
        ),
        (closed(b"<!doctype html><p>Sign in</p>"), "model_server_error"),
        (closed(b"data: {broken\n\n" + SAID), "model_stream_broken"),
    ],
)
def test_what_cannot_be_read_is_a_failure_with_a_code(answer, code):
    assert failure_of(answer).code == code


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_nor_the_key_handed_on(status, settings):
    with raw_server(closed(SAID + DONE)) as other:
        settings.TOOL_ALLOWED_HOSTS = ["127.0.0.1"]
        answer = b"HTTP/1.1 %d Moved\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n"
        target = other.base_url.encode()
        with raw_server(answer % (status, target)) as server:
            failure = call(server).failure()
        assert (failure.code, failure.params["status"]) == ("model_bad_request", status)
        assert "redirect" in failure.params["detail"]
        assert other.asked == []


@pytest.mark.parametrize(
    "wait",
    [
        *("soon", "-3", "nan", "", "Fri, 99 Foo 2026", "inf", "1e400", "9" * 30),
        "Fri, 31 Dec 99999 23:59:59 GMT",
    ],
)
def test_a_retry_after_that_says_nothing_hinders_nothing(wait):
    refused = (
        b"HTTP/1.1 429 Slow\r\nRetry-After: %b\r\nContent-Length: 0\r\n"
        b"Connection: close\r\n\r\n" % wait.encode()
    )
    with raw_server(refused, closed(SAID + DONE)) as server:
        assert call(server, max_retries=1).wait().text == "Grüße"


def test_a_server_without_tls_behind_https_is_unreachable_in_plain_words():
    with raw_server(closed(SAID)) as server:
        url = server.base_url.replace("http:", "https:")
        connection = Connection("openai", url, KEY, "m", {}, {}, 5.0, 0)
        failure = start(connection).failure()
    assert failure.code == "model_unreachable"
    assert "SSL" in failure.params["detail"]


def test_the_key_is_in_no_message_whatever_the_server_repeats():
    words = json.dumps({"error": {"message": f"Bad {KEY} ({KEY})", "key": KEY}})
    failure = failure_of(
        b"HTTP/1.1 401 No\r\nContent-Length: %d\r\n\r\n%b"
        % (len(words), words.encode())
    )
    assert failure.code == "model_key_refused"
    assert KEY not in json.dumps(failure.params)


def test_a_key_that_breaks_the_header_is_not_shown(caplog):
    with raw_server() as server:
        connection = Connection(
            "openai", server.base_url, "first second\nthird", "m", {}, {}, 5.0, 0
        )
        failure = start(connection).failure()
    assert failure.code == "model_not_configured"
    for part in ("first", "second", "third"):
        assert part not in json.dumps(failure.params)
        assert part not in caplog.text


def test_proxies_and_headers_of_the_environment_are_not_used(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    with raw_server(closed(SAID + DONE)) as server:
        assert call(server).wait().text == "Grüße"
    assert b"of-somebody" not in server.asked[0]

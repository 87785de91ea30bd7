"""The logs: one JSON object a line, or one readable line, with the run's id."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from supervisor_site.logs import json_formatter, text_formatter

Log = tuple[logging.Logger, io.StringIO]


def logger_with(formatter: logging.Formatter) -> Iterator[Log]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    logger = logging.getLogger("supervisor.tests")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, stream
    logger.removeHandler(handler)
    logger.propagate = True


@pytest.fixture
def json_log() -> Iterator[Log]:
    yield from logger_with(json_formatter())


@pytest.fixture
def text_log() -> Iterator[Log]:
    yield from logger_with(text_formatter())


def test_a_json_line_carries_message_level_time_and_the_bound_run(
    json_log: Log,
) -> None:
    logger, stream = json_log

    with structlog.contextvars.bound_contextvars(run_id="run-1"):
        logger.warning("Run of %s is late", "alice", extra={"seconds": 3})

    line = json.loads(stream.getvalue())
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "Run of alice is late",
        "level": "warning",
        "logger": "supervisor.tests",
        "run_id": "run-1",
        "seconds": 3,
    }


def test_what_was_bound_is_gone_afterwards(json_log: Log) -> None:
    logger, stream = json_log

    with structlog.contextvars.bound_contextvars(run_id="run-1"):
        pass
    logger.warning("later")

    assert "run_id" not in json.loads(stream.getvalue())


def test_a_json_line_holds_the_traceback_and_any_script(json_log: Log) -> None:
    logger, stream = json_log

    try:
        raise ValueError("退款")
    except ValueError:
        logger.exception("failed")

    assert stream.getvalue().count("\n") == 1
    assert "退款" in stream.getvalue()
    assert "ValueError" in json.loads(stream.getvalue())["exception"]


def test_a_text_line_reads_from_time_to_fields(text_log: Log) -> None:
    logger, stream = text_log

    with structlog.contextvars.bound_contextvars(run_id="run-1"):
        logger.warning("Run is late", extra={"seconds": 3})

    _date, _time, rest = stream.getvalue().split(" ", 2)
    assert rest == "WARNING supervisor.tests Run is late run_id=run-1 seconds=3\n"


def test_what_django_hangs_on_a_record_for_itself_stays_out(text_log: Log) -> None:
    logger, stream = text_log

    logger.warning("Not found", extra={"request": object(), "status_code": 404})

    assert stream.getvalue().endswith("Not found status_code=404\n")


def test_django_and_the_server_write_through_the_one_handler() -> None:
    for name in ("django", "django.request", "uvicorn", "uvicorn.access"):
        logger = logging.getLogger(name)
        assert logger.handlers == []
        assert logger.propagate

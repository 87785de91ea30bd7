"""The form of the logs: readable lines, or one JSON object a line for collectors.

Both carry what the running code has bound with ``structlog.contextvars`` (the run's
id, say) and what a call gives as ``extra``.
"""

from __future__ import annotations

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def text_formatter() -> structlog.stdlib.ProcessorFormatter:
    return _formatter(as_line, time_format="%Y-%m-%d %H:%M:%S")


def json_formatter() -> structlog.stdlib.ProcessorFormatter:
    return _formatter(
        structlog.processors.JSONRenderer(ensure_ascii=False), time_format="iso"
    )


def as_line(_logger: WrappedLogger, _method: str, entry: EventDict) -> str:
    """``time LEVEL logger message key=value …``, a traceback below."""
    time = entry.pop("timestamp", "")
    level = str(entry.pop("level", "")).upper()
    name = entry.pop("logger", "")
    message = entry.pop("event", "")
    traceback = entry.pop("exception", "")
    fields = "".join(f" {key}={value}" for key, value in entry.items())
    line = f"{time} {level} {name} {message}{fields}"
    return f"{line}\n{traceback}" if traceback else line


# What Django and the server hang on a record for handlers of their own.
FOREIGN = ("color_message", "message", "request", "server_time")


def without_foreign(
    _logger: WrappedLogger, _method: str, entry: EventDict
) -> EventDict:
    for name in FOREIGN:
        entry.pop(name, None)
    return entry


def _formatter(
    renderer: Processor, *, time_format: str
) -> structlog.stdlib.ProcessorFormatter:
    return structlog.stdlib.ProcessorFormatter(
        processor=renderer,
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            without_foreign,
            structlog.processors.TimeStamper(fmt=time_format, utc=True),
            structlog.processors.format_exc_info,
        ],
    )

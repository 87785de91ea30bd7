"""What went wrong with a model call, as codes: by status, by the server's own words,
by the failure of the connection. Details never hold the key."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from teams.providers.types import ModelFailure

DETAIL_MAX_CHARACTERS = 500
LONGEST_TOLD_WAIT = 366 * 24 * 3600.0
TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context|context (length|size|"
    r"window)|too many (input )?tokens|prompt is too long|input is too long",
    re.IGNORECASE,
)
FILTERED = re.compile(r"content_?filter|content_policy|moderation", re.IGNORECASE)
USED_UP = re.compile(r"insufficient_quota|billing", re.IGNORECASE)
RATE = re.compile(r"rate.?limit|too_many_requests|overloaded", re.IGNORECASE)
KEY = re.compile(r"invalid_api_key|authentication|unauthorized", re.IGNORECASE)
REQUEST = re.compile(r"invalid_request|bad_request|BadRequest", re.IGNORECASE)
SECRETS = re.compile(r"\b(Bearer\s+|sk-|svs_)\S{4,}", re.IGNORECASE)
TAGS = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)


def redacted(text: str, secret: str = "") -> str:
    """The server's words for people: plain, capped, without keys."""
    if "<" in text[:200]:
        text = TAGS.sub(" ", text[:20_000])
    text = " ".join(text.replace("\x00", "").split())
    if secret:
        text = text.replace(secret, "…")
    return SECRETS.sub("…", text)[:DETAIL_MAX_CHARACTERS]


def error_of(body: Any) -> Any:
    """The error inside whatever a server wraps it in."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, Mapping):
        for key in ("error", "detail"):
            if body.get(key):
                return body[key]
    return body


def words_of(error: Any) -> str:
    """An error's message; the complete error where it has none."""
    if isinstance(error, str):
        return error
    if isinstance(error, Mapping):
        for key in ("message", "msg", "error", "detail"):
            if isinstance(error.get(key), str) and error[key]:
                return str(error[key])
    return "" if error is None else json.dumps(error, ensure_ascii=False, default=str)


def status_in(error: Any) -> int | None:
    """The HTTP status that an error object in a stream names."""
    if not isinstance(error, Mapping):
        return None
    for key in ("status", "code", "status_code", "http_code"):
        text = str(error.get(key, ""))
        if text.isascii() and text.isdigit() and 300 <= int(text) < 600:
            return int(text)
    return None


def failure_of(
    error: Any, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ModelFailure:
    """The failure that a server's error means; ``status`` None inside a stream."""
    error = error_of(error)
    status = status if status and status != 200 else status_in(error)
    text = error if isinstance(error, str) else json.dumps(error, default=str)
    code, retryable = _code(status, text)
    wait = retry_after(headers or {})
    params: dict[str, Any] = {"detail": words_of(error)}
    if status:
        params["status"] = status
    if wait is not None:
        params["seconds"] = round(wait, 1)
    return ModelFailure(code, retryable=retryable, retry_after=wait, **params)


def _code(status: int | None, text: str) -> tuple[str, bool]:
    if TOO_LONG.search(text) and status not in (401, 403, 429):
        return "model_context_too_long", False
    if status is None:
        return _code_by_words(text)
    if status in (401, 403):
        return "model_key_refused", False
    if status == 429:
        return "model_rate_limited", not USED_UP.search(text)
    if status == 408:
        return "model_timeout", True
    if status in (409, 425) or status >= 500:
        return "model_server_error", True
    if FILTERED.search(text):
        return "model_filtered", False
    return "model_bad_request", False


def _code_by_words(text: str) -> tuple[str, bool]:
    if FILTERED.search(text):
        return "model_filtered", False
    if USED_UP.search(text):
        return "model_rate_limited", False
    if RATE.search(text):
        return "model_rate_limited", True
    if KEY.search(text):
        return "model_key_refused", False
    if REQUEST.search(text):
        return "model_bad_request", False
    return "model_server_error", True


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: as a number, or until a date."""
    millis, text = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if millis:
            return _sensible(float(millis) / 1000)
        if text:
            return _sensible(float(text))
    except ValueError:
        pass
    try:
        parsed = email.utils.parsedate_tz(text or "")
        return (
            _sensible(email.utils.mktime_tz(parsed) - time.time()) if parsed else None
        )
    except (ValueError, OverflowError):
        return None


def _sensible(seconds: float) -> float | None:
    """A wait as it can be told; one of more than a year, or of no length, says
    nothing."""
    return max(0.0, seconds) if seconds <= LONGEST_TOLD_WAIT else None

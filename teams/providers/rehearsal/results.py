"""What came back from a call, and whether it is a failure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from teams.providers.rehearsal.folding import fold

# A result beyond this size is not read as JSON, only quoted in part.
JSON_LIMIT, QUOTED_LIMIT = 400_000, 6000

# What stands for a result that is none.
_EMPTY = ("", "(empty)", "null", "None", "{}", "ok", "OK")

_TAGGED = re.compile(r"^\s*<([\w-]+)[^>]*>\s*(.*?)\s*</\1>\s*$", re.DOTALL)
_DENIED = re.compile(r"^\s*denied\s*[:.]\s*", re.IGNORECASE)
_FAILED = re.compile(
    r"^\s*(?:error|failed|failure|the worker failed|the tool failed)\b\s*[:.]?\s*",
    re.IGNORECASE,
)
_ORDER = re.compile(r"(?:do not|don't|never) [^.]*\.?\s*$", re.IGNORECASE)
_UNREASONED = re.compile(r"^the person did not approve this call\.?$", re.IGNORECASE)
_BAD_NEWS = re.compile(
    fold(
        r"\b(?:failed|could not|couldn't|cannot|can't|unable to|not found|no such"
        r"|there is no|does not exist|not approved|introuvable|n'existe pas"
        r"|nicht gefunden|fehlgeschlagen)\b|\béchec|失败|未找到|无法|不存在|失敗"
        r"|見つかりません|فشل|تعذر|لا يوجد"
    )
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``state`` is ok, failed or denied; ``text`` without the mark that said so;
    ``data`` the JSON value, if the text is one."""

    state: str
    text: str
    data: Any = None

    @property
    def is_empty(self) -> bool:
        return self.text in _EMPTY

    @property
    def ok(self) -> bool:
        return self.state == "ok"


@lru_cache(maxsize=256)
def outcome_of(result: str) -> Outcome:
    text = _unwrapped(result)
    if match := _DENIED.match(text):
        return Outcome("denied", _reason(text[match.end() :]))
    if match := _FAILED.match(text):
        return Outcome("failed", text[match.end() :].strip() or text.strip())
    data = _json(text)
    if isinstance(data, dict) and set(data) == {"answer", "conversation_id"}:
        # A delegate's: what counts is what it says.
        return outcome_of(str(data["answer"]))
    if isinstance(data, dict) and (reason := _reported(data)):
        return Outcome("failed", reason)
    return Outcome("ok", text.strip(), data)


def is_good(outcome: Outcome) -> bool:
    return outcome.ok and not tells_bad_news(outcome.text)


def tells_bad_news(text: str) -> bool:
    """Whether a worker's own words say that it did not work."""
    plain = not text.startswith(("**", "- ", "#")) and "|" not in text
    return plain and bool(_BAD_NEWS.search(fold(text[:300])))


def _reason(text: str) -> str:
    """Why a call was denied, without what a model is told about it."""
    text = _ORDER.sub("", text).strip()
    _, said, reason = text.partition("Reason:")
    return reason.strip() if said else _UNREASONED.sub("", text).strip()


def _unwrapped(text: str) -> str:
    match = _TAGGED.match(text)
    return match[2] if match else text


def _json(text: str) -> Any:
    """The JSON value in a text, which may have a line before and after it."""
    match = re.search(r"^\s*[\[{]", text, re.MULTILINE)
    if match is None or len(text) > JSON_LIMIT or match.start() > 400:
        return None
    try:
        value, _end = json.JSONDecoder().raw_decode(text, match.end() - 1)
    except ValueError:
        return None
    return value


def _reported(data: dict[str, Any]) -> str:
    """The failure an object reports: ``{"error": "…"}`` or ``{"ok": false}``."""
    error = data.get("error")
    if isinstance(error, dict):
        error = error.get("message") or json.dumps(error, ensure_ascii=False)
    if isinstance(error, str) and error:
        return error
    if data.get("ok") is False or data.get("success") is False:
        return str(data.get("message") or data.get("reason") or data)
    return ""

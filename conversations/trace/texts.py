"""Payloads as blocks of a page: cut where they are long, never trusted."""

from __future__ import annotations

import json
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.trace import figures
from supervisor_site.common.markdown import highlight_code

HEAD = 15_000
TAIL = 5_000
FULL_AT_MOST = 1_000_000
_PARSED_UP_TO = 100_000


def excerpt(text: str, *, full: bool = False) -> str:
    """The text, or its beginning and end around a word on what is left out."""
    head, tail = (FULL_AT_MOST, 0) if full else (HEAD, TAIL)
    left_out = len(text) - head - tail
    if left_out <= 0:
        return text
    note = _("[… %(count)s characters left out …]") % {"count": figures.count(left_out)}
    return "\n\n".join(
        part for part in (text[:head], note, text[len(text) - tail :]) if part
    )


def is_long(text: str) -> bool:
    return len(text) > HEAD + TAIL


def plain_block(text: str, *, full: bool = False) -> SafeString:
    return format_html(
        '<pre class="plain" tabindex="0" dir="auto">{}</pre>', excerpt(text, full=full)
    )


def said_block(text: str, *, full: bool = False) -> SafeString:
    """A request in words, line breaks kept."""
    return format_html(
        '<div class="said" dir="auto">{}</div>', excerpt(text, full=full)
    )


def json_block(value: Any, *, full: bool = False) -> SafeString:
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return highlight_code(excerpt(text, full=full), "json")


def payload_block(text: str, *, full: bool = False) -> SafeString:
    """JSON is set out and highlighted; any other text stands as it came."""
    if text[:1] in {"{", "["} and len(text) <= _PARSED_UP_TO:
        try:
            return json_block(json.loads(text), full=full)
        except ValueError:
            pass
    return plain_block(text, full=full)

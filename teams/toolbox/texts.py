"""From what a function returns to the text a model reads."""

from __future__ import annotations

import dataclasses
import json
import math
from collections import deque
from enum import Enum
from pathlib import PurePath
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from pydantic import BaseModel

NOTHING = "Done."


class NotText(TypeError):
    """A value of a type that has no text for a model."""


class _Encoder(DjangoJSONEncoder):
    def default(self, o: Any) -> Any:
        if isinstance(o, BaseModel):
            return o.model_dump(mode="json")
        if dataclasses.is_dataclass(o) and not isinstance(o, type):
            return {f.name: getattr(o, f.name) for f in dataclasses.fields(o)}
        if isinstance(o, set | frozenset):
            return sorted(o, key=str)
        if isinstance(o, QuerySet | deque):
            return list(o)
        if isinstance(o, Enum):
            return o.value
        if isinstance(o, PurePath):
            return str(o)
        if isinstance(o, Model):
            raise _row(o)
        return super().default(o)


def result_text(value: Any) -> str:
    """A text as it is, anything else as JSON; ``None`` says that it is done.

    Dates are ISO 8601, decimals are texts with all their digits. Raises NotText
    for a value, or a part of one, that is neither; rows of a model are refused,
    because all their columns would be told: return ``.values(…)`` of some.
    """
    if value is None:
        return NOTHING
    text = clean_text(value if isinstance(value, str) else as_json_text(value))
    return text if text.strip() else "(an empty text)"


def as_json_text(value: Any) -> str:
    try:
        return json.dumps(_finite(value), cls=_Encoder, ensure_ascii=False)
    except NotText:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise NotText(str(error)) from error


def _row(row: Model) -> NotText:
    return NotText(f"it has a row of {type(row).__name__}")


def _finite(value: Any) -> Any:
    """NaN and infinities are no JSON; they become null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def clean_text(text: str) -> str:
    """Without what databases and wires refuse: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def cap_text(text: str, limit: int) -> str:
    """At most about ``limit`` characters: head, a visible mark, tail.

    The mark comes on top of the limit, so that any limit above 0 works.
    """
    if len(text) <= limit:
        return text
    tail = limit // 4
    head = limit - tail
    left_out = f"{len(text) - limit:,}".replace(",", " ")
    end = text[len(text) - tail :]
    return f"{text[:head]}\n[{left_out} characters left out]\n{end}"

"""The next move: to say something, or to call one function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """``text`` is said with it: a call may come with words."""

    name: str
    arguments: dict[str, Any]
    text: str = ""


Move = Say | Call

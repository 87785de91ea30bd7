"""How a tool runs: what it is given and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class ToolError(Exception):
    """An expected failure, in words that help the model to do better next time."""


@dataclass(slots=True)
class ToolContext:
    """What a tool function may know of the run that calls it.

    ``user`` is the person the run works for. ``call_id`` is unique to this tool
    call and the same when it is repeated after a crash: use it as idempotency
    key. ``state`` is shared between the tools of a run and kept with it.
    ``read_only`` forbids any change, anywhere.
    """

    user: User
    run_id: UUID
    call_id: UUID
    state: dict[str, Any] = field(default_factory=dict)
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool call came to. ``text`` goes to the model; a failure explains itself.

    ``unknown`` means that the effect may or may not have happened (a timeout).
    """

    text: str
    ok: bool = True
    unknown: bool = False

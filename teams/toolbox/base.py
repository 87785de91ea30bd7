"""How a tool runs: what it is given and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from teams.definition import ToolDefinition


CHANGE_REFUSED = (
    "Not run: this run is read-only, and the tool may change something. "
    "Do not call it again in this run."
)


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


@dataclass(frozen=True, slots=True)
class ToolKind:
    """How the tools of one type run.

    ``prepare`` is quick and touches nothing outside: it checks what only this kind
    can check, raises ToolError with words for the model, and gives back the work,
    which runs in a thread of its own and returns any value that has a text.
    """

    prepare: Callable[[ToolDefinition, dict[str, Any], ToolContext], Callable[[], Any]]

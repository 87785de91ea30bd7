"""The one table of allowed state changes, and the one function that makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from conversations.choices import (
    ModelCallState,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallState,
)
from supervisor_site.common.errors import Conflict

if TYPE_CHECKING:
    from conversations.models import HumanRequest, ModelCall, Run, TaskRun, ToolCall

_ENDS = {"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"}

ALLOWED: dict[str, dict[str, set[str]]] = {
    "Run": {
        RunState.QUEUED: {"RUNNING", "FAILED", "CANCELLED"},
        RunState.RUNNING: _ENDS | {"WAITING_FOR_HUMAN"},
        RunState.WAITING_FOR_HUMAN: {"RESUMING", "CANCELLED", "EXPIRED"},
        RunState.RESUMING: {"RUNNING", "FAILED", "CANCELLED"},
        RunState.SUCCEEDED: set(),
        # Retry opens these again.
        RunState.FAILED: {"QUEUED"},
        RunState.CANCELLED: {"QUEUED"},
        RunState.EXPIRED: {"QUEUED"},
    },
    "TaskRun": {
        TaskRunState.RUNNING: _ENDS | {"WAITING_FOR_HUMAN", "HANDED_OVER"},
        TaskRunState.WAITING_FOR_HUMAN: {"RUNNING", "FAILED", "CANCELLED", "EXPIRED"},
        TaskRunState.SUCCEEDED: set(),
        TaskRunState.FAILED: {"RUNNING"},
        TaskRunState.CANCELLED: {"RUNNING"},
        TaskRunState.EXPIRED: {"RUNNING"},
    },
    "ModelCall": {
        ModelCallState.RUNNING: {"SUCCEEDED", "FAILED", "CANCELLED", "INTERRUPTED"},
    },
    "ToolCall": {
        # At once unknown: begun, interrupted, to be retried, and then stopped.
        ToolCallState.PROPOSED: {
            "WAITING_FOR_HUMAN",
            "RUNNING",
            "SUCCEEDED",
            "FAILED",
            "CANCELLED",
            "UNKNOWN",
        },
        ToolCallState.WAITING_FOR_HUMAN: {
            "PROPOSED",
            "SUCCEEDED",
            "FAILED",
            "DENIED",
            "CANCELLED",
            "UNKNOWN",
        },
        # Back to waiting: what a crash interrupted is put to a person. Back to
        # proposed: a stop came before the tool was started.
        ToolCallState.RUNNING: {
            "PROPOSED",
            "SUCCEEDED",
            "FAILED",
            "CANCELLED",
            "UNKNOWN",
            "WAITING_FOR_HUMAN",
        },
        # Retry opens what never ran.
        ToolCallState.CANCELLED: {"PROPOSED", "RUNNING"},
    },
    "HumanRequest": {
        RequestState.PENDING: {
            "ANSWERED",
            "APPROVED",
            "DENIED",
            "EXPIRED",
            "CANCELLED",
        },
    },
}


class IllegalTransitionError(Conflict):
    """Not now: the row's state does not allow this change."""

    code = "illegal_transition"


def move(row: Run | TaskRun | ModelCall | ToolCall | HumanRequest, state: str) -> str:
    """Set ``row.state`` in memory and return the old one; the caller writes it."""
    old = row.state
    table = ALLOWED[type(row).__name__]
    if state not in table.get(old, set()):
        raise IllegalTransitionError(
            _("This cannot change from %(old)s to %(new)s.")
            % {"old": old, "new": str(state)}
        )
    row.state = state
    return old

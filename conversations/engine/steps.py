"""The closed set of next steps. ``decide`` returns one; ``loop`` matches them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conversations.models import ModelCall, TaskRun, ToolCall


@dataclass(frozen=True)
class OpenTask:
    """Open the run's next task run at the top: the leader, or the next in order."""

    position: int
    request: str


@dataclass(frozen=True)
class CallModel:
    """Ask the model; ``again`` is a call that a crash interrupted."""

    task: TaskRun
    again: ModelCall | None = None


@dataclass(frozen=True)
class RunTool:
    call: ToolCall


@dataclass(frozen=True)
class Delegate:
    call: ToolCall


@dataclass(frozen=True)
class HandOver:
    call: ToolCall


@dataclass(frozen=True)
class Notify:
    """A word of the product to one agent, before its model is called again."""

    task: TaskRun
    text: str
    counts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AskPerson:
    """Open the requests of one reply together."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True)
class AskRecovery:
    """A tool was interrupted and may not be repeated: a person decides."""

    call: ToolCall


@dataclass(frozen=True)
class Return:
    """The task is done; its text goes to whoever delegated. ``ended_by`` says what
    ended a handoff team's turn, where it was not the agent itself."""

    task: TaskRun
    text: str
    ended_by: str = ""


@dataclass(frozen=True)
class FailTask:
    task: TaskRun
    code: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finish:
    answer: str
    ended_by: str = ""


@dataclass(frozen=True)
class Fail:
    code: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cancel:
    pass


@dataclass(frozen=True)
class Pause:
    """Requests are open: write that the run waits, and go home."""


Step = (
    OpenTask
    | CallModel
    | RunTool
    | Delegate
    | HandOver
    | Notify
    | AskPerson
    | AskRecovery
    | Return
    | FailTask
    | Finish
    | Fail
    | Cancel
    | Pause
)

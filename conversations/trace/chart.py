"""A run as a chart: its steps as lines of a tree, each with a bar on one time axis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.choices import RequestKind, RequestState, ToolCallKind
from conversations.error_texts import error_message
from conversations.models import (
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.trace import figures
from conversations.trace.axis import Axis, Interval, total_ms
from conversations.trace.steps import Loaded, Step, load, steps_of
from teams.choices import Pattern
from teams.definition import TeamDefinition
from teams.services.versions import definition_of

LINES_AT_MOST = 1000
INDENTS = 8
_NARROWEST = 0.35
_NOTE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Bar:
    """Percent of the axis, as text for SVG attributes. ``head`` is the part of a
    model call before its first token."""

    x: str
    width: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the page. ``time`` is how long it took, or takes so far."""

    step: Step
    title: str
    note: str
    error: str
    time: str
    bar: Bar
    usage: Usage | None

    @property
    def indent(self) -> int:
        return min(self.step.depth, INDENTS)

    @property
    def is_deep(self) -> bool:
        return self.step.depth > INDENTS


@dataclass(frozen=True, slots=True)
class Chart:
    """``total`` counts all lines, also those beyond ``LINES_AT_MOST``; ``asking`` are
    the waits that a person can end now."""

    lines: list[Line]
    total: int
    asking: list[Step]
    axis: Axis
    worked_ms: float
    waited_ms: float

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.lines)


def chart_of(
    run: Run, *, limit: int = LINES_AT_MOST, without: Collection[UUID] = ()
) -> Chart:
    """The chart of a run as it stands now; what is still going on ends now. The task
    runs in ``without`` are kept from the reader."""
    now = timezone.now()
    loaded = load(run, without=without)
    steps = steps_of(loaded)
    closing = _closing(run, steps, now)
    busy = [(s.start, s.end or closing) for s in steps if _works(s)]
    waits = [(s.start, s.end or closing) for s in steps if s.kind == "wait"]
    axis = Axis(run.started_at or run.created_at, closing, busy)
    drawing = _Drawing(
        loaded,
        axis,
        closing,
        _usage_by_task(loaded),
        definition_of(run.team_version_id),
    )
    return Chart(
        lines=[drawing.line(step) for step in steps[:limit]],
        total=len(steps),
        asking=[s for s in steps if s.kind == "wait" and _is_pending(s)],
        axis=axis,
        worked_ms=total_ms(busy),
        waited_ms=total_ms(waits),
    )


def _works(step: Step) -> bool:
    if step.kind == "tool" and step.row.state == "WAITING_FOR_HUMAN":
        return False
    return step.kind in {"model", "tool"}


def _is_pending(step: Step) -> bool:
    return step.row.state == RequestState.PENDING


def _closing(run: Run, steps: Iterable[Step], now: datetime) -> datetime:
    """Where the axis ends: now, the run's end, or the last moment recorded."""
    if run.is_open:
        return now
    moments = [moment for s in steps for moment in (s.start, s.end) if moment]
    if run.finished_at:
        moments.append(run.finished_at)
    return max(moments, default=run.created_at)


def _usage_by_task(loaded: Loaded) -> dict[UUID, Usage]:
    """The use of each task run with that of all it delegated."""
    own: dict[UUID, Usage] = defaultdict(Usage)
    for task_id, calls in loaded.model_calls.items():
        own[task_id] = sum((_usage_of(call) for call in calls), Usage())
    tasks = [task for children in loaded.children.values() for task in children]
    for task in sorted(tasks, key=lambda task: -task.depth):
        if task.parent_id is not None:
            own[task.parent_id] += own[task.id]
    return own


def _usage_of(call: ModelCall) -> Usage:
    return Usage(
        call.input_tokens or 0, call.output_tokens or 0, call.cost or Decimal(0)
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    loaded: Loaded
    axis: Axis
    closing: datetime
    usage: dict[UUID, Usage]
    definition: TeamDefinition

    def line(self, step: Step) -> Line:
        row = step.row
        title, note = self._words(row)
        code = getattr(row, "error_code", "")
        return Line(
            step=step,
            title=title,
            note=note[:_NOTE_LENGTH],
            error=error_message(code, getattr(row, "error_params", {})) if code else "",
            time=figures.duration(
                figures.elapsed(step.start, step.end or self.closing)
            ),
            bar=self._bar((step.start, step.end or self.closing), step),
            usage=self._usage(row),
        )

    def _usage(self, row: Any) -> Usage | None:
        if isinstance(row, TaskRun):
            return self.usage.get(row.id)
        if isinstance(row, ModelCall) and row.input_tokens is not None:
            return _usage_of(row)
        return None

    def _bar(self, interval: Interval, step: Step) -> Bar:
        x, end = (self.axis.at(moment) for moment in interval)
        width = max(_NARROWEST, end - x)
        x = min(x, 100 - width)
        first = getattr(step.row, "first_token_at", None)
        head = f"{min(width, max(0.0, self.axis.at(first) - x)):.2f}%" if first else ""
        return Bar(f"{x:.2f}%", f"{width:.2f}%", head)

    def _words(self, row: Any) -> tuple[str, str]:
        match row:
            case TaskRun():
                return row.agent_name, self._of_task(row)
            case ModelCall():
                return _("Model call %(n)d") % {"n": row.round}, self._asked(row)
            case ToolCall(kind=ToolCallKind.HANDOFF):
                return self._handed_to(row), str(row.arguments.get("reason") or "")
            case ToolCall():
                return row.tool_name or row.name, _given(row)
            case Message():
                return _("Notice to the agent"), row.text
            case HumanRequest():
                return row.get_kind_display(), _wait_note(row)
        raise TypeError(row)

    def _of_task(self, task: TaskRun) -> str:
        """Its task, its place where agents follow each other, what it goes on with."""
        several = len(self.definition.members) > 1 and not task.leads
        parts = [task.task_name]
        if task.depth == 0 and several:
            handoff = self.definition.pattern == Pattern.HANDOFF
            words = _("turn %(n)d") if handoff else _("step %(n)d")
            parts.append(words % {"n": task.position + 1})
        call = task.origin_call
        if call and call.agent_uid and call.arguments.get("conversation_id"):
            parts.append(_("continued"))
        if task.limit_hit:
            parts.append(_("budget used up"))
        return " · ".join(part for part in parts if part)

    def _handed_to(self, call: ToolCall) -> str:
        agents = self.definition.agents
        agent = agents.get(call.agent_uid) if call.agent_uid else None
        return f"→ {agent.name if agent else call.name}"

    def _asked(self, call: ModelCall) -> str:
        names = [c.tool_name or c.name for c in self.loaded.asked_by(call)]
        return "→ " + ", ".join(names) if names else ""


def _given(call: ToolCall) -> str:
    arguments = brief_arguments(call.arguments)
    if not call.edited:
        return arguments
    return _("%(arguments)s (changed by a person)") % {"arguments": arguments}


def brief_arguments(arguments: dict[str, Any]) -> str:
    """``customer_id: C-1001, limit: 3``, for a line."""
    return ", ".join(f"{name}: {value}" for name, value in arguments.items())


def _wait_note(request: HumanRequest) -> str:
    if request.kind == RequestKind.APPROVAL or not request.prompt:
        what = request.call.tool_name or request.call.name
    else:
        what = request.prompt
    if request.decided_by:
        return _("%(what)s · %(person)s") % {
            "what": what,
            "person": request.decided_by.get_username(),
        }
    return what


def path_of(chart: Chart) -> list[TaskRun]:
    """The task runs in the order they were opened: who worked on the run."""
    return [line.step.row for line in chart.lines if isinstance(line.step.row, TaskRun)]

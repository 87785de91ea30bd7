"""What agents and their tools do, each in a line: in a tool's own words where it has
some, else its name and the values it was given."""

from __future__ import annotations

import json
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.choices import TASK_RUN_OPEN, ToolCallKind, ToolCallState
from conversations.models import TaskRun, ToolCall
from conversations.selectors.transcript_rows import TranscriptRows
from teams.definition import ToolDefinition

LINE_HEAD = 80
SAID_AT_MOST = 3


def summary(rows: TranscriptRows, task: TaskRun) -> str:
    """What the task does just now, or what it has done."""
    told = (ToolCallKind.FUNCTION, ToolCallKind.DELEGATE)
    calls = [c for c in rows.calls_by_task.get(task.id, ()) if c.kind in told]
    if task.state in TASK_RUN_OPEN:
        return going_on(rows, calls[-1]) if calls else ""
    if len(calls) <= SAID_AT_MOST:
        return ", ".join(came_of(rows, call) for call in calls)
    text = ngettext("%(n)d tool call", "%(n)d tool calls", len(calls))
    return text % {"n": len(calls)}


def going_on(rows: TranscriptRows, call: ToolCall) -> str:
    """``Look up account C-1001``."""
    if call.kind == ToolCallKind.DELEGATE:
        return _("asks %(agent)s") % {"agent": _asked(rows, call)}
    tool = tool_of(rows, call)
    return (tool and tool.will_do(call.arguments)) or named(call)


def came_of(rows: TranscriptRows, call: ToolCall) -> str:
    """``looked up account C-1001``; what was not done is not said to be done."""
    if call.state != ToolCallState.SUCCEEDED:
        what = {"what": going_on(rows, call), "state": call.get_state_display()}
        return _("%(what)s: %(state)s") % what
    if call.kind == ToolCallKind.DELEGATE:
        return _("asked %(agent)s") % {"agent": _asked(rows, call)}
    return done(rows, call) or named(call)


def done(rows: TranscriptRows, call: ToolCall) -> str:
    """What a call that succeeded has done; empty where its tool does not say."""
    tool = tool_of(rows, call)
    return tool.has_done(call.arguments) if tool else ""


def tool_of(rows: TranscriptRows, call: ToolCall) -> ToolDefinition | None:
    tools = rows.definition(rows.run_of(call)).tools
    return tools.get(call.tool_uid) if call.tool_uid else None


def _asked(rows: TranscriptRows, call: ToolCall) -> str:
    """The agent it was delegated to, as far as it is known."""
    tasks = rows.tasks.values()
    child = next((t for t in tasks if t.origin_call_id == call.id), None)
    return child.agent_name if child else call.tool_name or call.name


def named(call: ToolCall) -> str:
    line = argument_line(call.arguments)
    return f"{call.tool_name or call.name} {line}".strip()


def argument_line(arguments: dict[str, Any]) -> str:
    """The values in a line, as one would say them."""
    return Truncator(", ".join(map(shown, arguments.values()))).chars(LINE_HEAD)


def shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

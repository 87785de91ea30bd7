"""What the cards that ask say, and the line that remains of each."""

from __future__ import annotations

from django.utils.translation import gettext as _

from conversations.choices import (
    RequestKind,
    RequestState,
    ToolCallState,
)
from conversations.models import HumanRequest, ToolCall
from conversations.selectors import doings
from conversations.selectors.leaf_facts import (
    Facts,
    label,
    pairs,
    path,
    pretty,
    readable,
)
from conversations.selectors.transcript_rows import TranscriptRows


def of_request(rows: TranscriptRows, request: HumanRequest) -> Facts:
    call = rows.calls[request.call_id]
    task = rows.tasks[request.task_run_id]
    arguments = request.edited if request.edited is not None else call.arguments
    tool = call.tool_name or call.name
    question = request.kind == RequestKind.QUESTION
    return {
        "pending": request.state == RequestState.PENDING,
        "question": question,
        "approval": request.kind == RequestKind.APPROVAL,
        "asker": task.agent_name,
        "path": path(rows, task) or [label(task)],
        "name": _name(request, tool, task.agent_name),
        **_words(rows, request, call),
        "pairs": [] if question else pairs(arguments),
        "json": "" if question else pretty(arguments),
        "original": "" if request.edited is None else readable(call.asked or "{}"),
        "decision": _decision(request),
    }


def _words(rows: TranscriptRows, request: HumanRequest, call: ToolCall) -> Facts:
    """``sentence`` says what will happen, or what is asked; ``about`` what the tool is
    for, where it has no sentence. ``what`` and ``outcome`` stand around the decision:
    what was decided on, unless the outcome says it."""
    tool = doings.tool_of(rows, call)
    name = tool.title if tool else call.tool_name or call.name
    agent = rows.tasks[request.task_run_id].agent_name
    question = request.kind == RequestKind.QUESTION
    ran = request.state == RequestState.APPROVED
    came = doings.done(rows, call) if ran and _succeeded(call) else ""
    planned = tool.will_do(request.edited or call.arguments) if tool else ""
    return {
        "sentence": request.prompt or _sentence(request, name, agent),
        "about": "" if request.prompt or not tool else _first_line(tool.description),
        "may_remember": tool is not None and tool.remember_approval,
        "what": "" if question or came else planned or name,
        "outcome": came or (str(call.get_state_display()) if ran else ""),
    }


def _succeeded(call: ToolCall) -> bool:
    return call.state == ToolCallState.SUCCEEDED


def _name(request: HumanRequest, tool: str, agent: str) -> str:
    """The accessible name of the card; it begins with its tool, or says Question."""
    if request.kind == RequestKind.QUESTION:
        return _("Question from %(agent)s") % {"agent": agent}
    if request.kind == RequestKind.RECOVERY:
        return _("%(tool)s was interrupted") % {"tool": tool}
    return _("%(tool)s: approval for %(agent)s") % {"tool": tool, "agent": agent}


def _sentence(request: HumanRequest, tool: str, agent: str) -> str:
    names = {"agent": agent, "tool": tool}
    if request.kind == RequestKind.RECOVERY:
        return _("%(tool)s was interrupted, and it is not known whether it ran.") % (
            names
        )
    return _("%(agent)s wants to use %(tool)s.") % names


def _decision(request: HumanRequest) -> str:
    """``Approved by alice``; without a name where no person decided."""
    word = str(request.get_state_display())
    if request.kind == RequestKind.RECOVERY and request.answer:
        word = {
            "retry": _("Tried again"),
            "skip": _("Skipped"),
            "fail": _("Counted as failed"),
        }.get(request.answer, word)
    if request.decided_by is None:
        return word
    names = {"word": word, "name": request.decided_by.get_username()}
    if request.edited is not None:
        return _("%(word)s with changes by %(name)s") % names
    return _("%(word)s by %(name)s") % names


def _first_line(text: str) -> str:
    return text.strip().split("\n")[0]

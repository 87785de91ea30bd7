"""The exact prompt of a model call, made again from the rows, as blocks of a page."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.engine.prompt import RebuiltPrompt, rebuild
from conversations.models import ModelCall
from conversations.trace.texts import is_long, json_block, payload_block, plain_block

logger = logging.getLogger("supervisor.trace")

# The rest of the body is shown as its parameters.
_OWN_PLACE = {"messages", "tools"}


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message as it was sent; ``calls`` are the function calls of a reply."""

    role: str
    note: str
    is_long: bool
    blocks: list[SafeString]


@dataclass(frozen=True, slots=True)
class Prompt:
    """``problem`` says why a prompt cannot be shown; ``agrees`` whether the hash of
    the rebuilt body is the one of the body sent."""

    problem: str = ""
    agrees: bool = False
    messages: tuple[PromptMessage, ...] = ()
    tools: tuple[tuple[str, SafeString], ...] = ()
    parameters: SafeString | str = ""


def rebuilt(call: ModelCall) -> RebuiltPrompt | str:
    """The body and whether it agrees, or a sentence on why it cannot be rebuilt."""
    try:
        return rebuild(call)
    except Exception:
        # A trace must open whatever a version of the rules made of its rows.
        logger.exception("prompt of model call %s cannot be rebuilt", call.pk)
        return _("The prompt cannot be rebuilt. The log has the details.")


def prompt_of(call: ModelCall, *, full: bool = False) -> Prompt:
    found = rebuilt(call)
    if isinstance(found, str):
        return Prompt(problem=found)
    body = found.body
    parameters = {name: value for name, value in body.items() if name not in _OWN_PLACE}
    return Prompt(
        agrees=found.agrees,
        messages=tuple(_message(m, full=full) for m in body.get("messages", [])),
        tools=tuple(_tool(tool) for tool in body.get("tools", [])),
        parameters=json_block(parameters),
    )


def kept_back() -> Prompt:
    """For who may not read all: any prompt may hold what hidden participants said."""
    return Prompt(problem=_("The team hides some texts of this prompt from people."))


def _message(message: dict[str, Any], *, full: bool) -> PromptMessage:
    content = message.get("content")
    role = str(message.get("role", ""))
    text = content if isinstance(content, str) else json.dumps(content, default=str)
    blocks = []
    if content:
        show = payload_block if role == "tool" else plain_block
        blocks.append(show(text, full=full))
    if message.get("reasoning_content"):
        blocks.append(plain_block(str(message["reasoning_content"]), full=full))
    calls = message.get("tool_calls") or []
    blocks += [json_block(call, full=full) for call in calls]
    names = ", ".join(str(call.get("function", {}).get("name", "")) for call in calls)
    return PromptMessage(
        role=role,
        note=f"→ {names}" if names else str(message.get("tool_call_id", "")),
        is_long=is_long(text),
        blocks=blocks,
    )


def _tool(tool: dict[str, Any]) -> tuple[str, SafeString]:
    function = tool.get("function", tool)
    return str(function.get("name", "")), json_block(function)

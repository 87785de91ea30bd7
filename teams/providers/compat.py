"""Switches for servers that contradict each other, and the request body they shape.

A profile's ``compat`` holds any of these (all optional):

``call_content``
    What an assistant message with calls but no text carries as content: ``"null"``
    (default), ``"empty"`` for an empty text, ``"omit"`` for no content at all.
``send_reasoning``
    ``true`` sends each assistant turn's reasoning back as ``reasoning_content``,
    an empty one where there was none. Some thinking models refuse history without.
``think_tag``
    Where a server leaves reasoning in the text: ``"auto"`` (default) takes a
    ``<think>`` block from the beginning, ``"prefilled"`` says that the text begins
    inside such a block, ``"off"`` leaves the text alone.
``stream``
    ``false`` asks for the reply in one piece.
``stream_usage``
    ``false`` leaves out ``stream_options``, for servers that refuse it.
``parallel_tool_calls``
    ``true`` or ``false`` is sent as it is when functions are offered; by default
    nothing is.
``tool_choice``
    ``false`` leaves out ``"auto"``, which is otherwise sent with offered functions,
    as some servers ignore functions without it.
``max_tokens``
    The name of the reply's token limit: ``"max_tokens"`` or
    ``"max_completion_tokens"``. By default the parameters' own name stays.
``system_role``
    ``"system"`` (default) or ``"developer"``.
``result_name``
    ``true`` names the function in each tool result.
``short_call_ids``
    ``true`` sends call ids of nine letters and digits, as Mistral's models ask for.

The server of llama-cpp-python needs ``{"call_content": "empty"}``, and
``{"stream": false}`` where its streams come back empty; llama.cpp's own server needs
none.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.utils.translation import gettext as _

from teams.providers.fragments import is_object
from teams.providers.history import repaired
from teams.providers.types import Connection, ModelRequest

CHOICES: dict[str, tuple[Any, ...]] = {
    "call_content": ("null", "empty", "omit"),
    "send_reasoning": (True, False),
    "think_tag": ("auto", "prefilled", "off"),
    "stream": (True, False),
    "stream_usage": (True, False),
    "parallel_tool_calls": (None, True, False),
    "tool_choice": (True, False),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "system_role": ("system", "developer"),
    "result_name": (True, False),
    "short_call_ids": (True, False),
}
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
# What the product decides itself, whatever a profile's parameters say.
OWN = frozenset(
    {"messages", "model", "n", "stream", "stream_options", "tool_choice", "tools"}
)

Message = dict[str, Any]


def compat_problems(compat: Any) -> list[str]:
    """Sentences on what is wrong with a profile's switches; none if all is well."""
    if not isinstance(compat, dict):
        return [_("The switches must be an object.")]
    problems = []
    for name, value in compat.items():
        if name not in CHOICES:
            known = ", ".join(sorted(CHOICES))
            problems.append(
                _("%(name)s is not a switch. Known are: %(known)s.")
                % {"name": name, "known": known}
            )
        elif not any(type(value) is type(c) and value == c for c in CHOICES[name]):
            allowed = ", ".join(json.dumps(choice) for choice in CHOICES[name])
            problems.append(
                _("%(name)s must be one of: %(allowed)s.")
                % {"name": name, "allowed": allowed}
            )
    return problems


def wire_body(connection: Connection, request: ModelRequest) -> dict[str, Any]:
    """The request body as it is sent. Equal connections and requests give equal
    bodies, so that a trace can build it again."""
    compat = connection.compat
    body = {k: v for k, v in connection.parameters.items() if k not in OWN}
    limit = compat.get("max_tokens")
    if limit:
        values = [body.pop(name) for name in TOKEN_LIMITS if name in body]
        if values:
            body[limit] = values[0]
    body["model"] = connection.model
    body["messages"] = _messages(request.messages, compat)
    if request.tools:
        body["tools"] = request.tools
        if compat.get("tool_choice", True):
            body["tool_choice"] = "auto"
        if compat.get("parallel_tool_calls") is not None:
            body["parallel_tool_calls"] = compat["parallel_tool_calls"]
    else:
        body.pop("parallel_tool_calls", None)
    if compat.get("stream", True):
        body["stream"] = True
        if compat.get("stream_usage", True):
            body["stream_options"] = {"include_usage": True}
    return body


def digest(body: dict[str, Any]) -> str:
    """SHA-256 of the body, whatever the order of its keys."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _messages(messages: list[Message], compat: dict[str, Any]) -> list[Message]:
    sent = [_message(message, compat) for message in repaired(messages)]
    if compat.get("result_name"):
        _name_results(sent)
    if compat.get("short_call_ids"):
        _shorten_ids(sent)
    return sent


def _message(message: Message, compat: dict[str, Any]) -> Message:
    role = message.get("role")
    if role == "system" and compat.get("system_role") == "developer":
        return {**message, "role": "developer"}
    if role != "assistant":
        return message
    sent = {k: v for k, v in message.items() if k != "reasoning_content"}
    if compat.get("send_reasoning"):
        sent["reasoning_content"] = message.get("reasoning_content") or ""
    if sent.get("tool_calls"):
        sent["tool_calls"] = [_call(call) for call in sent["tool_calls"]]
        if not sent.get("content"):
            _empty_content(sent, compat.get("call_content", "null"))
    return sent


def _empty_content(message: Message, choice: str) -> None:
    if choice == "omit":
        message.pop("content", None)
    else:
        message["content"] = "" if choice == "empty" else None


def _call(call: dict[str, Any]) -> dict[str, Any]:
    """Servers that parse the arguments of old calls fail on what is no object."""
    function = call["function"]
    if is_object(function.get("arguments") or ""):
        return call
    return {**call, "function": {**function, "arguments": "{}"}}


def _name_results(messages: list[Message]) -> None:
    names = {
        call["id"]: call["function"]["name"]
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            name = names.get(message.get("tool_call_id"), "")
            messages[number] = {**message, "name": name}


def _shorten_ids(messages: list[Message]) -> None:
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            short = _short(message["tool_call_id"])
            messages[number] = {**message, "tool_call_id": short}
        elif message.get("tool_calls"):
            calls = [{**c, "id": _short(c["id"])} for c in message["tool_calls"]]
            messages[number] = {**message, "tool_calls": calls}


def _short(id_: str) -> str:
    if len(id_) == 9 and id_.isascii() and id_.isalnum():
        return id_
    return hashlib.sha256(id_.encode()).hexdigest()[:9]

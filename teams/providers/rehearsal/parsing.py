"""A chat-completions body as what the rules work on; odd parts count as empty."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

# The product's own tools; their names are reserved (contract).
DELEGATE = "delegate_to_worker"
ASK = "ask_human"


class BadRequest(ValueError):
    """The body is no chat-completions request; the text says why."""


@dataclass(frozen=True, slots=True)
class Function:
    """A tool as it is offered: ``parameters`` is its JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A call made in a turn, with the text that came back (``None``: nothing yet)."""

    name: str
    arguments: dict[str, Any]
    result: str | None


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person (or a supervisor) asked, what was called for it, the answer."""

    user: str
    steps: tuple[Step, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """``turn`` is the one to answer now; ``history`` holds those before it."""

    system: str
    history: tuple[Turn, ...]
    turn: Turn
    functions: tuple[Function, ...]
    delegate: Function | None
    ask: Function | None
    choice: str

    @property
    def last_work(self) -> Turn | None:
        """The last earlier turn in which something was done, and answered."""
        answered = [turn for turn in self.history if turn.answer]
        worked = [turn for turn in answered if turn.steps]
        return next(reversed(worked or answered), None)


def parse(body: Any) -> Prompt:
    """Raises BadRequest unless ``messages`` is a list of objects."""
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
        raise BadRequest("'messages' must be a list of objects")
    choice = _choice(body.get("tool_choice"))
    offered = _functions(body.get("tools"))
    if choice not in ("auto", "none", "required"):
        offered = [function for function in offered if function.name == choice]
    elif choice == "none":
        offered = []
    system = [_text(m) for m in messages if m.get("role") in ("system", "developer")]
    turns = _turns(messages)
    by_name = {function.name: function for function in offered}
    return Prompt(
        system="\n\n".join(system),
        history=tuple(turns[:-1]),
        turn=turns[-1] if turns else Turn(""),
        functions=tuple(f for f in offered if f.name not in (DELEGATE, ASK)),
        delegate=by_name.get(DELEGATE),
        ask=by_name.get(ASK),
        choice=choice,
    )


def _choice(given: Any) -> str:
    """``auto``, ``none``, ``required`` or the name of the one function to call."""
    if isinstance(given, dict):
        function = given.get("function")
        given = function.get("name") if isinstance(function, dict) else None
    return given if isinstance(given, str) and given else "auto"


def _functions(tools: Any) -> list[Function]:
    found = []
    for tool in tools if isinstance(tools, list) else []:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            continue
        parameters = function.get("parameters")
        found.append(
            Function(
                function["name"],
                str(function.get("description") or ""),
                parameters if isinstance(parameters, dict) else {},
            )
        )
    return found


def _text(message: dict[str, Any]) -> str:
    """The text of a message, whose content may come in parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _turns(messages: list[dict[str, Any]]) -> list[Turn]:
    """One turn for each user message; what comes before the first is left out."""
    results = {
        str(m.get("tool_call_id")): _text(m)
        for m in messages
        if m.get("role") == "tool"
    }
    turns: list[Turn] = []
    for message in messages:
        role = message.get("role")
        if role == "user":
            turns.append(Turn(_text(message)))
        elif role == "assistant" and turns:
            last = turns[-1]
            steps = (*last.steps, *_steps(message, results))
            turns[-1] = Turn(last.user, steps, _text(message) or last.answer)
    return turns


def _steps(message: dict[str, Any], results: dict[str, str]) -> list[Step]:
    calls = message.get("tool_calls")
    steps = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            name = str(function.get("name") or "")
            arguments = _arguments(function.get("arguments"))
            steps.append(Step(name, arguments, results.get(str(call.get("id")))))
    return steps


def _arguments(given: Any) -> dict[str, Any]:
    try:
        found = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}

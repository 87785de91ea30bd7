"""A chat-completions body as what the rules work on; odd parts count as empty."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

# The product's own tools; their names are reserved (contract).
DELEGATE = "delegate_to_worker"
ASK = "ask_human"
HANDOVER = "handoff_to_"

# What the product itself says in a person's place, and what it is about.
GO_ON, ALONE, BUDGET, UNFIT = "go on", "alone", "budget", "unfit"
_NOTICES = (
    (GO_ON, re.compile(r"Please go on with my request\.$")),
    (ALONE, re.compile(r"User did not respond\.")),
    (BUDGET, re.compile(r"Your budget for this task is used up\b")),
    (UNFIT, re.compile(r"Your answer does not satisfy the schema\b")),
)

# The rule of a conversation that several agents share, and how theirs begin.
_SHARED = re.compile(r"marked with a name in square brackets")
_SAID_BY = re.compile(r"\[([^\[\]\n]{1,200})\] ")

_SCHEMA = re.compile(r"Answer with JSON only, satisfying this JSON Schema:\s*(?=\{)")


class BadRequest(ValueError):
    """The body is no chat-completions request; the text says why."""


@dataclass(frozen=True, slots=True)
class Function:
    """A tool as it is offered: ``parameters`` is its JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]

    @property
    def is_agent(self) -> bool:
        """Whether it stands for an agent with a conversation of its own."""
        properties = self.parameters.get("properties")
        return isinstance(properties, dict) and set(properties) == {
            "prompt",
            "conversation_id",
        }


@dataclass(frozen=True, slots=True)
class Step:
    """A call made in a turn, with the text that came back (``None``: nothing yet)."""

    name: str
    arguments: dict[str, Any]
    result: str | None


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person (or a supervisor) asked, what was called for it, the answer.

    ``others`` are other agents' names and texts; ``others_last`` says that one of them
    spoke last. ``notice`` is what the product said, as long as it is unanswered.
    """

    user: str
    steps: tuple[Step, ...] = ()
    answer: str = ""
    others: tuple[tuple[str, str], ...] = ()
    others_last: bool = False
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """``turn`` is the one to answer now; ``history`` holds those before it.
    ``shared``: other agents take part; ``handovers`` are the tools that lead to them.
    ``schema`` is what the answer has to satisfy, if it is to be JSON."""

    system: str
    history: tuple[Turn, ...]
    turn: Turn
    functions: tuple[Function, ...]
    handovers: tuple[Function, ...]
    shared: bool
    schema: dict[str, Any] | None
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
    told = [_text(m) for m in messages if m.get("role") in ("system", "developer")]
    system = "\n\n".join(told)
    handovers = tuple(f for f in offered if f.name.startswith(HANDOVER))
    shared = bool(handovers) or bool(_SHARED.search(system))
    turns = _turns(messages, shared=shared)
    by_name = {function.name: function for function in offered}
    own = (DELEGATE, ASK, *(function.name for function in handovers))
    return Prompt(
        system=system,
        history=tuple(turns[:-1]),
        turn=turns[-1] if turns else Turn(""),
        functions=tuple(f for f in offered if f.name not in own),
        handovers=handovers,
        shared=shared,
        schema=_schema(system),
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


def _schema(system: str) -> dict[str, Any] | None:
    """The JSON Schema the rules name, if the answer is to be JSON."""
    match = _SCHEMA.search(system)
    if match is None:
        return None
    try:
        found, _end = json.JSONDecoder().raw_decode(system, match.end())
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _turns(messages: list[dict[str, Any]], *, shared: bool) -> list[Turn]:
    """One turn for each request; what comes before the first is left out."""
    results = {
        str(m.get("tool_call_id")): _text(m)
        for m in messages
        if m.get("role") == "tool"
    }
    turns: list[Turn] = []
    for message in messages:
        role = message.get("role")
        if role == "user":
            _hear(turns, _text(message), shared=shared)
        elif role == "assistant" and turns:
            last = turns[-1]
            turns[-1] = replace(
                last,
                steps=(*last.steps, *_steps(message, results)),
                answer=_text(message) or last.answer,
                others_last=False,
                notice="",
            )
    return turns


def _hear(turns: list[Turn], text: str, *, shared: bool) -> None:
    """What was not said by itself: a notice, another agent's text, or a request."""
    notice = next((kind for kind, sign in _NOTICES if sign.match(text)), "")
    said = _SAID_BY.match(text) if shared else None
    if turns and notice:
        turns[-1] = replace(turns[-1], notice=notice)
    elif said:
        others = (said[1], text[said.end() :])
        last = turns.pop() if turns else Turn("")
        turns.append(replace(last, others=(*last.others, others), others_last=True))
    else:
        turns.append(Turn(text))


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

"""What a model is offered: product tools and the agent's own, as function schemas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from conversations.choices import ToolCallKind
from conversations.models import TaskRun
from teams.definition import TeamDefinition, ToolDefinition

DELEGATE = "delegate_to_worker"
ASK_HUMAN = "ask_human"


@dataclass(frozen=True)
class Offer:
    """One function a model may call; ``schema`` is its wire form."""

    name: str
    kind: ToolCallKind
    schema: dict[str, Any]
    tool: ToolDefinition | None = None


def offers_for(
    definition: TeamDefinition, task: TaskRun, *, read_only: bool
) -> tuple[Offer, ...]:
    """While leading, an agent gets the delegation tool and the human tool only (S5);
    otherwise the tools of its task and its own (S6), in a read-only run those that
    change nothing."""
    return _offers(
        _ByIdentity(definition), task.agent_uid, task.task_uid, task.leads, read_only
    )


@dataclass(frozen=True, eq=False)
class _ByIdentity:
    """Definitions are cached one object a version, so identity is equality."""

    definition: TeamDefinition

    def __hash__(self) -> int:
        return id(self.definition)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.definition is other.definition


@lru_cache(maxsize=1024)
def _offers(
    key: _ByIdentity,
    agent: UUID,
    task: UUID | None,
    leads: bool,  # noqa: FBT001
    read_only: bool,  # noqa: FBT001
) -> tuple[Offer, ...]:
    definition = key.definition
    offers: list[Offer] = []
    if leads:
        offers.append(_delegation(definition))
    else:
        tools = definition.tools_of(agent, task)
        offers += [_function(tool) for tool in tools if tool.read_only or not read_only]
    if definition.may_ask(agent, task):
        offers.append(_human())
    return tuple(offers)


def _schema(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": parameters,
        },
    }


def _function(tool: ToolDefinition) -> Offer:
    description = " ".join(
        part for part in (tool.description, tool.instruction) if part
    )
    parameters = tool.parameters or {"type": "object", "properties": {}}
    schema = _schema(tool.function_name, description or tool.title, parameters)
    return Offer(tool.function_name, ToolCallKind.FUNCTION, schema, tool)


def _delegation(definition: TeamDefinition) -> Offer:
    parameters = {
        "type": "object",
        "properties": {
            "worker": {
                "type": "string",
                "enum": [definition.label(member) for member in definition.members],
                "description": "The worker that is to do this subtask.",
            },
            "request": {
                "type": "string",
                "description": "The subtask in full: the worker sees nothing else, so "
                "put in every id, name, value and earlier result it needs.",
            },
        },
        "required": ["worker", "request"],
    }
    description = (
        "Hand one self-contained subtask to one worker and wait for its result. "
        "One worker at a time."
    )
    return Offer(
        DELEGATE, ToolCallKind.DELEGATE, _schema(DELEGATE, description, parameters)
    )


def _human() -> Offer:
    parameters = {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "What you need to know."},
            "choices": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Possible answers, where there are only a few.",
            },
        },
        "required": ["question"],
    }
    description = "Ask the person a question and wait for the answer."
    return Offer(
        ASK_HUMAN, ToolCallKind.ASK_HUMAN, _schema(ASK_HUMAN, description, parameters)
    )

"""What a model is offered: product tools and the agent's own, as function schemas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from conversations.choices import ToolCallKind
from conversations.engine.budget import reports_only
from conversations.models import TaskRun
from teams.choices import Pattern
from teams.definition import (
    AgentDefinition,
    HandoffDefinition,
    TeamDefinition,
    ToolDefinition,
)

DELEGATE = "delegate_to_worker"
ASK_HUMAN = "ask_human"


@dataclass(frozen=True)
class Offer:
    """One function a model may call; ``schema`` is its wire form. ``agent`` is who
    gets a delegation or a handover."""

    name: str
    kind: ToolCallKind
    schema: dict[str, Any]
    tool: ToolDefinition | None = None
    agent: UUID | None = None


def offers_for(
    definition: TeamDefinition, task: TaskRun, *, read_only: bool
) -> tuple[Offer, ...]:
    """What the agent may call in this task.

    While leading: the delegation tool and the human tool only (S5). Otherwise the
    tools of its task and its own (S6), its delegates (D1) and, for a participant of
    a handoff team, a tool for each allowed target (H2). In a read-only run nothing
    that changes anything is offered (D4); who may only report is offered nothing.
    """
    if reports_only(definition.agents[task.agent_uid], task):
        return ()
    role = (
        "leads" if task.leads else "takes part" if takes_part(definition, task) else ""
    )
    return _offers(
        _ByIdentity(definition), task.agent_uid, task.task_uid, role, read_only
    )


def takes_part(definition: TeamDefinition, task: TaskRun) -> bool:
    """Whether this is a participant's own turn, not a delegate's or a worker's task."""
    return definition.pattern == Pattern.HANDOFF and task.parent_id is None


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
    role: str,
    read_only: bool,  # noqa: FBT001
) -> tuple[Offer, ...]:
    definition = key.definition
    offers: list[Offer] = []
    if role == "leads":
        offers.append(_delegation(definition))
    else:
        tools = definition.tools_of(agent, task)
        offers += [_function(tool) for tool in tools if tool.read_only or not read_only]
        delegates = definition.agents[agent].delegates
        offers += [_delegate(definition.agents[uid]) for uid in delegates]
    if role == "takes part":
        rules = definition.targets_of(agent)
        offers += [_handoff(definition.agents[rule.target], rule) for rule in rules]
    if definition.may_ask(agent, task):
        offers.append(_human())
    return tuple(offers)


def _delegate(agent: AgentDefinition) -> Offer:
    """A delegate as a tool: its role text is the description (D1)."""
    parameters = {
        "type": "object",
        "properties": {
            "prompt": {
                "type": "string",
                "description": "The request in full: nothing else is passed on.",
            },
            "conversation_id": {
                "type": "string",
                "description": "From an earlier answer of this agent, to go on with "
                "that conversation; leave it out to start a new one.",
            },
        },
        "required": ["prompt"],
    }
    name, about = agent.function_name, agent.role or agent.description
    return Offer(
        name, ToolCallKind.DELEGATE, _schema(name, about, parameters), agent=agent.uid
    )


def _handoff(agent: AgentDefinition, rule: HandoffDefinition) -> Offer:
    parameters = {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "description": "Why, in a few words."},
        },
    }
    about = rule.description or agent.description or f"What {agent.title} is there for."
    words = f"Hand the conversation over to {agent.title}. {about}"
    name = agent.handoff_name
    return Offer(
        name, ToolCallKind.HANDOFF, _schema(name, words, parameters), agent=agent.uid
    )


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

"""The frozen form of a team: what a run works on, whatever is edited meanwhile.

``TeamDefinition`` is stored as JSON in ``TeamVersion.definition``. Profiles are in
it with model, parameters and switches; their base URL and key stay in the live row
and are read at each call, so that a rotated key takes effect at once.

Schema history: 1 - supervised teams, sequential teams, an agent alone; 2 - delegates,
budgets, output schemas, run-as, task inputs, handoff teams, caps for the run.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from teams.sentences import sentence

SCHEMA_VERSION = 2


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Named(_Frozen):
    uid: UUID
    name: str
    display_name: str = ""
    description: str = ""

    @property
    def title(self) -> str:
        return self.display_name or self.name


class ProfileDefinition(_Named):
    provider: str
    model: str
    parameters: dict[str, Any] = {}
    compat: dict[str, Any] = {}
    timeout: int = 60
    max_retries: int = 2
    context_window: int | None = None
    input_price: str | None = None
    output_price: str | None = None


class ToolDefinition(_Named):
    """``function_name`` is what models see: unique within the version."""

    function_name: str
    tool_type: str
    instruction: str = ""
    function: str = ""
    action: str = ""
    action_done: str = ""
    tool_params: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    read_only: bool = False
    replay_safe: bool = False
    approval: Any = "never"
    remember_approval: bool = False
    timeout: int = 60

    def will_do(self, arguments: dict[str, Any]) -> str:
        """What a call will do, for people; empty where the tool does not say."""
        return sentence(self.action, arguments, self.parameters)

    def has_done(self, arguments: dict[str, Any]) -> str:
        return sentence(self.action_done, arguments, self.parameters)


class AgentDefinition(_Named):
    """``function_name`` is what a model sees of a delegate; ``handoff_name`` of a
    handoff target. Both are unique within the version. ``run_as`` is a user's id."""

    function_name: str = ""
    handoff_name: str = ""
    role: str
    profile: UUID
    enable_human_tool: bool = True
    tools: tuple[UUID, ...] = ()
    delegates: tuple[UUID, ...] = ()
    run_as: int | None = None
    max_iterations: int | None = None
    input_token_budget: int | None = None
    output_token_budget: int | None = None
    budget_strategy: str = "attempt_complete"
    output_schema: dict[str, Any] | None = None
    timeout: int = 300


class TaskDefinition(_Named):
    instruction: str
    tools: tuple[UUID, ...] = ()
    enable_human_tool: bool | None = None
    input: UUID | None = None


class HandoffDefinition(_Frozen):
    """Who may hand to whom, and when."""

    source: UUID
    target: UUID
    description: str = ""


class AutonomousDefinition(_Frozen):
    """Agents that go on without the person (H5); none named means all.

    A limit of N allows N further turns after the first reply.
    """

    agents: tuple[UUID, ...] = ()
    turn_limit: int = 50
    turn_limits: dict[UUID, int] = {}
    prompt: str = ""
    prompts: dict[UUID, str] = {}
    max_handoffs: int | None = None


class TerminationDefinition(_Frozen):
    """When a handoff conversation is over (H6): exactly one of the three."""

    contains: str = ""
    regex: str = ""
    predicate: str = ""
    scope: str = "last"
    ignore_case: bool = True
    include_user: bool = False


class OutputsDefinition(_Frozen):
    """Participants whose texts are a folded step, or hidden from the person (H9)."""

    intermediate: tuple[UUID, ...] = ()
    hidden: tuple[UUID, ...] = ()


class MemberDefinition(_Frozen):
    agent: UUID
    task: UUID | None = None


class TeamDefinition(_Named):
    schema_version: int = SCHEMA_VERSION
    pattern: str
    supervisor: UUID | None = None
    start_agent: UUID | None = None
    handoffs: tuple[HandoffDefinition, ...] = ()
    return_to: str = "previous"
    autonomous: AutonomousDefinition | None = None
    termination: TerminationDefinition | None = None
    outputs: OutputsDefinition = OutputsDefinition()
    run_token_budget: int | None = None
    run_cost_budget: str | None = None
    run_timeout: int | None = None
    members: tuple[MemberDefinition, ...]
    agents: dict[UUID, AgentDefinition]
    tasks: dict[UUID, TaskDefinition]
    tools: dict[UUID, ToolDefinition]
    profiles: dict[UUID, ProfileDefinition]

    def label(self, member: MemberDefinition) -> str:
        """``AGENT/TASK``, or ``AGENT`` where it has no task."""
        agent = self.agents[member.agent].name
        return f"{agent}/{self.tasks[member.task].name}" if member.task else agent

    def member_labelled(self, label: str) -> MemberDefinition | None:
        return next((m for m in self.members if self.label(m) == label), None)

    def tools_of(self, agent: UUID, task: UUID | None) -> list[ToolDefinition]:
        """The agent's own tools and its task's, each once (S1)."""
        uids = self.agents[agent].tools + (self.tasks[task].tools if task else ())
        return [self.tools[uid] for uid in dict.fromkeys(uids)]

    def may_ask(self, agent: UUID, task: UUID | None) -> bool:
        """Whether the human tool is offered: the task's word, else the agent's."""
        own = self.tasks[task].enable_human_tool if task else None
        return self.agents[agent].enable_human_tool if own is None else own

    @property
    def participants(self) -> tuple[UUID, ...]:
        """The agents of a handoff team, in list order."""
        return tuple(member.agent for member in self.members)

    def targets_of(self, agent: UUID) -> tuple[HandoffDefinition, ...]:
        """Whom the agent may hand to; without any rule, everyone else (H1)."""
        if self.handoffs:
            return tuple(rule for rule in self.handoffs if rule.source == agent)
        return tuple(
            HandoffDefinition(source=agent, target=other)
            for other in self.participants
            if other != agent
        )

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def digest(self) -> str:
        """SHA-256 of the canonical JSON: equal teams have equal digests."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

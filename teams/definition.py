"""The frozen form of a team: what a run works on, whatever is edited meanwhile.

``TeamDefinition`` is stored as JSON in ``TeamVersion.definition``. Profiles are in
it with model, parameters and switches; their base URL and key stay in the live row
and are read at each call, so that a rotated key takes effect at once.

Schema history: 1 - supervised teams, sequential teams, an agent alone.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1


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
    tool_params: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    read_only: bool = False
    replay_safe: bool = False
    approval: Any = "never"
    timeout: int = 60


class AgentDefinition(_Named):
    role: str
    profile: UUID
    enable_human_tool: bool = True
    tools: tuple[UUID, ...] = ()
    max_iterations: int | None = None
    timeout: int = 300


class TaskDefinition(_Named):
    instruction: str
    tools: tuple[UUID, ...] = ()
    enable_human_tool: bool | None = None


class MemberDefinition(_Frozen):
    agent: UUID
    task: UUID | None = None


class TeamDefinition(_Named):
    schema_version: int = SCHEMA_VERSION
    pattern: str
    supervisor: UUID | None = None
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

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def digest(self) -> str:
        """SHA-256 of the canonical JSON: equal teams have equal digests."""
        text = json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

"""The objects of ``/profiles`` … ``/teams`` as schemas.

What comes in is described here and judged by the services alone, so that REST,
import and admin refuse the same things in the same words.
"""

from __future__ import annotations

from typing import Any, Self

from ninja import Schema
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_validator,
)

from supervisor_site.api_base import Body


class Attributes(BaseModel):
    """Attributes as they were sent; they may also be nested under ``attributes``."""

    model_config = ConfigDict(extra="allow")

    _given: dict[str, Any] = PrivateAttr(default_factory=dict)

    name: str = ""
    display_name: str = ""
    description: str = ""
    enabled: bool = True

    @model_validator(mode="wrap")
    @classmethod
    def as_given(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Any JSON object passes, unread; the service names what is wrong in it."""
        if not isinstance(value, dict):
            return handler(value)
        return handler({}).keep(value)

    def keep(self, given: dict[str, Any]) -> Self:
        self._given = given
        return self

    @property
    def given(self) -> dict[str, Any]:
        return self._given


class ProfileAttributes(Attributes):
    provider: str = Field("openai", description="openai, env or rehearsal")
    base_url: str = Field("", description="Empty for the OpenAI API.")
    api_key: str | None = Field(None, description="Write-only; empty takes it away.")
    model: str = ""
    parameters: dict[str, Any] = {}
    compat: dict[str, Any] = {}
    timeout: int = 60
    max_retries: int = 2
    context_window: int | None = None
    input_price: float | str | None = Field(None, description="Per million tokens.")
    output_price: float | str | None = Field(None, description="Per million tokens.")
    calls_tools: bool | None = Field(
        None, description="Whether the model can; null: never tried."
    )


AS_FUNCTION = "A new tool: as its function says."


class ApprovalWhen(Schema):
    """A person is asked where the arguments satisfy this JSON Schema."""

    when: dict[str, Any]


class ToolAttributes(Attributes):
    tool_type: str = "FUNCTION"
    instruction: str = ""
    function: str = Field("", description="The registered name of a Python function.")
    action: str = Field(
        "",
        description="What a call will do, for people: Send an e-mail to {to}. "
        "Empty: as its function says.",
    )
    action_done: str = Field(
        "", description="The same once it is done: sent an e-mail to {to}."
    )
    tool_params: dict[str, Any] = {}
    parameters: dict[str, Any] = Field({}, description="JSON Schema of the arguments.")
    read_only: bool = Field(default=False, description=AS_FUNCTION)
    replay_safe: bool = Field(default=False, description=AS_FUNCTION)
    approval: str | ApprovalWhen = Field("never", description="never, always, or when")
    remember_approval: bool = Field(
        default=False,
        description="A person may allow it for the rest of a conversation.",
    )
    timeout: int = 60


class AgentAttributes(Attributes):
    profile_name: str = Field("", description="Needed for a new agent.")
    role: str = Field("", description="Needed for a new agent.")
    supervisor: bool = False
    enable_human_tool: bool = True
    tools: list[str] = []
    delegates: list[str] = Field([], description="Agents that it may call as tools.")
    run_as: str | None = Field(
        None, description="The user whose rights its tools use; null: who asks."
    )
    input_token_budget: int | None = Field(None, ge=1)
    output_token_budget: int | None = Field(None, ge=1)
    budget_strategy: str = Field(
        "attempt_complete", description="attempt_complete, error, summarize or ignore"
    )
    max_iterations: int | None = Field(None, ge=1, le=25)
    timeout: int = 300
    output_schema: dict[str, Any] | None = Field(
        None, description="JSON Schema that its answer must satisfy."
    )


class TaskAttributes(Attributes):
    instruction: str = Field("", description="Needed for a new task.")
    tools: list[str] = []
    enable_human_tool: bool | None = Field(None, description="null: as its agent")
    input: str | None = Field(
        None, description="The task whose result it gets; null: the step before."
    )


class DefinitionOut(Schema):
    name: str
    display_name: str
    description: str
    enabled: bool


class ProfileOut(DefinitionOut):
    provider: str
    base_url: str
    has_key: bool
    model: str
    parameters: dict[str, Any]
    compat: dict[str, Any]
    timeout: int
    max_retries: int
    context_window: int | None
    input_price: str | None
    output_price: str | None
    calls_tools: bool | None


class ToolOut(DefinitionOut):
    tool_type: str
    instruction: str
    function: str
    action: str
    action_done: str
    tool_params: dict[str, Any]
    parameters: dict[str, Any]
    read_only: bool
    replay_safe: bool
    approval: str | ApprovalWhen
    remember_approval: bool
    timeout: int


class AgentOut(DefinitionOut):
    profile_name: str
    role: str
    supervisor: bool
    enable_human_tool: bool
    tools: list[str]
    delegates: list[str]
    run_as: str | None
    input_token_budget: int | None
    output_token_budget: int | None
    budget_strategy: str
    max_iterations: int | None
    timeout: int
    output_schema: dict[str, Any] | None


class TaskOut(DefinitionOut):
    instruction: str
    tools: list[str]
    enable_human_tool: bool | None
    input: str | None


class ProfilePage(Schema):
    items: list[ProfileOut]
    count: int


class ToolPage(Schema):
    items: list[ToolOut]
    count: int


class AgentPage(Schema):
    items: list[AgentOut]
    count: int


class TaskPage(Schema):
    items: list[TaskOut]
    count: int


class ModelError(Schema):
    code: str
    params: dict[str, Any]


class ProfileTest(Schema):
    """What one small call of the profile's model came to."""

    ok: bool
    rehearsal: bool
    model: str | None
    latency_ms: int
    first_token_ms: int | None
    called_tool: bool
    text: str
    usage: dict[str, int] | None
    error: ModelError | None


class ToolArguments(Body):
    arguments: dict[str, Any] = {}


class ToolResult(Schema):
    """What the model would read; ``unknown``: it may or may not have had an effect."""

    ok: bool
    text: str
    unknown: bool


class BundleIn(Body):
    bundle: Any
    dry_run: bool = False
    replace: bool = False


class ChangeOut(Schema):
    action: str
    kind: str
    name: str
    attributes: list[str]
    message: str


class ImportOut(Schema):
    dry_run: bool
    changes: list[ChangeOut]

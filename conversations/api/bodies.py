"""What a request to this API may hold: bodies and filters."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import Field, model_validator

from conversations.choices import (
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from supervisor_site.api_base import Body

ClientId = Annotated[str, Field(max_length=100)]
Variables = Annotated[
    dict[
        Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=10_000)]
    ],
    Field(max_length=100),
]

NAMESPACES = ("instruction_variables", "attribute_variables", "state_variables")


class ConversationIn(Body):
    team: str
    title: str = Field("", max_length=200)


class ConversationPatch(Body):
    title: str = Field(max_length=200)


class MessageIn(Body):
    content: str
    client_id: ClientId = ""
    read_only: bool = False
    debug: bool = False


class RunIn(Body):
    """``team`` may be left out where ``conversation_id`` names a conversation.

    Run-time values stand under three names of their own or, as one object of these
    three, in ``variables``; a flat object of texts there is ``instruction_variables``.
    """

    team: str | None = None
    prompt: str
    conversation_id: UUID | None = None
    client_id: ClientId = ""
    read_only: bool = False
    debug: bool = False
    variables: Variables = {}
    instruction_variables: Variables = {}
    attribute_variables: dict[str, Any] = {}
    state_variables: dict[str, Any] = {}
    output_schema: dict[str, Any] | None = None
    wait: float = Field(0, ge=0, le=60, description="Seconds to wait for an end.")

    @model_validator(mode="before")
    @classmethod
    def out_of_variables(cls, given: Any) -> Any:
        """The three objects, where they stand inside ``variables``."""
        body = given if isinstance(given, dict) else getattr(given, "_obj", None)
        if not isinstance(body, dict) or not isinstance(body.get("variables"), dict):
            return given
        values = body["variables"]
        inside = {n: values[n] for n in NAMESPACES if isinstance(values.get(n), dict)}
        rest = {n: value for n, value in values.items() if n not in inside}
        return {**body, "variables": rest, **inside} if inside else given


class ResponseIn(Body):
    """``answer`` settles a question, ``decision`` an approval or a recovery choice."""

    answer: str = ""
    decision: Literal["", "approve", "deny", "retry", "skip", "fail"] = ""
    arguments: dict[str, Any] | None = None
    reason: str = ""
    remember: bool = False


class ConversationFilters(Schema):
    everyone: bool = Field(default=False, alias="all")


class RunFilters(Schema):
    team: str | None = None
    state: list[RunState] = []
    user: str | None = None
    since: datetime | None = Field(None, alias="from")
    until: datetime | None = Field(None, alias="to")


class TaskRunFilters(Schema):
    run_id: UUID | None = None
    team: str | None = None
    agent: str | None = None
    task: str | None = None
    state: list[TaskRunState] = []
    user: str | None = None
    since: datetime | None = Field(None, alias="from")
    until: datetime | None = Field(None, alias="to")


class ToolCallFilters(Schema):
    run_id: UUID | None = None
    team: str | None = None
    agent: str | None = None
    tool: str | None = None
    kind: list[ToolCallKind] = []
    state: list[ToolCallState] = []
    user: str | None = None
    since: datetime | None = Field(None, alias="from")
    until: datetime | None = Field(None, alias="to")

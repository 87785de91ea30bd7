"""The objects of ``/teams`` as schemas; see ``teams.api.schemas``."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import BaseModel, ConfigDict, Field

from supervisor_site.api_base import Timestamp
from teams.api.schemas import Attributes, DefinitionOut


class Member(Schema):
    name: str
    task: str | None = None


class Access(Schema):
    everyone: bool = True
    groups: list[str] = []


class HandoffRule(BaseModel):
    """Who may hand to whom, and when."""

    model_config = ConfigDict(populate_by_name=True)

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    description: str = ""


class Autonomous(Schema):
    """Agents that go on without the person; none named: all (H5)."""

    agents: list[str] = []
    turn_limit: int = 50
    turn_limits: dict[str, int] = {}
    prompt: str = ""
    prompts: dict[str, str] = {}
    max_handoffs: int | None = None


class Termination(Schema):
    """When a handoff conversation is over: one of the first three (H6)."""

    contains: str = ""
    regex: str = ""
    predicate: str = Field("", description="The name of a registered predicate.")
    scope: str = Field("last", description="last or any")
    ignore_case: bool = True
    include_user: bool = False


class Outputs(Schema):
    """Participants whose texts are a folded step, or hidden (H9)."""

    intermediate: list[str] = []
    hidden: list[str] = []


class TeamAttributes(Attributes):
    pattern: str = Field(
        "",
        description="supervisor, sequential or handoff; by default supervisor with a "
        "supervisor_agent, handoff with a start_agent or handoffs, else sequential.",
    )
    process: str = "sequential"
    supervisor_agent: str | None = None
    agents: list[Member] = Field([], description="Needed for a new team.")
    start_agent: str | None = None
    handoffs: list[HandoffRule] = Field([], description="None: everyone to everyone.")
    return_to: str = Field("previous", description="previous or start")
    autonomous: Autonomous | None = None
    termination: Termination | None = None
    outputs: Outputs = Outputs()
    access: Access = Access()
    starters: list[str] = []
    overridable: list[str] = Field([], description="profile, tool_params")
    run_token_budget: int | None = Field(None, ge=1)
    run_cost_budget: float | str | None = None
    run_timeout: int | None = Field(None, ge=1, description="Seconds.")


class TeamCard(DefinitionOut):
    """What somebody sees of a team who may run it and not build."""

    pattern: str
    starters: list[str]


class TeamOut(TeamCard):
    process: str
    supervisor_agent: str | None
    agents: list[Member]
    access: Access
    overridable: list[str]
    run_token_budget: int | None
    run_cost_budget: str | None
    run_timeout: int | None
    # What follows has a handoff team only.
    start_agent: str | None = None
    handoffs: list[dict[str, str]] = []
    return_to: str = "previous"
    autonomous: dict[str, Any] | None = None
    termination: dict[str, Any] | None = None
    outputs: Outputs = Outputs()


class TeamPage(Schema):
    items: list[TeamOut | TeamCard]
    count: int


class AdviceObject(Schema):
    kind: str
    name: str


class AdviceOut(Schema):
    code: str
    severity: str
    message: str
    object: AdviceObject


class CheckOut(Schema):
    """``ok``: nothing would stop a run."""

    team: str
    ok: bool
    advice: list[AdviceOut]


class VersionOut(Schema):
    number: int
    digest: str
    created_at: Timestamp


class VersionPage(Schema):
    items: list[VersionOut]
    count: int


class VersionDetail(VersionOut):
    definition: dict[str, Any]
    overrides: dict[str, Any] = Field({}, description="What its run replaced.")

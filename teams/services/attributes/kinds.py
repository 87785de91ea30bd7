"""The attributes of each kind of definition (``contract.md``), and where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import NotFound
from teams.choices import (
    BudgetStrategy,
    Overridable,
    Pattern,
    Provider,
    ReturnTo,
    ToolType,
)
from teams.models import (
    Agent,
    Definition,
    HandoffRule,
    Profile,
    Task,
    Team,
    TeamMember,
    Tool,
)
from teams.rules.drafts import MemberDraft, RuleDraft
from teams.services.attributes import handover, links, members, readers
from teams.services.attributes.members import Access
from teams.services.attributes.readers import Reader

Put = Callable[[Any, Any], None]


@dataclass(frozen=True)
class Attribute:
    """How one attribute is read, put on its object before that is saved, and
    stored after it, where it is in rows of its own."""

    name: str
    read: Reader
    put: Put | None = None
    store: Put | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of definition. ``mutual`` are attributes that may name objects of the
    same kind, itself included; ``ignored`` are those that only answers carry."""

    name: str
    model: type[Definition]
    attributes: dict[str, Attribute]
    required: tuple[str, ...]
    mutual: frozenset[str] = frozenset()
    ignored: frozenset[str] = field(default_factory=frozenset)


def _plain(name: str, read: Reader, column: str = "") -> Attribute:
    return Attribute(
        name, read, put=lambda row, value: setattr(row, column or name, value)
    )


def _linked(name: str, read: Reader) -> Attribute:
    return Attribute(name, read, store=lambda row, value: getattr(row, name).set(value))


def _put_key(profile: Profile, key: str) -> None:
    profile.set_api_key(key)


def _put_access(team: Team, access: Access) -> None:
    if access.everyone is not None:
        team.access_everyone = access.everyone


def _store_access(team: Team, access: Access) -> None:
    if access.groups is not None:
        team.access_groups.set(access.groups)


def _store_members(team: Team, pairs: Iterable[MemberDraft]) -> None:
    team.members.all().delete()
    TeamMember.objects.bulk_create(
        TeamMember(team=team, position=position, agent=pair.agent, task=pair.task)
        for position, pair in enumerate(pairs)
    )


def _store_rules(team: Team, rules: Iterable[RuleDraft]) -> None:
    team.handoffs.all().delete()
    HandoffRule.objects.bulk_create(
        HandoffRule(
            team=team,
            source=rule.source,
            target=rule.target,
            description=rule.description,
        )
        for rule in rules
    )


def _put_schema(agent: Agent, schema: dict[str, Any] | None) -> None:
    # A schema that says nothing is none.
    agent.output_schema = schema or None


def _put_outputs(team: Team, outputs: dict[str, Any]) -> None:
    team.outputs = {name: named for name, named in outputs.items() if named}


COMMON = (
    _plain("name", readers.name),
    _plain("display_name", readers.line),
    _plain("description", readers.text),
    _plain("enabled", readers.flag),
)


def _by_name(*own: Attribute) -> dict[str, Attribute]:
    return {attribute.name: attribute for attribute in (*COMMON, *own)}


PROFILE = Kind(
    "profile",
    Profile,
    _by_name(
        _plain("provider", readers.one_of(Provider.values)),
        _plain("base_url", readers.line),
        Attribute("api_key", readers.line, _put_key),
        _plain("model", readers.line),
        _plain("parameters", readers.json_object),
        _plain("compat", readers.json_object),
        _plain("timeout", readers.number),
        _plain("max_retries", readers.number),
        _plain("context_window", readers.number_or_null),
        _plain("input_price", readers.price_or_null),
        _plain("output_price", readers.price_or_null),
        _plain("calls_tools", readers.flag_or_null),
    ),
    required=("name",),
    ignored=frozenset({"has_key"}),
)

TOOL = Kind(
    "tool",
    Tool,
    _by_name(
        _plain("tool_type", readers.one_of(ToolType.values, upper=True)),
        _plain("instruction", readers.text),
        _plain("function", readers.line),
        _plain("action", readers.line),
        _plain("action_done", readers.line),
        _plain("tool_params", readers.json_object),
        _plain("parameters", readers.json_object),
        _plain("read_only", readers.flag),
        _plain("replay_safe", readers.flag),
        _plain("approval", readers.as_given),
        _plain("remember_approval", readers.flag),
        _plain("timeout", readers.number),
    ),
    required=("name",),
)

AGENT = Kind(
    "agent",
    Agent,
    _by_name(
        _plain("profile_name", links.profile, "profile"),
        _plain("role", readers.text),
        _plain("supervisor", readers.flag),
        _plain("enable_human_tool", readers.flag),
        _linked("tools", links.tools),
        _linked("delegates", links.agents),
        _plain("run_as", links.user_or_none),
        _plain("input_token_budget", readers.number_or_null),
        _plain("output_token_budget", readers.number_or_null),
        _plain("budget_strategy", readers.one_of(BudgetStrategy.values)),
        _plain("max_iterations", readers.number_or_null),
        _plain("timeout", readers.number),
        Attribute("output_schema", readers.json_object_or_null, _put_schema),
    ),
    required=("name", "profile_name", "role"),
    mutual=frozenset({"delegates"}),
)

TASK = Kind(
    "task",
    Task,
    _by_name(
        _plain("instruction", readers.text),
        _linked("tools", links.tools),
        _plain("enable_human_tool", readers.flag_or_null),
        _plain("input", links.task_or_none),
    ),
    required=("name", "instruction"),
    mutual=frozenset({"input"}),
)

TEAM = Kind(
    "team",
    Team,
    _by_name(
        _plain("pattern", readers.one_of(Pattern.values)),
        _plain("process", readers.line),
        _plain("supervisor_agent", links.supervisor),
        Attribute("agents", members.agents, store=_store_members),
        _plain("start_agent", links.agent_or_none),
        Attribute("handoffs", handover.handoffs, store=_store_rules),
        _plain("return_to", readers.one_of(ReturnTo.values)),
        _plain("autonomous", readers.as_given_or_null),
        _plain("termination", readers.as_given_or_null),
        Attribute("outputs", readers.json_object, _put_outputs),
        Attribute("access", members.access, _put_access, _store_access),
        _plain("starters", readers.starters),
        _plain("overridable", readers.some_of(Overridable.values)),
        _plain("run_token_budget", readers.number_or_null),
        _plain("run_cost_budget", readers.price_or_null),
        _plain("run_timeout", readers.number_or_null),
    ),
    required=("name", "agents"),
)

KINDS = {kind.name: kind for kind in (PROFILE, TOOL, AGENT, TASK, TEAM)}


def kind_named(name: str) -> Kind:
    """Raises ``NotFound`` for a kind there is not."""
    if name not in KINDS:
        raise NotFound(_("There is no kind of object “%(name)s”.") % {"name": name})
    return KINDS[name]


def kind_of(definition: Definition) -> Kind:
    return KINDS[type(definition).__name__.lower()]

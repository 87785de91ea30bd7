"""What makes a handoff team sound (H0, H1, H5, H6, H9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import re2
from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from supervisor_site.common.names import name_key
from teams.rules.drafts import TeamDraft

CONDITIONS = ("contains", "regex", "predicate")
AUTONOMOUS = (
    "agents",
    "turn_limit",
    "turn_limits",
    "prompt",
    "prompts",
    "max_handoffs",
)
TERMINATION = (*CONDITIONS, "scope", "ignore_case", "include_user")
OUTPUTS = ("intermediate", "hidden")


def handoff_errors(draft: TeamDraft) -> list[FieldError]:
    """Fields: ``supervisor_agent``, ``agents.N.name``, ``start_agent``, ``handoffs.N``
    and the parts of ``autonomous``, ``termination`` and ``outputs``."""
    return [
        *_participants(draft),
        *_start(draft),
        *_rules(draft),
        *_autonomous(draft),
        *_termination(draft.termination),
        *_outputs(draft),
    ]


def _participants(draft: TeamDraft) -> Iterator[FieldError]:
    if draft.supervisor is not None:
        yield FieldError(
            "supervisor_agent",
            _("Nobody leads a handoff team: take “%(name)s” out.")
            % {"name": draft.supervisor.name},
        )
    if len(draft.members) < 2:
        yield FieldError("agents", _("Add at least two agents that hand over."))
    seen: set[int | None] = set()
    for number, member in enumerate(draft.members):
        if member.agent.pk in seen:
            yield FieldError(
                f"agents.{number}.name",
                _("“%(name)s” takes part already: remove one of the two.")
                % {"name": member.agent.name},
            )
        seen.add(member.agent.pk)


def _start(draft: TeamDraft) -> Iterator[FieldError]:
    if draft.start is None:
        yield FieldError("start_agent", _("Name the agent that starts."))
    elif draft.start.pk not in {member.agent.pk for member in draft.members}:
        yield FieldError(
            "start_agent",
            _("“%(name)s” starts but does not take part: add it to the agents.")
            % {"name": draft.start.name},
        )


def _rules(draft: TeamDraft) -> Iterator[FieldError]:
    taking_part = {member.agent.pk for member in draft.members}
    seen: set[tuple[int | None, int | None]] = set()
    for number, rule in enumerate(draft.rules):
        source, target = rule.source, rule.target
        for field, agent in (("from", source), ("to", target)):
            if agent.pk not in taking_part:
                yield _stranger(f"handoffs.{number}.{field}", agent.name)
        if source.pk == target.pk:
            yield FieldError(
                f"handoffs.{number}.to", _("An agent does not hand over to itself.")
            )
        if (source.pk, target.pk) in seen:
            yield FieldError(
                f"handoffs.{number}",
                _("This rule is there already: remove one of the two."),
            )
        seen.add((source.pk, target.pk))


def _stranger(field: str, name: str) -> FieldError:
    return FieldError(
        field, _("“%(name)s” does not take part in this team.") % {"name": name}
    )


def _names(draft: TeamDraft, field: str, names: Any) -> Iterator[FieldError]:
    known = {name_key(member.agent.name) for member in draft.members}
    if not isinstance(names, list | dict):
        yield FieldError(field, _("List the names of agents."))
        return
    for name in names:
        if name_key(str(name)) not in known:
            yield _stranger(field, str(name))


def _unknown(
    field: str, given: dict[str, Any], known: Iterable[str]
) -> Iterator[FieldError]:
    for name in given:
        if name not in known:
            yield FieldError(
                f"{field}.{name}",
                _("There is no such attribute; known are: %(known)s.")
                % {"known": ", ".join(known)},
            )


def _whole(field: str, value: Any, *, least: int) -> Iterator[FieldError]:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        yield FieldError(
            field, _("Write a whole number of at least %(least)d.") % {"least": least}
        )


def _autonomous(draft: TeamDraft) -> Iterator[FieldError]:
    mode = draft.autonomous
    if mode is None:
        return
    if not isinstance(mode, dict):
        yield FieldError("autonomous", _("Write an object, or leave it empty."))
        return
    yield from _unknown("autonomous", mode, AUTONOMOUS)
    for field in ("agents", "turn_limits", "prompts"):
        yield from _names(draft, f"autonomous.{field}", mode.get(field) or [])
    yield from _whole("autonomous.turn_limit", mode.get("turn_limit", 50), least=0)
    if mode.get("max_handoffs") is not None:
        yield from _whole("autonomous.max_handoffs", mode["max_handoffs"], least=1)
    limits = mode.get("turn_limits") or {}
    if isinstance(limits, dict):
        for name, limit in limits.items():
            yield from _whole(f"autonomous.turn_limits.{name}", limit, least=0)


def _termination(condition: Any) -> Iterator[FieldError]:
    if condition is None:
        return
    if not isinstance(condition, dict):
        yield FieldError("termination", _("Write an object, or leave it empty."))
        return
    yield from _unknown("termination", condition, TERMINATION)
    given = [name for name in CONDITIONS if condition.get(name)]
    if len(given) != 1:
        yield FieldError(
            "termination",
            _("Give exactly one of: %(known)s.") % {"known": ", ".join(CONDITIONS)},
        )
    if condition.get("scope", "last") not in ("last", "any"):
        yield FieldError("termination.scope", _("Write “last” or “any”."))
    yield from _condition(condition)


def _condition(condition: dict[str, Any]) -> Iterator[FieldError]:
    from teams.toolbox.predicates import registered_predicates

    if condition.get("regex"):
        try:
            re2.compile(str(condition["regex"]))
        except re2.error:
            yield FieldError("termination.regex", _("This is no regular expression."))
    predicate = condition.get("predicate")
    if predicate and predicate not in registered_predicates():
        yield FieldError(
            "termination.predicate",
            _("No predicate is registered as “%(name)s”.") % {"name": predicate},
        )


def _outputs(draft: TeamDraft) -> Iterator[FieldError]:
    outputs = draft.outputs or {}
    if not isinstance(outputs, dict):
        yield FieldError("outputs", _("Write an object, or leave it empty."))
        return
    yield from _unknown("outputs", outputs, OUTPUTS)
    for field in OUTPUTS:
        yield from _names(draft, f"outputs.{field}", outputs.get(field) or [])
    both = {name_key(n) for n in outputs.get("intermediate") or []} & {
        name_key(n) for n in outputs.get("hidden") or []
    }
    if both:
        yield FieldError("outputs.hidden", _("An agent is either a step or hidden."))

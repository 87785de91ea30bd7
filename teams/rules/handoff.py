"""What makes a handoff team sound (H0, H1, H5, H6, H9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from supervisor_site.common.names import name_key
from teams.rules.drafts import TeamDraft
from teams.rules.schemas import readable

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
COUNT_MAX = 10_000


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


def _names(
    draft: TeamDraft, field: str, names: Any, kind: type[Any] = list
) -> Iterator[FieldError]:
    """Names of agents in a list, or as the keys of an object."""
    known = {name_key(member.agent.name) for member in draft.members}
    if not isinstance(names, kind) or not all(isinstance(n, str) for n in names):
        yield FieldError(
            field,
            _("List the names of agents.")
            if kind is list
            else _("Write an object with the names of agents."),
        )
        return
    for name in names:
        if name_key(name) not in known:
            yield _stranger(field, name)


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
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= value <= COUNT_MAX:
        yield FieldError(
            field,
            _("Write a whole number from %(least)d to %(most)d.")
            % {"least": least, "most": COUNT_MAX},
        )


def _text(field: str, value: Any) -> Iterator[FieldError]:
    if not isinstance(value, str):
        yield FieldError(field, _("Write a text."))


def _autonomous(draft: TeamDraft) -> Iterator[FieldError]:
    mode = draft.autonomous
    if mode is None:
        return
    if not isinstance(mode, dict):
        yield FieldError("autonomous", _("Write an object, or leave it empty."))
        return
    yield from _unknown("autonomous", mode, AUTONOMOUS)
    yield from _names(draft, "autonomous.agents", mode.get("agents") or [])
    yield from _whole("autonomous.turn_limit", mode.get("turn_limit", 50), least=0)
    if mode.get("max_handoffs") is not None:
        yield from _whole("autonomous.max_handoffs", mode["max_handoffs"], least=1)
    yield from _text("autonomous.prompt", mode.get("prompt") or "")
    limits, prompts = mode.get("turn_limits") or {}, mode.get("prompts") or {}
    yield from _names(draft, "autonomous.turn_limits", limits, dict)
    yield from _names(draft, "autonomous.prompts", prompts, dict)
    for name, limit in limits.items() if isinstance(limits, dict) else ():
        yield from _whole(f"autonomous.turn_limits.{name}", limit, least=0)
    for name, prompt in prompts.items() if isinstance(prompts, dict) else ():
        yield from _text(f"autonomous.prompts.{name}", prompt)


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
    for name in ("ignore_case", "include_user"):
        if not isinstance(condition.get(name, False), bool):
            yield FieldError(f"termination.{name}", _("Give true or false."))
    for name in CONDITIONS:
        # Also for the ones that are empty: null is no text.
        yield from _text(f"termination.{name}", condition.get(name, ""))
    yield from _condition(condition)


def _condition(condition: dict[str, Any]) -> Iterator[FieldError]:
    from teams.toolbox.predicates import registered_predicates

    if condition.get("regex") and not readable(str(condition["regex"])):
        yield FieldError("termination.regex", _("This is no regular expression."))
    predicate = condition.get("predicate")
    if predicate and predicate not in registered_predicates():
        known = ", ".join(sorted(registered_predicates())) or _("none")
        yield FieldError(
            "termination.predicate",
            _("No predicate is registered as “%(name)s”; there are: %(known)s.")
            % {"name": predicate, "known": known},
        )


def _outputs(draft: TeamDraft) -> Iterator[FieldError]:
    outputs = draft.outputs or {}
    if not isinstance(outputs, dict):
        yield FieldError("outputs", _("Write an object, or leave it empty."))
        return
    yield from _unknown("outputs", outputs, OUTPUTS)
    for field in OUTPUTS:
        yield from _names(draft, f"outputs.{field}", outputs.get(field) or [])
    steps, hidden = (_keys(outputs.get(field)) for field in OUTPUTS)
    if steps & hidden:
        yield FieldError("outputs.hidden", _("An agent is either a step or hidden."))


def _keys(names: Any) -> set[str]:
    given = names if isinstance(names, list) else []
    return {name_key(name) for name in given if isinstance(name, str)}

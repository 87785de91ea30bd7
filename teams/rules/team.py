"""What makes a team sound (S2, S3, S12)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from teams.choices import Pattern, Process
from teams.rules.drafts import TeamDraft
from teams.rules.handoff import handoff_errors


def team_errors(draft: TeamDraft) -> list[FieldError]:
    """All that is wrong with a team, one error a place; empty if it can be saved.

    Fields: ``pattern``, ``process``, ``supervisor_agent``, ``agents``, and
    ``agents.N.name`` or ``agents.N.task`` with N from 0.
    """
    errors = [*_form(draft)]
    if draft.pattern == Pattern.SUPERVISOR:
        errors += [*_leader(draft), *_workers(draft), *_repeated(draft)]
    elif draft.pattern == Pattern.HANDOFF:
        errors += handoff_errors(draft)
    else:
        errors += [*_steps(draft), *_inputs(draft)]
    return errors


def _form(draft: TeamDraft) -> Iterator[FieldError]:
    if draft.process != Process.SEQUENTIAL:
        yield FieldError(
            "process",
            _("“%(process)s” is no process; write “sequential”, or leave it out.")
            % {"process": draft.process},
        )
    if draft.pattern not in Pattern.values:
        yield FieldError(
            "pattern",
            _("“%(pattern)s” is no pattern; choose one of: %(known)s.")
            % {"pattern": draft.pattern, "known": ", ".join(Pattern.values)},
        )
    if draft.pattern == Pattern.SEQUENTIAL and draft.supervisor is not None:
        yield FieldError(
            "supervisor_agent",
            _(
                "A team of fixed order has no supervisor: take “%(name)s” out, or "
                "choose the pattern “%(pattern)s” (supervisor)."
            )
            % {"name": draft.supervisor.name, "pattern": Pattern.SUPERVISOR.label},
        )


def _leader(draft: TeamDraft) -> Iterator[FieldError]:
    leader = draft.supervisor
    if leader is None:
        yield FieldError(
            "supervisor_agent",
            _(
                "Name the agent that leads the team, or choose the pattern "
                "“%(pattern)s” (sequential)."
            )
            % {"pattern": Pattern.SEQUENTIAL.label},
        )
    elif not leader.supervisor:
        yield FieldError(
            "supervisor_agent",
            _(
                "“%(name)s” cannot lead a team: set supervisor to true on that agent, "
                "or name another one."
            )
            % {"name": leader.name},
        )


def _workers(draft: TeamDraft) -> Iterator[FieldError]:
    if not draft.members:
        yield FieldError(
            "agents",
            _("Add at least one agent with a task for the supervisor to delegate to."),
        )
    for number, member in enumerate(draft.members):
        if draft.supervisor is not None and member.agent.pk == draft.supervisor.pk:
            yield FieldError(
                f"agents.{number}.name",
                _(
                    "“%(name)s” leads this team and cannot work in it as well: take it "
                    "out of the agents, or name another supervisor."
                )
                % {"name": member.agent.name},
            )
        if member.task is None:
            yield FieldError(
                f"agents.{number}.task",
                _(
                    "Give “%(name)s” a task: a supervisor delegates to a pair of "
                    "agent and task."
                )
                % {"name": member.agent.name},
            )


def _repeated(draft: TeamDraft) -> Iterator[FieldError]:
    first: dict[tuple[int | None, int | None], int] = {}
    for number, member in enumerate(draft.members):
        if member.key in first:
            yield FieldError(
                f"agents.{number}.task" if member.task else f"agents.{number}.name",
                _("“%(pair)s” is in the team already: remove one of the two.")
                % {"pair": member.label},
            )
        first.setdefault(member.key, number)


def _steps(draft: TeamDraft) -> Iterator[FieldError]:
    if not draft.members:
        yield FieldError("agents", _("Add at least one agent."))
    if len(draft.members) < 2:
        return
    for number, member in enumerate(draft.members):
        if member.task is None:
            yield FieldError(
                f"agents.{number}.task",
                _(
                    "Give “%(name)s” a task: only an agent that is alone in its team "
                    "can be without."
                )
                % {"name": member.agent.name},
            )


def _inputs(draft: TeamDraft) -> Iterator[FieldError]:
    """A step's input is a task that stands earlier, so there is no cycle (S12)."""
    earlier: set[int | None] = set()
    for number, member in enumerate(draft.members):
        wanted = member.task.input if member.task else None
        if wanted is not None and wanted.pk not in earlier:
            yield FieldError(
                f"agents.{number}.task",
                _(
                    "“%(task)s” takes the result of “%(input)s”, which has to stand "
                    "earlier in the team."
                )
                % {"task": member.label, "input": wanted.name},
            )
        earlier.add(member.task.pk if member.task else None)

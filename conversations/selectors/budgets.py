"""What runs and tasks have used of what they may: for the chat and the trace."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext as _

from conversations.models import Run, TaskRun
from conversations.trace import figures
from teams.choices import Pattern
from teams.services.versions import definition_of


@dataclass(frozen=True)
class Spent:
    """``used`` and ``limit`` as people read them; ``limit`` is empty where none is.
    ``key`` names what others say already."""

    name: str
    used: str
    limit: str = ""
    hit: bool = False
    key: str = ""


def spent_by_run(run: Run) -> list[Spent]:
    """Tokens, cost, delegations and handovers of a run, beside the caps of its team."""
    definition = definition_of(run.team_version_id)
    autonomous = definition.autonomous
    handoff = definition.pattern == Pattern.HANDOFF
    found = [
        _tokens(_("Tokens"), _all_tokens(run), definition.run_token_budget),
    ]
    cap = definition.run_cost_budget
    if run.cost or cap is not None:
        found.append(
            Spent(
                _("Cost"),
                figures.cost(run.cost),
                figures.cost(Decimal(cap)) if cap is not None else "",
                hit=run.error_code == "run_cost_exceeded",
            )
        )
    if handoff:
        most = (autonomous and autonomous.max_handoffs) or settings.RUN_MAX_HANDOFFS
        found.append(_count(_("Handovers"), run.handoffs, most))
    if run.delegations:
        most = settings.RUN_MAX_DELEGATIONS
        found.append(_count(_("Delegations"), run.delegations, most))
    return found


def spent_by_task(task: TaskRun) -> list[Spent]:
    """What one task used of its agent's budgets, which begin anew with each (D7)."""
    agent = definition_of(task.run.team_version_id).agents.get(task.agent_uid)
    if agent is None:
        return []
    budgets = (
        ("rounds", _("Model calls"), task.rounds, agent.max_iterations),
        ("input_tokens", _("Tokens in"), task.input_tokens, agent.input_token_budget),
        (
            "output_tokens",
            _("Tokens out"),
            task.output_tokens,
            agent.output_token_budget,
        ),
    )
    found = [
        Spent(
            name,
            figures.count(used),
            figures.count(limit),
            hit=task.limit_hit == key,
            key=key,
        )
        for key, name, used, limit in budgets
    ]
    worked = figures.duration(task.worked_ms)
    found.append(
        Spent(
            _("Worked"),
            worked,
            figures.duration(agent.timeout * 1000),
            hit=task.error_code == "task_timeout",
        )
    )
    return found


def _all_tokens(run: Run) -> int:
    return run.input_tokens + run.output_tokens


def _tokens(name: str, used: int, limit: int | None) -> Spent:
    hit = limit is not None and used >= limit
    return Spent(name, figures.count(used), figures.count(limit), hit, key="tokens")


def _count(name: str, used: int, limit: int | None) -> Spent:
    full = limit is not None and used >= limit
    return Spent(name, figures.count(used), figures.count(limit), hit=full)

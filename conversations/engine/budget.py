"""Budgets of a task, fresh for each (D7, D9), and the caps over a whole run."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from conversations.engine.rows import Rows
from conversations.engine.steps import Fail, FailTask, Notify
from conversations.models import TaskRun
from teams.choices import BudgetStrategy
from teams.definition import AgentDefinition

GRACE_ROUNDS = 3

CLOSING = (
    "Your budget for this task is used up. You have at most three more rounds: finish "
    "with what you have and give your answer."
)
REPORT = (
    "Your budget for this task is used up. Write a short report now: what was done, "
    "what was found, what is still open."
)


def over_task_budget(rows: Rows, task: TaskRun) -> Notify | FailTask | None:
    """What its agent's budgets ask for before the next model call, by strategy."""
    agent = rows.definition.agents[task.agent_uid]
    if task.worked_ms >= agent.timeout * 1000:
        params = {"seconds": agent.timeout, "agent": task.agent_name}
        return FailTask(task, "task_timeout", params)
    if task.limit_hit:
        return _in_grace(agent, task)
    budget = used_up(agent, task)
    if not budget or agent.budget_strategy == BudgetStrategy.IGNORE:
        return None
    if agent.budget_strategy == BudgetStrategy.ERROR:
        return _exceeded(task, budget)
    counts = {"limit_hit": budget, "rounds_at_limit": task.rounds}
    summarize = agent.budget_strategy == BudgetStrategy.SUMMARIZE
    return Notify(task, REPORT if summarize else CLOSING, counts)


def _in_grace(agent: AgentDefinition, task: TaskRun) -> FailTask | None:
    """Three more rounds to complete; one to report."""
    reports = agent.budget_strategy == BudgetStrategy.SUMMARIZE
    grace = 1 if reports else GRACE_ROUNDS
    if task.rounds - task.rounds_at_limit >= grace:
        return _exceeded(task, task.limit_hit)
    return None


def _exceeded(task: TaskRun, budget: str) -> FailTask:
    params = {"budget": budget, "agent": task.agent_name}
    return FailTask(task, "budget_exceeded", params)


def used_up(agent: AgentDefinition, task: TaskRun) -> str:
    """Which budget is used up, or empty."""
    budgets = {
        "rounds": (agent.max_iterations, task.rounds),
        "input_tokens": (agent.input_token_budget, task.input_tokens),
        "output_tokens": (agent.output_token_budget, task.output_tokens),
    }
    for name, (budget, used) in budgets.items():
        if budget is not None and used >= budget:
            return name
    return ""


def reports_only(agent: AgentDefinition, task: TaskRun) -> bool:
    """Whether the task may only report now: no tool is offered any more."""
    return bool(task.limit_hit) and agent.budget_strategy == BudgetStrategy.SUMMARIZE


def over_team_cap(rows: Rows, now: datetime) -> Fail | None:
    """The optional caps over everything a run does, checked before each model call."""
    definition, run = rows.definition, rows.run
    before = run.spent_before
    tokens = run.input_tokens + run.output_tokens - before.get("tokens", 0)
    if (
        definition.run_token_budget is not None
        and tokens >= definition.run_token_budget
    ):
        return Fail("run_tokens_exceeded", {"limit": definition.run_token_budget})
    cost = run.cost - Decimal(before.get("cost", "0"))
    if definition.run_cost_budget is not None and cost >= Decimal(
        definition.run_cost_budget
    ):
        return Fail("run_cost_exceeded", {"limit": definition.run_cost_budget})
    spent = worked_ms(rows, now) - before.get("worked_ms", 0)
    if definition.run_timeout is not None and spent >= definition.run_timeout * 1000:
        return Fail("run_timeout", {"seconds": definition.run_timeout})
    return None


def worked_ms(rows: Rows, now: datetime) -> int:
    """Wall time of the run so far, without waiting for people."""
    started = rows.run.started_at or now
    return int((now - started).total_seconds() * 1000) - rows.run.waited_ms

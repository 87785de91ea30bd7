"""What a reply without calls comes to: a result, another turn, or a repair.

A result may have to satisfy a schema (D10). In a handoff team a reply ends the turn
unless the agent works autonomously (H5) or a termination condition holds (H6).
"""

from __future__ import annotations

import json
import re
from uuid import UUID

import re2

from conversations.choices import MessageRole, MessageState
from conversations.engine.budget import reports_only
from conversations.engine.rows import Rows
from conversations.engine.steps import FailTask, Notify, Return, Step
from conversations.models import Message, TaskRun
from teams.choices import Pattern
from teams.definition import AutonomousDefinition, TerminationDefinition
from teams.toolbox.arguments import value_problem
from teams.toolbox.predicates import predicate_holds

CONTINUE = "User did not respond. Continue assisting autonomously."
_FENCE = re.compile(r"^```[a-z]*\n(.*?)\n?```$", re.DOTALL)


def outcome_of(rows: Rows, task: TaskRun, text: str) -> Step:
    schema = schema_of(rows, task)
    agent = rows.definition.agents[task.agent_uid]
    if schema is not None and not reports_only(agent, task):
        text = as_json(text)
        problem = schema_problem_of(schema, text)
        if problem:
            return _repair(task, problem)
    if rows.definition.pattern == Pattern.HANDOFF and task.parent_id is None:
        return _turn(rows, task, text)
    return Return(task, text)


def schema_of(rows: Rows, task: TaskRun) -> dict[str, object] | None:
    """The schema of a task's answer: the run's own for who answers the person, else
    the agent's (D10)."""
    last = len(rows.definition.members) - 1
    sequential = rows.definition.pattern == Pattern.SEQUENTIAL
    answers = task.parent_id is None and (not sequential or task.position == last)
    if answers and rows.run.output_schema is not None:
        return rows.run.output_schema
    return rows.definition.agents[task.agent_uid].output_schema


def as_json(text: str) -> str:
    """An answer without the fence that models like to put around JSON."""
    plain = text.strip()
    fenced = _FENCE.match(plain)
    return fenced[1].strip() if fenced else plain


def schema_problem_of(schema: dict[str, object], text: str) -> str:
    """Why an answer does not satisfy its schema, or empty."""
    try:
        return value_problem(schema, json.loads(text))
    except (ValueError, RecursionError):
        return "It is not valid JSON."


def _repair(task: TaskRun, problem: str) -> Step:
    """One repair, then an error (D10)."""
    if task.repairs:
        return FailTask(
            task, "output_invalid", {"agent": task.agent_name, "detail": problem}
        )
    words = (
        f"Your answer does not satisfy the schema. {problem} Answer with the JSON only."
    )
    return Notify(task, words, {"repairs": 1})


def _turn(rows: Rows, task: TaskRun, text: str) -> Step:
    """A participant's reply: the condition, then autonomous mode, then the person.

    Who goes on alone has the rounds and the time of a new request in each turn;
    tokens count for all its turns together, and a used-up budget ends them.
    """
    ended = condition_met(rows, task)
    if ended:
        return Return(task, text, ended)
    mode = rows.definition.autonomous
    if mode is None or (mode.agents and task.agent_uid not in mode.agents):
        return Return(task, text)
    limit = mode.turn_limits.get(task.agent_uid, mode.turn_limit)
    stop = _no_further_turn(rows, task, limit)
    if stop:
        return Return(task, text, stop if limit else "")
    counts = {
        "autonomous_turns": task.autonomous_turns + 1,
        "rounds": 0,
        "worked_ms": 0,
        "repairs": 0,
    }
    return Notify(task, prompt_of(mode, task.agent_uid), counts)


def _no_further_turn(rows: Rows, task: TaskRun, limit: int) -> str:
    """Which limit gives control back to the person, or empty (H5)."""
    if task.limit_hit:
        return "limit:budget"
    if task.autonomous_turns >= limit:
        return "limit:autonomous_turns"
    return "limit:repeated_reply" if repeats(rows, task) else ""


def prompt_of(mode: AutonomousDefinition, agent: UUID) -> str:
    return mode.prompts.get(agent) or mode.prompt or CONTINUE


def repeats(rows: Rows, task: TaskRun) -> bool:
    """Whether the agent has said the very same twice in a row: it makes no progress."""
    said = [
        message.text.strip()
        for message in rows.messages.get(task.thread_id, ())
        if message.task_run_id == task.id and is_reply(message)
    ]
    return len(said) > 1 and said[-1] == said[-2]


def is_reply(message: Message) -> bool:
    """Whether it is a model's whole reply; not what was stopped, nor the copy of a
    question for others."""
    return message.model_call_id is not None and message.state == MessageState.COMPLETE


def condition_met(rows: Rows, task: TaskRun) -> str:
    """``condition:<which>`` where the team's condition holds, else empty."""
    condition = rows.definition.termination
    if condition is None:
        return ""
    said = [
        message
        for message in rows.messages.get(task.thread_id, ())
        if (
            message.number is None
            or message.number > rows.run.conversation.opened_number
        )
        and (message.to_everyone or message.role == MessageRole.ASSISTANT)
        and (condition.include_user or message.role == MessageRole.ASSISTANT)
        and message.text
    ]
    texts = [
        message.text for message in (said if condition.scope == "any" else said[-1:])
    ]
    return which(condition) if any(_holds(condition, text) for text in texts) else ""


def begins_ended(rows: Rows) -> str:
    """A person's own text may end the conversation, where the team says so (H6)."""
    condition = rows.definition.termination
    if condition is None or not condition.include_user:
        return ""
    return which(condition) if _holds(condition, rows.run.request.text) else ""


def which(condition: TerminationDefinition) -> str:
    if condition.predicate:
        return f"condition:predicate:{condition.predicate}"
    kind = "regex" if condition.regex else "contains"
    return f"condition:{kind}"


def _holds(condition: TerminationDefinition, text: str) -> bool:
    if condition.predicate:
        return predicate_holds(condition.predicate, text)
    if condition.regex:
        options = re2.Options()
        options.case_sensitive = not condition.ignore_case
        options.log_errors = False
        return re2.search(condition.regex, text, options) is not None
    if condition.ignore_case:
        return condition.contains.casefold() in text.casefold()
    return condition.contains in text


def answer_of(rows: Rows, last: TaskRun) -> str:
    """The run's answer: the result of the last task; in a handoff team the last text
    that is an output (H9)."""
    outputs = rows.definition.outputs
    silent = {*outputs.intermediate, *outputs.hidden}
    handoff = rows.definition.pattern == Pattern.HANDOFF
    if not handoff or (last.result and last.agent_uid not in silent):
        return last.result
    spoken = [
        message
        for message in rows.messages.get(last.thread_id, ())
        if message.run_id == rows.run.id
        and is_reply(message)
        and message.text
        and _agent_of(rows, message) not in silent
    ]
    return spoken[-1].text if spoken else ""


def _agent_of(rows: Rows, message: Message) -> UUID | None:
    task = rows.task_run(message.task_run_id)
    return task.agent_uid if task else None

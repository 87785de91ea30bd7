"""Running one tool call: check, refuse or run with a time limit, and say what came.

``run_tool`` never raises for a fault of a tool. The engine has written down its
intent before it calls, and writes down the outcome after (rule 4).
"""

from __future__ import annotations

import copy
import dataclasses
import json
import logging
from collections.abc import Callable
from typing import Any

from teams.definition import ToolDefinition
from teams.toolbox.arguments import (
    ArgumentProblem,
    argument_problem,
    fitted,
    parse_arguments,
)
from teams.toolbox.base import CHANGE_REFUSED, ToolContext, ToolError, ToolOutcome
from teams.toolbox.kinds import kind_of
from teams.toolbox.texts import NotText, as_json_text, cap_text, clean_text, result_text
from teams.toolbox.workers import NoWorker, TimedOut, worker_pool

__all__ = [
    "ArgumentProblem",
    "argument_problem",
    "cap_text",
    "parse_arguments",
    "run_tool",
]

logger = logging.getLogger("supervisor.toolbox")


def run_tool(
    tool: ToolDefinition, arguments: dict[str, Any], context: ToolContext
) -> ToolOutcome:
    """Run the tool once and say what came of it, in words for the model.

    A failed outcome of wrong arguments, a missing function, a forbidden change or
    a ToolError says what to do better; an unexpected exception is logged with the
    run's and the call's id and told by its type only. After a timeout the outcome
    is ``unknown`` unless repeating the tool does no harm. What the function wrote
    into ``context.state`` counts only if it ended in time.
    """
    own = dataclasses.replace(context, state=copy.deepcopy(context.state))
    try:
        work = _prepare(tool, arguments, own)
    except ToolError as error:
        return _failure(str(error))
    outcome = _run(tool, work, context)
    if outcome.ok:
        _keep_state(own, context)
    return outcome


def _prepare(
    tool: ToolDefinition, arguments: dict[str, Any], context: ToolContext
) -> Callable[[], Any]:
    if context.read_only and not tool.read_only:
        raise ToolError(CHANGE_REFUSED)
    kind = kind_of(tool.tool_type)
    if kind is None:
        raise ToolError(f"Tools of the type {tool.tool_type} cannot be run here.")
    problem = argument_problem(tool.parameters, arguments)
    if problem:
        raise ToolError(problem)
    return kind.prepare(tool, fitted(tool.parameters, arguments), context)


def _run(
    tool: ToolDefinition, work: Callable[[], Any], context: ToolContext
) -> ToolOutcome:
    pool = worker_pool()
    try:
        # The text is made in the worker too: a query set is read only then.
        return ToolOutcome(pool.run(lambda: result_text(work()), tool.timeout))
    except ToolError as error:
        return _failure(str(error))
    except TimedOut:
        return _late(tool)
    except NoWorker as error:
        _log("found no free thread", tool, context, error)
        return _failure("The server is too busy to run tools now. Try again later.")
    except NotText as error:
        _log("returned what is no text", tool, context, error)
        return _failure(f"The tool ran, but its result cannot be shown: {error}.")
    except Exception as error:  # noqa: BLE001 - whatever a tool raises ends here
        _log("failed", tool, context, error)
        return _failure(f"The tool failed unexpectedly ({type(error).__name__}).")


def _log(
    what: str, tool: ToolDefinition, context: ToolContext, error: Exception
) -> None:
    ids = (tool.name, what, context.run_id, context.call_id)
    logger.error("tool %s %s (run %s, call %s)", *ids, exc_info=error)


def _failure(words: str) -> ToolOutcome:
    return ToolOutcome(clean_text(words).strip() or "The tool failed.", ok=False)


def _late(tool: ToolDefinition) -> ToolOutcome:
    late = f"The tool did not finish within {tool.timeout} s."
    if tool.read_only or tool.replay_safe:
        return _failure(late)
    words = f"{late} Whether it did its work is unknown: do not assume either."
    return ToolOutcome(words, ok=False, unknown=True)


def _keep_state(own: ToolContext, context: ToolContext) -> None:
    try:
        state = json.loads(as_json_text(own.state))
    except NotText:
        logger.exception("call %s left a state that is no JSON", context.call_id)
        return
    context.state.clear()
    context.state.update(state)

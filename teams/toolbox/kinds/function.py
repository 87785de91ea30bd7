"""Tools that call a registered Python function."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync
from pydantic import ValidationError

from teams.definition import ToolDefinition
from teams.toolbox.arguments import fitted
from teams.toolbox.base import CHANGE_REFUSED, ToolContext, ToolError, ToolKind
from teams.toolbox.registry import RegisteredFunction, registered
from teams.toolbox.workers import TimedOut


def _prepare(
    tool: ToolDefinition, arguments: dict[str, Any], context: ToolContext
) -> Callable[[], Any]:
    found = registered(tool.function)
    if found is None:
        raise ToolError(
            f"The function {tool.function} behind this tool is no longer installed. "
            "Do not call the tool again."
        )
    if context.read_only and not found.read_only:
        raise ToolError(CHANGE_REFUSED)
    values = _values(found, arguments)
    if found.signature.context_parameter:
        values[found.signature.context_parameter] = context
    if inspect.iscoroutinefunction(found.function):
        return lambda: _run_async(found, values, tool.timeout)
    return lambda: found.function(**values)


def _values(found: RegisteredFunction, arguments: dict[str, Any]) -> dict[str, Any]:
    signature = found.signature
    try:
        read = signature.model.model_validate(fitted(signature.schema, arguments))
    except ValidationError as error:
        raise ToolError(_words(error)) from error
    return {name: getattr(read, field) for field, name in signature.fields.items()}


def _words(error: ValidationError) -> str:
    sentences = []
    for problem in error.errors(include_url=False):
        place = ".".join(str(step) for step in problem["loc"]) or "The arguments"
        sentences.append(f"{place}: {problem['msg']}.")
    return " ".join(sentences)


def _run_async(
    found: RegisteredFunction, values: dict[str, Any], seconds: float
) -> Any:
    """In a loop of its own; unlike a plain function it is cancelled when late."""

    async def limited() -> Any:
        try:
            async with asyncio.timeout(seconds) as limit:
                return await found.function(**values)
        except TimeoutError as error:
            if limit.expired():
                raise TimedOut from error
            raise

    return async_to_sync(limited)()


KIND = ToolKind(prepare=_prepare)

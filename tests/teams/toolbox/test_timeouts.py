"""A tool that takes too long is left behind, and the outcome says what is known."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from teams.toolbox.base import ToolContext, ToolOutcome
from teams.toolbox.registry import agent_tool
from teams.toolbox.running import run_tool


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_late_writer_has_an_unknown_outcome(
    tool: Any, given: ToolContext, gate: threading.Event
) -> None:
    @agent_tool(timeout=1)
    def slow(given: ToolContext) -> None:
        given.state["late"] = True
        gate.wait()

    begun = time.monotonic()
    outcome = run_tool(tool("slow"), {}, given)
    assert time.monotonic() - begun >= 1
    assert not gate.is_set()
    assert outcome == ToolOutcome(
        "The tool did not finish within 1 s. "
        "Whether it did its work is unknown: do not assume either.",
        ok=False,
        unknown=True,
    )
    gate.set()
    assert given.state == {}


@pytest.mark.parametrize("flag", ["read_only", "replay_safe"])
def test_a_late_tool_that_may_be_repeated_has_simply_failed(
    flag: str, tool: Any, given: ToolContext, gate: threading.Event
) -> None:
    @agent_tool(timeout=1)
    def slow() -> None:
        gate.wait()

    outcome = run_tool(tool("slow", **{flag: True}), {}, given)
    assert outcome == ToolOutcome("The tool did not finish within 1 s.", ok=False)


def test_a_late_async_function_is_cancelled(tool: Any, given: ToolContext) -> None:
    cancelled = threading.Event()

    @agent_tool(timeout=1)
    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    outcome = run_tool(tool("slow"), {}, given)
    assert outcome.unknown is True
    assert cancelled.wait(2)


def test_a_timeout_inside_a_function_is_its_own_failure(
    tool: Any, given: ToolContext
) -> None:
    @agent_tool
    async def impatient() -> None:
        raise TimeoutError

    assert run_tool(tool("impatient"), {}, given) == ToolOutcome(
        "The tool failed unexpectedly (TimeoutError).", ok=False
    )

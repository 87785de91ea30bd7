"""One tool call: checked, run, and its outcome in words for the model."""

from __future__ import annotations

import datetime as dt
import logging
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator

from teams.toolbox.base import ToolContext, ToolError, ToolOutcome
from teams.toolbox.registry import agent_tool
from teams.toolbox.running import run_tool


def test_values_arrive_with_their_types(tool: Any, given: ToolContext) -> None:
    seen: list[Any] = []

    @agent_tool
    def take(
        count: int, day: dt.date, price: Decimal, note: str | None = None
    ) -> dict[str, Any]:
        seen.extend([count, day, price, note])
        return {"count": count, "day": day, "price": price}

    arguments = {"count": "3", "day": "2026-01-31", "price": 9.9, "note": None}
    outcome = run_tool(tool("take"), arguments, given)
    assert seen == [3, dt.date(2026, 1, 31), Decimal("9.9"), None]
    assert outcome == ToolOutcome('{"count": 3, "day": "2026-01-31", "price": "9.9"}')


def test_the_context_is_given(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def who(given: ToolContext) -> str:
        return f"{given.user.username} {given.call_id}"

    outcome = run_tool(tool("who"), {}, given)
    assert outcome == ToolOutcome(f"alice {given.call_id}")


def test_wrong_arguments_are_told_and_nothing_runs(
    tool: Any, given: ToolContext
) -> None:
    seen: list[int] = []

    @agent_tool
    def take(count: int) -> None:
        seen.append(count)

    outcome = run_tool(tool("take"), {"count": "many", "x": 1}, given)
    assert outcome == ToolOutcome(
        "x: no such argument (there is: count). "
        'count must be of type integer, not "many".',
        ok=False,
    )
    assert seen == []


def even(value: int) -> int:
    if value % 2:
        raise ValueError("must be even")
    return value


def test_rules_that_no_schema_knows_are_told_too(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def take(count: Annotated[int, AfterValidator(even)]) -> int:
        return count

    assert run_tool(tool("take"), {"count": 3}, given) == ToolOutcome(
        "count: Value error, must be even.", ok=False
    )


def test_the_schema_of_the_version_counts(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def take(count: int) -> int:
        return count

    frozen = {"type": "object", "properties": {"count": {"maximum": 5}}}
    outcome = run_tool(tool("take", parameters=frozen), {"count": 6}, given)
    assert outcome == ToolOutcome("count must be at most 5, not 6.", ok=False)


def test_a_tool_error_is_told_in_its_own_words(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def fail() -> None:
        raise ToolError("There is no customer C-9999.")

    outcome = run_tool(tool("fail"), {}, given)
    assert outcome == ToolOutcome("There is no customer C-9999.", ok=False)


@pytest.mark.parametrize("error", [ValueError("secret 42"), SystemExit(3)])
def test_an_unexpected_error_is_logged_and_not_told(
    error: BaseException,
    tool: Any,
    given: ToolContext,
    caplog: pytest.LogCaptureFixture,
) -> None:
    @agent_tool
    def fail() -> None:
        raise error

    with caplog.at_level(logging.ERROR, "supervisor.toolbox"):
        outcome = run_tool(tool("fail"), {}, given)
    assert outcome.ok is False
    assert outcome.unknown is False
    assert outcome.text.startswith("The tool failed unexpectedly (")
    assert "42" not in outcome.text
    (record,) = caplog.records
    assert record.getMessage() == (
        f"tool fail failed (run {given.run_id}, call {given.call_id})"
    )
    assert record.exc_info is not None


def test_a_result_without_text_is_a_failure(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def odd() -> object:
        return object()

    outcome = run_tool(tool("odd"), {}, given)
    assert outcome == ToolOutcome(
        "The tool ran, but its result cannot be shown: "
        "Object of type object is not JSON serializable.",
        ok=False,
    )


def test_a_read_only_run_refuses_a_tool_that_writes(
    tool: Any, given: ToolContext
) -> None:
    seen: list[str] = []

    @agent_tool
    def write() -> None:
        seen.append("written")

    given.read_only = True
    words = (
        "Not run: this run is read-only, and the tool may change something. "
        "Do not call it again in this run."
    )
    assert run_tool(tool("write"), {}, given) == ToolOutcome(words, ok=False)
    # Not even where somebody ticked "read only" on a function that is not.
    assert run_tool(tool("write", read_only=True), {}, given).text == words
    assert seen == []


def test_a_read_only_run_runs_a_tool_that_reads(tool: Any, given: ToolContext) -> None:
    @agent_tool(read_only=True)
    def read(given: ToolContext) -> bool:
        return given.read_only

    given.read_only = True
    assert run_tool(tool("read"), {}, given) == ToolOutcome("true")


def test_a_function_that_is_gone_is_a_failure(tool: Any, given: ToolContext) -> None:
    assert run_tool(tool("vanished"), {}, given) == ToolOutcome(
        "The function vanished behind this tool is no longer installed. "
        "Do not call the tool again.",
        ok=False,
    )


def test_a_type_of_a_later_version_is_a_failure(tool: Any, given: ToolContext) -> None:
    assert run_tool(tool("x", tool_type="TELEPATHY"), {}, given) == ToolOutcome(
        "Tools of the type TELEPATHY cannot be run here.", ok=False
    )


def test_state_is_shared_from_call_to_call(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def remember(given: ToolContext, day: dt.date) -> int:
        given.state["day"] = day
        given.state["count"] = given.state.get("count", 0) + 1
        return int(given.state["count"])

    run_tool(tool("remember"), {"day": "2026-01-31"}, given)
    outcome = run_tool(tool("remember"), {"day": "2026-02-28"}, given)
    assert outcome.text == "2"
    assert given.state == {"day": "2026-02-28", "count": 2}


def test_state_of_a_failed_call_is_forgotten(tool: Any, given: ToolContext) -> None:
    @agent_tool
    def half(given: ToolContext) -> None:
        given.state["begun"].append(1)
        raise ToolError("No.")

    given.state["begun"] = []
    run_tool(tool("half"), {}, given)
    assert given.state == {"begun": []}


def test_an_async_function_is_awaited(tool: Any, given: ToolContext) -> None:
    @agent_tool
    async def add(one: int, two: int) -> int:
        return one + two

    assert run_tool(tool("add"), {"one": 1, "two": 2}, given) == ToolOutcome("3")

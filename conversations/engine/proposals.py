"""A reply's calls as rows: known ones proposed, faulty ones settled at once.

A call of something not offered, or with arguments that are no JSON object, gets an
error as its one result; the model reads it and may try again (S10).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from conversations.choices import EventKind, ToolCallKind, ToolCallState
from conversations.engine.offer import ASK_HUMAN, DELEGATE, Offer
from conversations.engine.repeats import settle_repeat
from conversations.engine.work import Work
from conversations.models import ModelCall, ToolCall
from teams.definition import TeamDefinition
from teams.providers.types import FunctionCall, ModelReply
from teams.toolbox.arguments import fitted
from teams.toolbox.running import ArgumentProblem, argument_problem, parse_arguments

NAME_SHOWN = 200


@dataclass(frozen=True)
class Proposal:
    """What a call asks for; ``problem`` is told to the model instead of doing it."""

    kind: ToolCallKind
    arguments: dict[str, Any]
    offer: Offer | None = None
    problem: str = ""


def propose(
    work: Work, model_call: ModelCall, reply: ModelReply, offers: Iterable[Offer]
) -> None:
    """One ``ToolCall`` row for each call of the reply, in the model's order."""
    by_name = {offer.name: offer for offer in offers}
    rows = []
    for position, call in enumerate(reply.calls):
        proposal = read(call, by_name, work.rows.definition)
        row = _row(model_call, call, position, proposal, work.now())
        settle_repeat(work.rows, row)
        rows.append(row)
    for row in rows:
        work.journal.insert(row)
        work.journal.note(EventKind.TOOL_CALL_STATE, row, new=row.state)
    if rows:
        work.rows.calls[model_call.id] = rows
    failed = sum(row.state == ToolCallState.FAILED for row in rows)
    if failed:
        model_call.task_run.failed_tools += failed
        work.journal.update(model_call.task_run, "failed_tools")


def read(
    call: FunctionCall, offers: dict[str, Offer], definition: TeamDefinition
) -> Proposal:
    offer = offers.get(call.name)
    if offer is None:
        allowed = ", ".join(offers) or "none"
        problem = f"There is no tool {call.name[:NAME_SHOWN]!r}. Tools: {allowed}."
        return Proposal(ToolCallKind.REFUSED, {}, problem=problem)
    parsed = parse_arguments(call.arguments)
    if isinstance(parsed, ArgumentProblem):
        return Proposal(offer.kind, {}, offer, parsed.text)
    arguments = _as_meant(offer, parsed)
    problem = _problem(offer, arguments, definition)
    return Proposal(offer.kind, arguments, offer, problem)


def _as_meant(offer: Offer, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as they are stored, judged by conditions, shown and executed:
    a function's fitted to its schema, words of the product's own tools as text."""
    if offer.tool is not None:
        return fitted(offer.tool.parameters, arguments)
    parts = offer.schema["function"]["parameters"]["properties"]
    return {
        name: _words(value) if parts.get(name, {}).get("type") == "string" else value
        for name, value in arguments.items()
    }


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _problem(
    offer: Offer, arguments: dict[str, Any], definition: TeamDefinition
) -> str:
    """Product tools are checked here; a function checks its own when it runs, except
    where a person is to approve them: nobody is asked about a call that cannot run."""
    if offer.agent is not None:
        return _problem_of_words(offer, arguments)
    if offer.name == DELEGATE:
        worker = arguments.get("worker", "")
        if definition.member_labelled(worker) is None:
            names = ", ".join(definition.label(member) for member in definition.members)
            return f"There is no worker {worker[:NAME_SHOWN]!r}. Workers: {names}."
        if not arguments.get("request", "").strip():
            return "The request is empty: say in full what the worker is to do."
    elif offer.name == ASK_HUMAN:
        if not arguments.get("question", "").strip():
            return "The question is empty: say what you need to know."
    elif offer.tool is not None and offer.tool.approval != "never":
        return argument_problem(offer.tool.parameters, arguments)
    return ""


def _problem_of_words(offer: Offer, arguments: dict[str, Any]) -> str:
    if offer.kind == ToolCallKind.DELEGATE and not arguments.get("prompt", "").strip():
        return "The prompt is empty: say in full what the agent is to do."
    return ""


def _row(
    model_call: ModelCall,
    call: FunctionCall,
    position: int,
    proposal: Proposal,
    now: datetime,
) -> ToolCall:
    tool = proposal.offer.tool if proposal.offer else None
    row = ToolCall(
        model_call=model_call,
        task_run=model_call.task_run,
        position=position,
        kind=proposal.kind,
        name=call.name[:NAME_SHOWN],
        tool_uid=tool.uid if tool else None,
        tool_name=tool.name if tool else "",
        agent_uid=proposal.offer.agent if proposal.offer else None,
        provider_id=call.id[:NAME_SHOWN],
        asked=call.arguments,
        arguments=proposal.arguments,
        created_at=now,
    )
    if proposal.problem:
        row.state = ToolCallState.FAILED
        row.result = f"Error: {proposal.problem}"
        row.finished_at = now
    return row

"""A scripted world for tests in which anything may happen in any order.

``Moves`` answers each model request by a list of moves: a tool of those offered is
picked by number, so that any list of numbers is a conversation. ``check_request``
and ``check_rows`` say what must hold at every moment.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, deque
from typing import Any
from uuid import UUID

from conversations.choices import (
    RUN_ENDED,
    TASK_RUN_OPEN,
    TOOL_CALL_SETTLED,
    MessageState,
    ModelCallState,
    RequestState,
    RunState,
    ToolCallState,
)
from conversations.engine.prompt import rebuild
from conversations.models import (
    Conversation,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.transitions import ALLOWED
from teams.models import Agent, Profile, Task, Team, TeamMember, Tool
from teams.toolbox.base import ToolContext, ToolError
from teams.toolbox.registry import agent_tool
from tests.support.scripted_model import (
    DROP,
    calls,
    chunk,
    error,
    event,
    raw,
    text,
    text_and_calls,
)
from tests.support.scripted_replies import Body, Reply
from tests.support.teams import make_profile, make_tool

RAN: Counter[UUID] = Counter()
MODELS = {"run.state": "Run", "task_run.state": "TaskRun"}
MODELS["tool_call.state"] = "ToolCall"


@agent_tool
def stamp_file(context: ToolContext, number: str) -> str:
    """Stamp a file; not safe to repeat.

    Args:
        number: The file's number.
    """
    RAN[context.call_id] += 1
    if number == "3":
        raise ToolError("There is no file 3.")
    return f"stamped {number}"


class Moves:
    """Replies by numbers; after the last move every model just says something."""

    def __init__(self) -> None:
        self._moves: deque[tuple[str, int]] = deque()
        self.problems: list[str] = []
        self._said = 0

    def add(self, moves: list[tuple[str, int]]) -> None:
        self._moves.clear()
        self._moves.extend(moves)

    def answer(self, body: Body) -> Reply:
        self.problems += check_request(body)
        kind, number = self._moves.popleft() if self._moves else ("say", 0)
        self._said += 1
        words = f"Text {self._said}."
        offered = [tool["function"] for tool in body.get("tools", [])]
        if kind in ("call", "say and call", "two calls") and offered:
            made = [_call(offered, number)]
            if kind == "two calls":
                made.append(_call(offered, number // 7))
            return text_and_calls(words if kind == "say and call" else "", *made)
        odd = {
            "unknown": calls(("no_such_tool", {})),
            "broken arguments": calls((offered[0]["name"], "{no"))
            if offered
            else text(words),
            "refused": error(401, "bad key"),
            "cut off": raw([event(chunk({"content": words})), DROP]),
        }
        return odd.get(kind, text(words))


def _call(offered: list[dict[str, Any]], number: int) -> tuple[str, dict[str, Any]]:
    function = offered[number % len(offered)]
    properties = function["parameters"].get("properties", {})
    required = function["parameters"].get("required", [])
    arguments = {
        name: _value(properties[name], number // len(offered)) for name in required
    }
    return function["name"], arguments


def _value(part: dict[str, Any], number: int) -> Any:
    choices = part.get("enum") or ["1", "2", "3", "404"]
    return choices[number % len(choices)]


def check_request(body: Body) -> list[str]:
    """What a server would refuse: open pairs, repeated ids, empty or odd messages."""
    messages = body["messages"]
    problems = [f"an empty message: {m}" for m in messages if _is_empty(m)]
    ids = [call["id"] for m in messages for call in m.get("tool_calls") or []]
    if len(set(ids)) < len(ids):
        problems.append(f"an id twice: {ids}")
    expected: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not expected or message["tool_call_id"] != expected.pop(0):
                problems.append(f"a result out of place: {message}")
            continue
        problems += [f"no result for {each} before {message}" for each in expected]
        expected = [call["id"] for call in message.get("tool_calls") or []]
    problems += [f"no result for {each} at the end" for each in expected]
    roles = [message["role"] for message in messages]
    if roles[0] != "system" or roles[-1] not in ("user", "tool"):
        problems.append(f"asked with {roles}")
    if ("assistant", "assistant") in itertools.pairwise(roles):
        problems.append(f"two replies in a row: {roles}")
    return problems


def _is_empty(message: dict[str, Any]) -> bool:
    """Nothing is said; or a call's arguments are no JSON, which raises."""
    made = message.get("tool_calls") or []
    for call in made:
        json.loads(call["function"]["arguments"])
    return not message.get("content") and not made


def check_rows(conversation: Conversation) -> None:
    """What the rows say at any moment at which nobody holds the run."""
    conversation.refresh_from_db()
    _check_numbers(conversation)
    for run in Run.objects.filter(conversation=conversation):
        if run.state in RUN_ENDED:
            _check_ended(run)
        if run.state == RunState.WAITING_FOR_HUMAN:
            pending = HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
            assert pending.exists(), "it waits for nobody"
    _check_calls(conversation)
    open_runs = conversation.runs.exclude(state__in=RUN_ENDED)
    assert open_runs.count() <= 1


def _check_numbers(conversation: Conversation) -> None:
    events = list(conversation.events.order_by("number"))
    numbers = [each.number for each in events]
    assert numbers == list(range(1, conversation.last_number + 1))
    said = {
        each.row: each.number for each in reversed(events) if each.kind == "message"
    }
    messages = conversation.messages.all()
    assert {m.id: m.number for m in messages} == said
    for each in events:
        table = ALLOWED.get(MODELS.get(each.kind, ""))
        if table and "old" in each.data:
            assert each.data["new"] in table[each.data["old"]], each.data


def _check_ended(run: Run) -> None:
    tasks = TaskRun.objects.filter(run=run)
    assert not tasks.filter(state__in=TASK_RUN_OPEN).exists()
    calls_made = ToolCall.objects.filter(task_run__run=run)
    assert not calls_made.exclude(state__in=TOOL_CALL_SETTLED).exists()
    asked = HumanRequest.objects.filter(run=run)
    assert not asked.filter(state=RequestState.PENDING).exists()
    made = ModelCall.objects.filter(task_run__run=run)
    assert not made.filter(state=ModelCallState.RUNNING).exists()
    said = Message.objects.filter(run=run)
    assert not said.filter(state=MessageState.PARTIAL).exists()
    assert run.finished_at is not None
    assert run.lease_until is None
    assert bool(run.error_code) == (run.state in ("FAILED", "EXPIRED"))


def _check_calls(conversation: Conversation) -> None:
    made = ToolCall.objects.filter(task_run__run__conversation=conversation)
    for call in made.prefetch_related("human_requests"):
        done = call.state in TOOL_CALL_SETTLED and call.state != ToolCallState.CANCELLED
        assert bool(call.result) == done, (call.name, call.state, call.result)
        assert (call.finished_at is not None) == done, (call.name, call.state)
        asked = [request.answer for request in call.human_requests.all()]
        allowed = 1 + asked.count("retry")
        assert RAN[call.id] <= allowed, f"{call.name} ran {RAN[call.id]} times"


def check_prompts(conversation: Conversation) -> None:
    """Each prompt that was answered is rebuilt from the rows as it was sent."""
    made = ModelCall.objects.filter(
        task_run__run__conversation=conversation, state=ModelCallState.SUCCEEDED
    )
    for model_call in made:
        assert rebuild(model_call).agrees, model_call


def make_teams(base_url: str) -> dict[str, Team]:
    """A team of each pattern over the same agents, who delegate in a circle."""
    profile = make_profile(base_url)
    asks = make_tool("stamp_file", approval="always")
    reads = make_tool("find_file", read_only=True, replay_safe=True)
    stamps = Tool.objects.create(name="stamp_unasked", function="stamp_file")
    tasks = [
        Task.objects.create(name=name, instruction=f"Do {name}.")
        for name in ("FIRST", "SECOND")
    ]
    for task in tasks:
        task.tools.add(reads)
    agents = [_agent(profile, name, asks, reads, stamps) for name in ("A", "B", "C")]
    for number, each in enumerate(agents):
        each.delegates.add(agents[(number + 1) % 3])
    lead = Agent.objects.create(
        name="LEAD", profile=profile, role="You lead.", supervisor=True
    )
    return {
        "supervisor": _team("OFFICE", zip(agents, tasks, strict=False), lead=lead),
        "sequential": _team("LINE", zip(agents, tasks, strict=False)),
        "alone": _team("SOLO", [(agents[0], None)]),
        "handoff": _team("CIRCLE", [(a, None) for a in agents], start=agents[0]),
    }


def _agent(profile: Profile, name: str, *tools: Tool) -> Agent:
    made = Agent.objects.create(name=name, profile=profile, role=f"You are {name}.")
    made.tools.add(*tools)
    return made


def _team(
    name: str, pairs: Any, *, lead: Agent | None = None, start: Agent | None = None
) -> Team:
    patterns = {(True, False): "supervisor", (False, True): "handoff"}
    made = Team.objects.create(
        name=name,
        pattern=patterns.get((lead is not None, start is not None), "sequential"),
        supervisor_agent=lead,
        start_agent=start,
        autonomous={"turn_limit": 2, "max_handoffs": 3} if start else None,
    )
    for position, (member, task) in enumerate(pairs):
        TeamMember.objects.create(team=made, position=position, agent=member, task=task)
    return made

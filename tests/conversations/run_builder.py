"""Writes the rows of one run one after the other, on a clock of its own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from conversations.choices import (
    EventKind,
    MessageRole,
    ModelCallState,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.models import (
    Conversation,
    Event,
    Message,
    ModelCall,
    Payload,
    Run,
    TaskRun,
    Thread,
    ToolCall,
)
from teams.models import Agent, Profile, Task, Team, TeamVersion, Tool
from teams.services.versions import version_for

WORKERS = {
    "ACCOUNT_AGENT": ("ACCOUNT_MANAGEMENT_TASK", "lookup_account", "never"),
    "PAYMENT_AGENT": ("PAYMENT_LOOKUP_TASK", "list_payments", "never"),
    "NOTIFICATION_AGENT": ("NOTIFICATION_TASK", "send_email", "always"),
}
SUPERVISOR = "SUPPORT_SUPERVISOR"


def make_team_version(name: str = "SUPPORT_TEAM") -> TeamVersion:
    """The version of the support team, made once a database."""
    team = Team.objects.named(name).first()
    return version_for(team or _make_team(name))


def _make_team(name: str) -> Team:
    profile, _made = Profile.objects.get_or_create(
        name="DEFAULT", defaults={"provider": "rehearsal", "model": "rehearsal"}
    )
    leader = Agent.objects.create(
        name=SUPERVISOR,
        display_name="Support supervisor",
        profile=profile,
        supervisor=True,
        role="You lead the support team and answer customers' questions.",
    )
    team = Team.objects.create(name=name, supervisor_agent=leader)
    for position, (agent, (task, tool, approval)) in enumerate(WORKERS.items()):
        team.members.create(
            position=position,
            agent=Agent.objects.create(
                name=agent, profile=profile, role=f"You are {agent} and do one thing."
            ),
            task=_make_task(task, tool, approval),
        )
    return team


def _make_task(name: str, tool: str, approval: str) -> Task:
    task = Task.objects.create(name=name, instruction="Use your tool; report briefly.")
    task.tools.add(
        Tool.objects.create(
            name=tool,
            function=tool,
            approval=approval,
            read_only=approval == "never",
            description=f"{tool.replace('_', ' ').capitalize()} of a customer.",
        )
    )
    return task


@dataclass
class Builder:
    """Writes rows one after the other; ``clock`` is when the next one happens."""

    user: User
    clock: datetime
    version: TeamVersion = field(default_factory=make_team_version)
    run: Run = field(init=False)
    root: TaskRun = field(init=False)
    number: int = 0

    def pass_time(self, milliseconds: float) -> datetime:
        self.clock += timedelta(milliseconds=milliseconds)
        return self.clock

    def open(self, prompt: str, conversation: Conversation | None) -> None:
        self.conversation = conversation or Conversation.objects.create(
            owner=self.user, team=self.version.team, title=prompt[:60]
        )
        self.number = self.conversation.last_number
        run_id = uuid4()
        said = self._message(MessageRole.USER, self.user.username, prompt, run_id)
        self.run = Run.objects.create(
            id=run_id,
            conversation=self.conversation,
            team_version=self.version,
            requested_by=self.user,
            request_id=said.pk,
            state=RunState.RUNNING,
            started_at=self.pass_time(12),
        )
        self.run.created_at = said.created_at
        self.run.save()
        said.save(force_insert=True)
        self.event(EventKind.RUN_STATE, self.run, new="RUNNING")
        self.root = self.task_run(SUPERVISOR, prompt)

    def _message(
        self, role: str, author: str, text: str, run_id: Any, **fields: Any
    ) -> Message:
        self.number += 1
        return Message(
            conversation=self.conversation,
            run_id=run_id,
            number=self.number,
            role=role,
            author=author,
            text=text,
            created_at=self.clock,
            **fields,
        )

    def event(self, kind: EventKind, row: Any, **data: Any) -> None:
        self.number += 1
        Event.objects.create(
            conversation=self.conversation,
            run=self.run,
            number=self.number,
            kind=kind,
            row=row.pk,
            data=data,
            created_at=self.clock,
        )

    def task_run(
        self, agent: str, request: str, origin: ToolCall | None = None
    ) -> TaskRun:
        definition = Agent.objects.named(agent).get()
        task = WORKERS[agent][0] if agent in WORKERS else ""
        parent = origin.task_run if origin else None
        made = TaskRun.objects.create(
            run=self.run,
            parent=parent,
            origin_call=origin,
            depth=parent.depth + 1 if parent else 0,
            thread=Thread.objects.create(
                conversation=self.conversation,
                agent_uid=definition.uid,
                agent_name=agent,
            ),
            agent_uid=definition.uid,
            agent_name=agent,
            task_uid=Task.objects.named(task).get().uid if task else None,
            task_name=task,
            leads=not task,
            request=request,
            started_at=self.pass_time(3),
        )
        if parent:
            self._message(
                MessageRole.USER,
                parent.agent_name,
                request,
                self.run.pk,
                task_run=made,
                thread=made.thread,
            ).save(force_insert=True)
        self.event(EventKind.TASK_RUN_STATE, made, new="RUNNING")
        return made

    def model_call(
        self, task_run: TaskRun, text: str = "", *, took: float = 820, error: str = ""
    ) -> ModelCall:
        started, last = self.pass_time(2), self.number
        task_run.rounds += 1
        task_run.save(update_fields=["rounds"])
        words = len(task_run.request.split()) + len(text.split())
        call = ModelCall.objects.create(
            task_run=task_run,
            round=task_run.rounds,
            profile_uid=Profile.objects.named("DEFAULT").get().uid,
            profile_name="DEFAULT",
            model="rehearsal",
            system=_payload(f"You are {task_run.agent_name}."),
            tools=_payload(json.dumps(_tools_offered(task_run))),
            last_number=last,
            state=ModelCallState.FAILED if error else ModelCallState.SUCCEEDED,
            error_code=error,
            error_params={"seconds": 60} if error else {},
            input_tokens=None if error else 1180 + 40 * words,
            output_tokens=None if error else 34 + 2 * words,
            cost=None if error else Decimal("0.0021"),
            finish_reason="" if error else "stop" if text else "tool_calls",
            started_at=started,
            first_token_at=None if error else started + timedelta(milliseconds=210),
            finished_at=self.pass_time(took),
        )
        if not error:
            said = self._message(
                MessageRole.ASSISTANT,
                task_run.agent_name,
                text,
                self.run.pk,
                task_run=task_run,
                thread=task_run.thread,
                model_call=call,
            )
            said.save(force_insert=True)
            self.event(EventKind.MESSAGE, said)
        return call

    def tool_call(
        self, model_call: ModelCall, name: str, arguments: dict[str, Any]
    ) -> ToolCall:
        kinds = {"delegate_to_worker": ToolCallKind.DELEGATE}
        kind = kinds.get(name, ToolCallKind.FUNCTION)
        tool = Tool.objects.named(name).first()
        call = ToolCall.objects.create(
            model_call=model_call,
            task_run=model_call.task_run,
            kind=kind,
            name=name,
            tool_uid=tool.uid if tool else None,
            tool_name=tool.name if tool else "",
            asked=json.dumps(arguments),
            arguments=arguments,
            created_at=self.pass_time(1),
        )
        self.event(EventKind.TOOL_CALL_STATE, call, new="PROPOSED")
        return call

    def settle(
        self, call: ToolCall, result: str, *, took: float = 24, ok: bool = True
    ) -> None:
        call.started_at = call.started_at or self.clock
        call.finished_at = self.pass_time(took)
        call.state = ToolCallState.SUCCEEDED if ok else ToolCallState.FAILED
        call.result, call.attempts = result, 1
        call.save()
        self.event(EventKind.TOOL_CALL_STATE, call, new=call.state)

    def end_task(self, task_run: TaskRun, result: str = "", *, error: str = "") -> None:
        task_run.state = TaskRunState.FAILED if error else TaskRunState.SUCCEEDED
        task_run.result, task_run.error_code = result, error
        task_run.error_params = {"seconds": 60} if error else {}
        task_run.finished_at = self.pass_time(2)
        task_run.save()
        self.event(EventKind.TASK_RUN_STATE, task_run, new=task_run.state)

    def end(self, state: str, answer: str = "", error: str = "") -> None:
        self.end_task(self.root, answer, error=error)
        self.run.state, self.run.answer = state, answer
        self.run.error_code = error
        self.run.error_params = {"seconds": 60} if error else {}
        self.run.finished_at = self.pass_time(3)
        self.event(EventKind.RUN_STATE, self.run, new=state)

    def delegate(self, agent: str, request: str) -> TaskRun:
        call = self.tool_call(
            self.model_call(self.root),
            "delegate_to_worker",
            {"worker": f"{agent}/{WORKERS[agent][0]}", "request": request},
        )
        ToolCall.objects.filter(pk=call.pk).update(
            state=ToolCallState.RUNNING, started_at=self.clock
        )
        call.refresh_from_db()
        self.run.delegations += 1
        return self.task_run(agent, request, call)

    def give_back(self, worker: TaskRun, result: str, *, error: str = "") -> None:
        self.end_task(worker, result, error=error)
        assert worker.origin_call is not None
        self.settle(
            worker.origin_call, result or f"Error: {error}", took=1, ok=not error
        )

    def close(self) -> Run:
        calls = ModelCall.objects.filter(task_run__run=self.run)
        self.run.input_tokens = sum(call.input_tokens or 0 for call in calls)
        self.run.output_tokens = sum(call.output_tokens or 0 for call in calls)
        self.run.cost = sum((call.cost or Decimal(0) for call in calls), Decimal(0))
        self.run.save()
        self.conversation.last_number = self.number
        self.conversation.save()
        return self.run


def _payload(text: str) -> Payload:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Payload.objects.get_or_create(digest=digest, defaults={"text": text})[0]


def _tools_offered(task_run: TaskRun) -> list[dict[str, Any]]:
    names = (
        ["delegate_to_worker"] if task_run.leads else [WORKERS[task_run.agent_name][1]]
    )
    return [
        {
            "type": "function",
            "function": {"name": name, "parameters": {"type": "object"}},
        }
        for name in [*names, "ask_human"]
    ]

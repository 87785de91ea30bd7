"""Conversations of the seeded teams on the real engine, worked on by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from conversations.choices import RequestState
from conversations.engine.loop import advance
from conversations.models import (
    Conversation,
    HumanRequest,
    Message,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.services.requests import answer_request
from conversations.services.runs import RunOptions, start_run
from teams.models import Team


@dataclass
class Chat:
    """A conversation of one person with one team; ``run`` is its last run."""

    user: User
    team: str
    conversation: Conversation | None = None
    run: Run | None = None

    def say(self, text: str, **options: Any) -> str:
        """Ask, and work until it pauses or ends. Answers the run's answer."""
        run = start_run(
            user=self.user,
            prompt=text,
            team=Team.objects.get(name=self.team),
            conversation=self.conversation,
            options=RunOptions(**options),
        )
        self.conversation = run.conversation
        return self._work(run)

    def answer(self, text: str) -> str:
        return self._decide(answer=text)

    def decide(self, decision: str, reason: str = "") -> str:
        return self._decide(decision=decision, reason=reason)

    def _decide(self, **decision: Any) -> str:
        answer_request(user=self.user, request=self.open_request(), **decision)
        assert self.run is not None
        return self._work(self.run)

    def _work(self, run: Run) -> str:
        advance(run.pk)
        self.run = Run.objects.get(pk=run.pk)
        return self.run.answer

    def open_request(self) -> HumanRequest:
        return HumanRequest.objects.get(run=self.run, state=RequestState.PENDING)

    @property
    def state(self) -> str:
        assert self.run is not None
        return self.run.state

    def path(self) -> list[str]:
        """Whose turns the last run had, in order."""
        tasks = TaskRun.objects.filter(run=self.run).order_by("started_at", "position")
        return [task.agent_name for task in tasks]

    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """The calls of the last run, in order."""
        rows = ToolCall.objects.filter(task_run__run=self.run)
        return [(call.name, call.arguments) for call in rows.order_by("created_at")]

    def texts(self) -> list[tuple[str, str]]:
        """What agents said in the last run, each with its name."""
        rows = Message.objects.filter(run=self.run, role="assistant").exclude(text="")
        return [(row.author, row.text) for row in rows.order_by("number")]

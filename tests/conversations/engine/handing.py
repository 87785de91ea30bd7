"""Talking to a handoff team, and what its agents heard."""

from __future__ import annotations

from django.contrib.auth.models import User

from conversations.models import Run
from conversations.services.runs import start_run
from teams.models import Agent, HandoffRule, Team
from tests.conversations.engine.conftest import go_on
from tests.support.scripted_model import Queue


def say(asker: User, team: Team, prompt: str, after: Run | None = None) -> Run:
    conversation = after.conversation if after else None
    return go_on(
        start_run(user=asker, prompt=prompt, team=team, conversation=conversation)
    )


def to(name: str, reason: str = "") -> tuple[str, dict[str, str]]:
    return (f"handoff_to_{name}", {"reason": reason} if reason else {})


def heard(queue: Queue, index: int = 0) -> list[tuple[str, str | None]]:
    return [(m["role"], m["content"]) for m in queue.requests[index].messages[1:]]


def rule(team: Team, source: str, target: str) -> None:
    HandoffRule.objects.create(
        team=team,
        source=Agent.objects.get(name=source),
        target=Agent.objects.get(name=target),
    )

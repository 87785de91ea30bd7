"""Whatever models say, people do and processes suffer, in any order (rules 1 to 6, 13).

Each example is one conversation: random replies, answers, stops, retries, expiries,
switches, and deaths at any commit. What must hold is looked at after each step.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, ClassVar
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from conversations.choices import (
    RUN_CLAIMABLE,
    RUN_OPEN,
    RUN_RETRYABLE,
    RequestKind,
    RequestState,
    RunState,
)
from conversations.engine import lease, loop
from conversations.engine.answers import expire_due
from conversations.engine.work import Work
from conversations.models import Conversation, HumanRequest, Run
from conversations.services.conversations import end, reopen
from conversations.services.messages import post_message
from conversations.services.requests import answer_request
from conversations.services.runs import cancel_run, retry_run, start_run
from supervisor_site.common.errors import AppError
from teams.models import Agent, Team, Tool
from tests.support.any_order import (
    RAN,
    Moves,
    check_prompts,
    check_request,
    check_rows,
    make_teams,
)
from tests.support.scripted_model import ScriptedModel

KINDS = (
    "say",
    "call",
    "call",
    "call",
    "say and call",
    "two calls",
    "two calls",
    "unknown",
    "broken arguments",
    "refused",
    "cut off",
)
MOVES = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 200)), min_size=1, max_size=6
)
PATTERNS = ("supervisor", "handoff", "sequential", "alone")


class Killed(BaseException):
    """The process dies here."""


def dies_at(count: int, *, written: bool) -> Any:
    """``Work.commit`` that dies at its n-th call, before or after it has written."""
    real = Work.commit
    left = count

    def commit(self: Work, **options: bool) -> None:
        nonlocal left
        left -= 1
        if left == 0 and not written:
            raise Killed
        real(self, **options)
        if left == 0:
            raise Killed

    return mock.patch.object(Work, "commit", commit)


def stops_at(count: int, run: Run) -> Any:
    """``Work.commit`` after whose n-th call somebody asks that the run stops."""
    real = Work.commit
    left = count

    def commit(self: Work, **options: bool) -> None:
        nonlocal left
        real(self, **options)
        left -= 1
        if left == 0:
            Run.objects.filter(pk=run.pk, state__in=RUN_OPEN).update(
                cancel_requested_at=timezone.now(), signal=F("signal") + 1
            )

    return mock.patch.object(Work, "commit", commit)


class Anything(RuleBasedStateMachine):
    """One conversation with one of the teams."""

    person: ClassVar[User]
    teams: ClassVar[dict[str, Team]]
    moves: ClassVar[Moves]
    conversation: Conversation | None = None

    @initialize(pattern=st.sampled_from(PATTERNS), moves=MOVES)
    def begin(self, pattern: str, moves: list[tuple[str, int]]) -> None:
        Agent.objects.update(enabled=True)
        Tool.objects.update(enabled=True)
        run = start_run(user=self.person, prompt="Begin", team=self.teams[pattern])
        self.conversation = run.conversation
        self.work(moves)

    @property
    def run(self) -> Run:
        runs = Run.objects.filter(conversation=self.conversation)
        return runs.select_related("conversation__team", "requested_by").latest(
            "created_at"
        )

    def waits(self) -> list[HumanRequest]:
        pending = HumanRequest.objects.filter(
            run__conversation=self.conversation, state=RequestState.PENDING
        )
        return list(
            pending.select_related("run__conversation", "call").order_by("created_at")
        )

    def is_claimable(self) -> bool:
        return self.conversation is not None and self.run.state in RUN_CLAIMABLE

    def is_retryable(self) -> bool:
        return self.conversation is not None and self.run.state in RUN_RETRYABLE

    def is_waiting(self) -> bool:
        return self.conversation is not None and bool(self.waits())

    def is_quiet(self) -> bool:
        return self.conversation is not None and self.run.state not in RUN_OPEN

    @precondition(is_claimable)
    @rule(moves=MOVES)
    def work(self, moves: list[tuple[str, int]]) -> None:
        self.moves.add(moves)
        loop.advance(self.run.pk)

    @precondition(is_claimable)
    @rule(moves=MOVES, count=st.integers(1, 12), written=st.booleans())
    def die(self, moves: list[tuple[str, int]], count: int, written: bool) -> None:
        self.moves.add(moves)
        run = self.run
        holder = lease.claim(run.pk)
        assert holder is not None
        with dies_at(count, written=written), suppress(Killed):
            loop._work(holder)
        lease._holders.pop(run.pk, None)
        # A dead process cleans nothing up: its lease runs out.
        past = timezone.now() - timedelta(seconds=1)
        Run.objects.filter(pk=run.pk, lease_until__isnull=False).update(
            lease_until=past
        )

    @precondition(is_claimable)
    @rule(moves=MOVES, count=st.integers(1, 12))
    def stop_meanwhile(self, moves: list[tuple[str, int]], count: int) -> None:
        self.moves.add(moves)
        run = self.run
        with stops_at(count, run):
            loop.advance(run.pk)
        loop.advance(run.pk)

    @precondition(is_waiting)
    @rule(which=st.integers(0, 3), choice=st.integers(0, 5), moves=MOVES)
    def decide(self, which: int, choice: int, moves: list[tuple[str, int]]) -> None:
        waiting = self.waits()
        request = waiting[which % len(waiting)]
        words: dict[str, Any] = {"answer": f"Answer {choice}"}
        if request.kind == RequestKind.APPROVAL:
            words = {"decision": ("approve", "deny")[choice % 2]}
        elif request.kind == RequestKind.RECOVERY:
            words = {"decision": ("retry", "skip", "fail")[choice % 3]}
        answer_request(user=self.person, request=request, **words)
        self.moves.add(moves)
        loop.advance(self.run.pk)

    @precondition(is_waiting)
    @rule(which=st.integers(0, 3))
    def expire(self, which: int) -> None:
        waiting = self.waits()
        past = timezone.now() - timedelta(seconds=1)
        HumanRequest.objects.filter(pk=waiting[which % len(waiting)].pk).update(
            expires_at=past
        )
        expire_due()

    @precondition(lambda self: not self.is_quiet())
    @rule()
    def stop(self) -> None:
        cancel_run(user=self.person, run=self.run)

    @precondition(is_retryable)
    @rule(moves=MOVES)
    def retry(self, moves: list[tuple[str, int]]) -> None:
        self.attempt(lambda: retry_run(user=self.person, run=self.run), moves)

    @rule(moves=MOVES)
    def write(self, moves: list[tuple[str, int]]) -> None:
        assert self.conversation is not None
        conversation = self.run.conversation
        self.attempt(
            lambda: post_message(
                user=self.person, conversation=conversation, content="And then?"
            ),
            moves,
        )

    @precondition(is_quiet)
    @rule(moves=MOVES)
    def ask_again(self, moves: list[tuple[str, int]]) -> None:
        if self.run.state == RunState.SUCCEEDED:
            self.attempt(lambda: retry_run(user=self.person, run=self.run), moves)

    @rule(number=st.integers(0, 9), on=st.booleans())
    def switch(self, number: int, on: bool) -> None:
        rows = [*Agent.objects.order_by("pk"), *Tool.objects.order_by("pk")]
        row = rows[number % len(rows)]
        type(row).objects.filter(pk=row.pk).update(enabled=on)

    @precondition(is_quiet)
    @rule()
    def end_and_reopen(self) -> None:
        conversation = self.run.conversation
        end(user=self.person, conversation=conversation)
        reopen(user=self.person, conversation=conversation)

    def attempt(self, act: Callable[[], Run], moves: list[tuple[str, int]]) -> None:
        """A refusal changes nothing; a run begun is worked on."""
        try:
            act()
        except AppError:
            return
        self.moves.add(moves)
        loop.advance(self.run.pk)

    @invariant()
    def holds(self) -> None:
        assert self.moves.problems == []
        if self.conversation is not None:
            check_rows(self.conversation)

    def teardown(self) -> None:
        """Whatever happened: somebody who answers brings it to an end."""
        if self.conversation is None:
            return
        for _ in range(40):
            if self.run.state not in RUN_OPEN:
                break
            waiting = self.waits()
            if waiting:
                self.decide(0, 1, [("say", 0)])
            else:
                self.work([("say", 0)])
        assert self.run.state not in RUN_OPEN
        self.holds()
        check_prompts(self.conversation)


@pytest.fixture
def teams(transactional_db: None, scripted_model: ScriptedModel) -> dict[str, Team]:
    return make_teams(scripted_model.base_url)


@pytest.fixture
def machine(
    asker: User, teams: dict[str, Team], scripted_model: ScriptedModel
) -> type[Anything]:
    RAN.clear()
    Anything.person, Anything.teams, Anything.moves = asker, teams, Moves()
    scripted_model.answer_with(Anything.moves.answer)
    return Anything


EVERY_TIME = settings(
    max_examples=10,
    stateful_step_count=10,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_what_must_hold_always_holds(machine: type[Anything]) -> None:
    """The same ten examples each time."""
    run_state_machine_as_test(machine, settings=EVERY_TIME)


@pytest.mark.soak
def test_what_must_hold_holds_three_hundred_times(machine: type[Anything]) -> None:
    """Others each time; a failure prints the steps that lead to it."""
    many = settings(EVERY_TIME, max_examples=300, derandomize=False)
    run_state_machine_as_test(machine, settings=many)


def test_the_check_of_a_request_finds_what_a_server_refuses() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    system = {"role": "system", "content": "S"}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "a", "content": "1"}
    user = {"role": "user", "content": "Q"}
    said = {"role": "assistant", "content": "A"}
    assert check_request({"messages": [system, user, asked, result]}) == []
    for messages in (
        [system, user, asked],
        [system, user, asked, user],
        [system, user, asked, result, result],
        [system, user, asked, result, asked, result],
        [system, user, said],
        [system, user, said, said, user],
        [system, {"role": "user", "content": ""}],
        [user],
    ):
        assert check_request({"messages": messages}), messages

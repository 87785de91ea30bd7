"""What a dead process left behind: rows, and a lease that runs out (rules 1, 3, 4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from conversations import events
from conversations.choices import RequestKind, RunState, ToolCallState
from conversations.engine.answers import expire_due
from conversations.engine.decide import decide, site_limits
from conversations.engine.lease import LeaseLostError, claim, release
from conversations.engine.loop import perform
from conversations.engine.recovery import runs_to_take_up
from conversations.engine.steps import RunTool
from conversations.engine.work import Work, work_on
from conversations.models import HumanRequest, Message, ModelCall, Run, ToolCall
from conversations.services.requests import answer_request
from conversations.services.runs import start_run
from teams.models import Team
from teams.toolbox.running import run_tool
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_delegation import delegate
from tests.support.leases import let_lease_end
from tests.support.scripted_model import Queue, calls, text
from tests.support.teams import EFFECTS


class Killed(BaseException):
    """The process dies here."""


def die_after(run: Run, tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work on the run and die right after the effect of a tool, before its result."""
    from conversations.engine import tool_call

    def then_die(definition, arguments, context):
        outcome = run_tool(definition, arguments, context)
        if definition.name == tool:
            raise Killed
        return outcome

    with monkeypatch.context() as patch:
        patch.setattr(tool_call, "run_tool", then_die)
        with pytest.raises(Killed):
            work_until_killed(run)
    let_lease_end(run)


def work_until_killed(run: Run) -> None:
    """The loop without its clean-up: a killed process cleans nothing up."""
    holder = claim(run.pk)
    assert holder is not None
    work = work_on(holder)
    work.move_run(RunState.RUNNING)
    while True:
        perform(work, decide(work.rows, site_limits(), work.now()))


@pytest.fixture
def shredding(
    asker: User,
    office: Team,
    lead: Queue,
    clerk: Queue,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    lead.add(calls(delegate("CLERK/FILES", "Shred 7")), text("Done."))
    clerk.add(calls(("shred_file", {"number": "7"})), text("Done."))
    run = start_run(user=asker, prompt="Shred 7", team=office)
    die_after(run, "shred_file", monkeypatch)
    return run


def test_a_tool_that_may_not_repeat_becomes_a_question(shredding: Run) -> None:
    assert runs_to_take_up() == [shredding.pk]
    run = go_on(shredding)
    assert run.state == RunState.WAITING_FOR_HUMAN
    request = HumanRequest.objects.get(run=run)
    assert (request.kind, request.choices) == (
        RequestKind.RECOVERY,
        ["retry", "skip", "fail"],
    )
    assert EFFECTS == [("shred", "7")]
    answer_request(user=run.requested_by, request=request, decision="skip")
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == [("shred", "7")]


@pytest.mark.parametrize(
    ("decision", "state", "effects"),
    [
        ("retry", ToolCallState.SUCCEEDED, 2),
        ("skip", ToolCallState.UNKNOWN, 1),
        ("fail", ToolCallState.FAILED, 1),
    ],
)
def test_the_person_decides_what_becomes_of_it(
    shredding: Run, decision: str, state: str, effects: int
) -> None:
    run = go_on(shredding)
    request = HumanRequest.objects.get(run=run)
    answer_request(user=run.requested_by, request=request, decision=decision)
    assert go_on(run).state == RunState.SUCCEEDED
    assert ToolCall.objects.get(task_run__run=run, name="shred_file").state == state
    assert len(EFFECTS) == effects


def test_a_tool_that_is_safe_to_repeat_is_repeated(
    asker: User,
    office: Team,
    lead: Queue,
    clerk: Queue,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Done."))
    clerk.add(calls(("find_file", {"number": "7"})), text("Done."))
    run = start_run(user=asker, prompt="Find 7", team=office)
    die_after(run, "find_file", monkeypatch)
    assert go_on(run).state == RunState.SUCCEEDED
    call = ToolCall.objects.get(task_run__run=run, name="find_file")
    assert (call.state, call.attempts) == (ToolCallState.SUCCEEDED, 2)


def test_a_model_call_is_repeated_in_its_own_row(
    asker: User, office: Team, lead: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conversations.engine import model_call

    lead.add(text("Hello."))
    run = start_run(user=asker, prompt="Hello", team=office)

    def die(*args, **kwargs):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(model_call, "start_call", die)
        with pytest.raises(Killed):
            work_until_killed(run)
    let_lease_end(run)
    assert ModelCall.objects.get().state == "RUNNING"
    attempts: list[int] = []

    def listen(delta: events.DraftDelta) -> None:
        attempts.append(delta.attempt)

    events.on_delta(listen)
    try:
        assert go_on(run).answer == "Hello."
    finally:
        events.off(listen)
    called = ModelCall.objects.get()
    assert (called.state, called.attempts) == ("SUCCEEDED", 2)
    # A page that saw the first attempt's draft replaces it.
    assert set(attempts) == {2}
    assert Message.objects.filter(run=run, role="assistant").count() == 1


def test_a_live_lease_is_left_alone(asker: User, office: Team) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    assert claim(run.pk) is not None
    assert claim(run.pk) is None
    assert runs_to_take_up() == []


def test_an_older_holder_cannot_write(asker: User, office: Team) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    first = claim(run.pk)
    assert first is not None
    slow = work_on(first)
    slow.move_run(RunState.RUNNING)
    let_lease_end(run)
    assert claim(run.pk) is not None
    with pytest.raises(LeaseLostError):
        slow.commit()
    run.refresh_from_db()
    assert run.state == RunState.QUEUED
    assert run.events.count() == 2


def test_a_run_queued_but_never_picked_up_is_picked_up(
    asker: User, office: Team
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    Run.objects.filter(pk=run.pk).update(
        created_at=timezone.now() - timedelta(minutes=1)
    )
    assert runs_to_take_up() == [run.pk]


def test_an_expired_approval_is_a_denial_and_the_run_goes_on(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Not sent."))
    post.add(calls(("send_letter", {"text": "A"})), text("Not sent."))
    run = ask("Write")
    HumanRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert expire_due() == [run.pk]
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == []
    assert post.requests[1].messages[-1]["content"] == (
        "Denied: nobody approved this in time. Do not try it again."
    )


def test_an_expired_question_ends_the_run(ask: Ask, lead: Queue) -> None:
    lead.add(calls(("ask_human", {"question": "Well?"})))
    run = ask("Hm")
    HumanRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert expire_due() == []
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.EXPIRED, "question_expired")
    assert HumanRequest.objects.get(run=run).state == "EXPIRED"


def test_the_same_rows_give_the_same_step(shredding: Run) -> None:
    """``decide`` is pure: loading again changes nothing."""
    holder = claim(shredding.pk)
    assert holder is not None
    work: Work = work_on(holder)
    first, second = (
        decide(work.rows, site_limits(), work.now()),
        decide(work.rows, site_limits(), work.now()),
    )
    assert first == second
    assert not isinstance(first, RunTool)
    release(holder)
    answer_recovery(shredding)


def answer_recovery(run: Run) -> None:
    waiting = go_on(run)
    request = HumanRequest.objects.get(run=run)
    answer_request(user=waiting.requested_by, request=request, decision="skip")
    assert go_on(run).state == RunState.SUCCEEDED

"""Stop really stops: the model's server sees the connection close (rule 12)."""

from __future__ import annotations

import threading
import time

import pytest
from django.contrib.auth.models import User
from django.db import connection

from conversations.choices import MessageState, RequestState, RunState, ToolCallState
from conversations.engine.loop import advance
from conversations.models import HumanRequest, Message, Run, ToolCall
from conversations.services.runs import cancel_run, retry_run, start_run
from supervisor_site.common.errors import Forbidden
from teams.models import Team
from tests.conftest import make_user
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, ScriptedModel, calls, slow, text
from tests.support.teams import EFFECTS, GATE


class Worker(threading.Thread):
    """Another thread that works on a run, as the pool of the server does."""

    def __init__(self, run: Run) -> None:
        super().__init__(daemon=True)
        self.run_id = run.pk
        self.start()

    def run(self) -> None:
        try:
            advance(self.run_id)
        finally:
            connection.close()


def again(run: Run) -> Run:
    return Run.objects.select_related("conversation", "requested_by").get(pk=run.pk)


def test_a_stop_closes_the_stream_and_keeps_the_partial_text(
    asker: User, office: Team, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(slow("word " * 400, 0.02))
    run = start_run(user=asker, prompt="Tell me", team=office)
    worker = Worker(run)
    (request,) = scripted_model.wait_for_requests(1)
    time.sleep(1.5)
    stopped_at = time.monotonic()
    cancel_run(user=asker, run=again(run))
    assert request.wait_disconnected(2)
    assert request.disconnected_at is not None
    assert request.disconnected_at - stopped_at < 1
    worker.join(5)
    run = again(run)
    assert (run.state, run.lease_until) == (RunState.CANCELLED, None)
    message = Message.objects.get(run=run, role="assistant")
    assert message.state == MessageState.STOPPED
    assert message.text.startswith("word word")


def test_a_stop_while_a_person_is_asked_settles_the_card(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(calls(("ask_human", {"question": "Well?"})))
    run = cancel_run(user=asker, run=again(ask("Hm")))
    assert run.state == RunState.CANCELLED
    assert HumanRequest.objects.get(run=run).state == RequestState.CANCELLED


def test_a_queued_run_is_stopped_before_it_starts(
    asker: User, office: Team, scripted_model: ScriptedModel
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    assert cancel_run(user=asker, run=again(run)).state == RunState.CANCELLED
    assert scripted_model.requests == []


def test_a_running_tool_is_not_interrupted_and_nothing_follows(
    asker: User, office: Team, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Shred 7")))
    clerk.add(calls(("shred_file", {"number": "7"}), ("find_file", {"number": "7"})))
    GATE.clear()
    run = start_run(user=asker, prompt="Shred 7", team=office)
    worker = Worker(run)
    while not EFFECTS:
        time.sleep(0.01)
    cancel_run(user=asker, run=again(run))
    GATE.set()
    worker.join(5)
    run = again(run)
    assert run.state == RunState.CANCELLED
    states = dict(
        ToolCall.objects.filter(task_run__run=run).values_list("name", "state")
    )
    assert states == {
        "delegate_to_worker": ToolCallState.CANCELLED,
        "shred_file": ToolCallState.SUCCEEDED,
        "find_file": ToolCallState.CANCELLED,
    }


def test_a_retry_after_a_stop_does_not_repeat_what_succeeded(
    asker: User, office: Team, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Shred 7")), text("Gone."))
    clerk.add(
        calls(("shred_file", {"number": "7"}), ("find_file", {"number": "7"})),
        text("Gone."),
    )
    GATE.clear()
    run = start_run(user=asker, prompt="Shred 7", team=office)
    worker = Worker(run)
    while not EFFECTS:
        time.sleep(0.01)
    cancel_run(user=asker, run=again(run))
    GATE.set()
    worker.join(5)
    retry_run(user=asker, run=again(run))
    run = go_on(run)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Gone.")
    assert EFFECTS == [("shred", "7")]
    assert run.tool_state == {"shredded": "7"}


def test_a_follow_up_after_a_stop_is_a_valid_history(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(calls(("ask_human", {"question": "Well?"})), text("Fine."))
    run = cancel_run(user=asker, run=again(ask("Hm")))
    ask("Never mind", run.conversation)
    kinds = [(m["role"], m["content"]) for m in lead.requests[1].messages[1:]]
    assert kinds == [
        ("user", "Hm"),
        ("assistant", None),
        ("tool", "Error: not executed, the run was interrupted before this call."),
        ("user", "Never mind"),
    ]


def test_a_stranger_cannot_stop(ask: Ask, lead: Queue) -> None:
    lead.add(calls(("ask_human", {"question": "Well?"})))
    run = ask("Hm")
    with pytest.raises(Forbidden):
        cancel_run(user=make_user("charlie"), run=again(run))
    assert again(run).cancel_requested_at is None


def test_a_stop_of_an_ended_run_changes_nothing(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(text("Hello."))
    run = ask("Hello")
    assert cancel_run(user=asker, run=again(run)).state == RunState.SUCCEEDED

"""Retry goes on at the very step where a run ended, whatever ended it (rule 13)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from conversations.choices import RequestState, RunState, ToolCallState
from conversations.engine.answers import expire_due
from conversations.models import HumanRequest, Run, TaskRun, Thread, ToolCall
from conversations.services.conversations import end
from conversations.services.requests import answer_request
from conversations.services.runs import cancel_run, retry_run, start_run
from supervisor_site.common.errors import Conflict, NotFound
from teams.models import Team
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.handing import heard, say, to
from tests.conversations.engine.test_delegation import delegate
from tests.conversations.engine.test_patterns import make_line
from tests.conversations.engine.test_recovery import die_after
from tests.support.scripted_model import (
    DROP,
    Queue,
    ScriptedModel,
    calls,
    chunk,
    error,
    event,
    raw,
    text,
)
from tests.support.teams import EFFECTS, make_chief, make_profile


def as_it_is(run: Run) -> Run:
    return Run.objects.select_related("conversation__team", "requested_by").get(
        pk=run.pk
    )


def asked(run: Run) -> HumanRequest:
    return HumanRequest.objects.select_related("run__conversation").get(
        run=run, state=RequestState.PENDING
    )


def expire(run: Run) -> Run:
    HumanRequest.objects.filter(run=run).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    expire_due()
    run.refresh_from_db()
    return run


def retried(run: Run) -> Run:
    return go_on(retry_run(user=run.requested_by, run=as_it_is(run)))


def stop(run: Run) -> Run:
    return cancel_run(user=run.requested_by, run=as_it_is(run))


@pytest.mark.parametrize("how", [stop, expire])
def test_a_question_in_a_fixed_step_is_asked_again_and_earlier_steps_stand(
    asker: User, scripted_model: ScriptedModel, how: object
) -> None:
    team = make_line(make_profile(scripted_model.base_url), "CUT", "GLUE")
    scripted_model.add(
        text("cut"), calls(("ask_human", {"question": "Which glue?"})), text("glued")
    )
    run = go_on(start_run(user=asker, prompt="wood", team=team))
    assert asked(run).prompt == "Which glue?"
    run = retried(how(run))  # type: ignore[operator]
    assert run.state == RunState.WAITING_FOR_HUMAN
    answer_request(user=asker, request=asked(run), answer="Wood glue")
    run = go_on(run)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "glued")
    assert len(scripted_model.requests) == 3
    assert [t.result for t in TaskRun.objects.filter(run=run)] == ["cut", "glued"]


@pytest.mark.parametrize("how", [stop, expire])
def test_a_cap_of_time_does_not_count_what_people_took(
    ask: Ask, lead: Queue, office: Team, how: object
) -> None:
    """Neither before a run that waited ended, nor after it was opened again."""
    Team.objects.update(run_timeout=60)
    office.refresh_from_db()
    lead.add(calls(("ask_human", {"question": "Well?"})), text("never said"))
    run = ask("Hm")
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Run.objects.update(started_at=an_hour_ago, waiting_since=an_hour_ago)
    run = retried(how(run))  # type: ignore[operator]
    assert run.waited_ms >= 3_599_000
    # Now it works for longer than the cap.
    answer_request(user=run.requested_by, request=asked(run), answer="Yes")
    Run.objects.update(started_at=timezone.now() - timedelta(hours=2))
    run = go_on(run)
    assert (run.state, run.error_code) == (RunState.FAILED, "run_timeout")
    assert retried(run).answer == "never said"


@pytest.mark.parametrize("answered", [False, True])
def test_a_tool_that_may_have_worked_is_not_run_again_by_a_stop_and_a_retry(
    asker: User,
    office: Team,
    lead: Queue,
    clerk: Queue,
    monkeypatch: pytest.MonkeyPatch,
    answered: bool,
) -> None:
    """Interrupted by a crash; then the run was stopped while the person was asked what
    is to become of the call, or had just said “retry” (rule 4)."""
    lead.add(calls(delegate("CLERK/FILES", "Shred 7")), text("Perhaps."))
    clerk.add(calls(("shred_file", {"number": "7"})), text("Perhaps."))
    run = start_run(user=asker, prompt="Shred 7", team=office)
    die_after(run, "shred_file", monkeypatch)
    run = go_on(run)
    if answered:
        answer_request(user=asker, request=asked(run), decision="retry")
    run = retried(stop(run))
    assert run.state == RunState.SUCCEEDED
    assert EFFECTS == [("shred", "7")]
    call = ToolCall.objects.get(task_run__run=run, name="shred_file")
    assert call.state == ToolCallState.UNKNOWN
    assert clerk.requests[1].messages[-1]["content"] == (
        "Error: interrupted; whether it took effect is unknown."
    )


def broken_off(words: str) -> object:
    return raw([event(chunk({"content": words})), DROP])


def test_a_reply_that_broke_off_is_made_again_and_not_read_by_its_own_model(
    ask: Ask, lead: Queue
) -> None:
    """No two replies in a row, and the answer is a whole one."""
    lead.add(broken_off("The answer is"), text("The answer is seven."), text("Bye."))  # type: ignore[arg-type]
    run = ask("Seven?")
    assert (run.state, run.error_code) == (RunState.FAILED, "model_stream_broken")
    run = retried(run)
    assert run.answer == "The answer is seven."
    ask("Thanks", run.conversation)
    assert heard(lead, 1) == [("user", "Seven?")]
    assert heard(lead, 2) == [
        ("user", "Seven?"),
        ("assistant", "The answer is seven."),
        ("user", "Thanks"),
    ]


def test_without_a_retry_the_next_request_knows_what_was_said(
    ask: Ask, lead: Queue
) -> None:
    lead.add(broken_off("The answer is"), text("Seven."))  # type: ignore[arg-type]
    run = ask("Seven?")
    ask("And?", run.conversation)
    assert heard(lead, 1) == [
        ("user", "Seven?"),
        ("assistant", "The answer is"),
        ("user", "And?"),
    ]


def test_handed_back_without_a_word_and_failed_the_model_still_gets_its_turn(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(to("ORDERS")), error(401, "bad key"), text("Here I am."))
    orders.add(calls(to("TRIAGE")))
    run = say(asker, circle, "Help")
    assert run.state == RunState.FAILED
    assert retried(run).answer == "Here I am."
    assert heard(triage, 2)[-1] == ("user", "Please go on with my request.")


def test_a_delegates_thread_is_continued_after_a_retry(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "EXPERT")
    chief = scripted_model.queue("chief", system="You are CHIEF.")
    expert = scripted_model.queue("expert", system="You are EXPERT.")
    chief.add(calls(("EXPERT", {"prompt": "How many?"})), error(401, "bad key"))
    expert.add(text("7"), text("5"))
    run = go_on(start_run(user=asker, prompt="Go", team=team))
    thread = Thread.objects.get(agent_name="EXPERT")
    again = {"prompt": "Before?", "conversation_id": str(thread.id)}
    chief.add(calls(("EXPERT", again)), text("Five."))
    assert retried(run).answer == "Five."
    assert heard(expert, 1) == [
        ("user", "How many?"),
        ("assistant", "7"),
        ("user", "Before?"),
    ]


def test_asked_again_a_request_does_not_reach_into_the_answer_it_replaces(
    asker: User, scripted_model: ScriptedModel
) -> None:
    """A delegate's thread of the run that was asked again is none of the new one's."""
    team = make_chief(scripted_model.base_url, "EXPERT")
    chief = scripted_model.queue("chief", system="You are CHIEF.")
    expert = scripted_model.queue("expert", system="You are EXPERT.")
    chief.add(calls(("EXPERT", {"prompt": "How many?"})), text("Seven."))
    expert.add(text("7"))
    run = go_on(start_run(user=asker, prompt="Go", team=team))
    thread = Thread.objects.get(agent_name="EXPERT")
    again = {"prompt": "Before?", "conversation_id": str(thread.id)}
    chief.add(calls(("EXPERT", again)), text("Sorry."))
    run = go_on(retry_run(user=asker, run=run))
    assert run.answer == "Sorry."
    assert str(heard(chief, 3)[-1][1]).startswith("Error: This conversation_id is no")


def test_asked_again_a_request_goes_to_the_agent_it_went_to(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(to("ORDERS")), text("Now I answer myself."))
    orders.add(text("Which order?"))
    run = say(asker, circle, "Order")
    again = go_on(retry_run(user=asker, run=run))
    assert again.retry_of_id == run.pk
    assert again.answer == "Now I answer myself."
    assert heard(triage, 1) == [("user", "Order")]


def test_a_run_of_an_ended_conversation_is_not_opened_again(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(error(401, "bad key"))
    run = ask("Hm")
    end(user=asker, conversation=run.conversation)
    with pytest.raises(Conflict) as refused:
        retry_run(user=asker, run=run)
    assert refused.value.code == "conversation_ended"
    assert go_on(run).state == RunState.FAILED


def test_who_may_no_longer_run_the_team_goes_on_with_nothing(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(error(401, "bad key"))
    run = ask("Hm")
    Team.objects.update(access_everyone=False)
    with pytest.raises(NotFound):
        retry_run(user=asker, run=go_on(run))
    Team.objects.update(access_everyone=True, enabled=False)
    with pytest.raises(Conflict) as refused:
        retry_run(user=asker, run=go_on(run))
    assert refused.value.code == "team_disabled"
    assert go_on(run).state == RunState.FAILED


def test_a_budget_counts_anew_after_a_retry(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(
        scripted_model.base_url, max_iterations=1, budget_strategy="error"
    )
    scripted_model.add(calls(("no_such", {})), text("At last."))
    run = go_on(start_run(user=asker, prompt="Go", team=team))
    assert run.error_code == "budget_exceeded"
    assert retried(run).answer == "At last."

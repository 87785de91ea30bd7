"""``GET /runs/{id}/events``: the rows of a run as server-sent events."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from conversations.models import Event, Message, Run
from tests.api.client import Api, assert_problem
from tests.conversations.api.sse_reader import read_all
from tests.conversations.factories import ANSWER, make_run_tree

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(owner: User) -> Run:
    return make_run_tree(owner, "sent")


def test_all_that_happened_comes_in_order_with_its_number(
    owner: User, run: Run
) -> None:
    got = read_all(owner, run)
    numbers = [event.id for event in got if event.id is not None]
    assert numbers == sorted(numbers)
    kinds = [event.kind for event in got]
    assert kinds[:3] == ["run.state", "task_run.state", "message.completed"]
    assert kinds[-2:] == ["output", "run.ended"]
    assert set(kinds) == {
        "run.state",
        "task_run.state",
        "message.completed",
        "tool_call.state",
        "human_request.opened",
        "human_request.settled",
        "output",
        "run.ended",
    }


def test_the_end_brings_the_answer_and_the_whole_run(
    api: Api, owner: User, run: Run
) -> None:
    output, end = read_all(owner, run)[-2:]
    answer = ANSWER + "\nThe summary was sent to alice@example.com."
    assert output.data == {
        "agent": "SUPPORT_SUPERVISOR",
        "text": answer,
        "kind": "output",
    }
    assert end.data == api.get(f"/runs/{run.pk}").json()
    assert (output.id, end.id) == (None, None)


def test_a_state_is_that_of_its_moment(owner: User, run: Run) -> None:
    got = [event for event in read_all(owner, run) if event.kind == "tool_call.state"]
    assert (got[0].data["state"], got[1].data["state"]) == ("PROPOSED", "PROPOSED")
    assert got[-1].data["state"] == "SUCCEEDED"
    assert got[0].data["name"] == "delegate_to_worker"


def test_a_question_is_told_when_it_opens_and_when_it_is_settled(
    owner: User, run: Run
) -> None:
    got = [e for e in read_all(owner, run) if e.kind.startswith("human_request")]
    assert [event.kind for event in got] == [
        "human_request.opened",
        "human_request.settled",
    ]
    assert got[0].data["id"] == got[1].data["id"]
    assert got[1].data["state"] == "APPROVED"


def test_one_goes_on_after_the_last_event_one_knows(owner: User, run: Run) -> None:
    every = read_all(owner, run)
    middle = every[10]
    assert middle.id is not None
    assert read_all(owner, run, after=middle.id) == every[11:]
    last = Event.objects.filter(run=run).latest("number").number
    rest = read_all(owner, run, after=last)
    assert [event.kind for event in rest] == ["output", "run.ended"]


def test_a_message_noted_twice_is_told_once(owner: User, run: Run) -> None:
    before = read_all(owner, run)
    said = Message.objects.filter(run=run, role="assistant").first()
    assert said is not None
    last = Event.objects.filter(run=run).latest("number")
    Event.objects.create(
        conversation=run.conversation,
        run=run,
        number=last.number + 50,
        kind="message",
        row=said.pk,
        created_at=last.created_at,
    )
    assert read_all(owner, run) == before


def test_a_failed_run_ends_without_an_output(owner: User) -> None:
    got = read_all(owner, make_run_tree(owner, "failed"))
    assert [event.kind for event in got][-1] == "run.ended"
    assert "output" not in [event.kind for event in got]
    assert got[-1].data["error"]["code"] == "model_timeout"


def test_events_of_other_runs_of_the_conversation_are_left_out(
    owner: User, run: Run
) -> None:
    later = make_run_tree(owner, "done", conversation=run.conversation)
    assert read_all(owner, later)[-1].data["id"] == str(later.pk)
    assert {e.data.get("run_id", str(later.pk)) for e in read_all(owner, later)} == {
        str(later.pk)
    }


def test_the_response_is_a_stream_that_nobody_keeps(api: Api, run: Run) -> None:
    got = api.get(f"/runs/{run.pk}/events")
    assert got.status_code == 200
    assert got.headers["Content-Type"] == "text/event-stream"
    assert got.headers["Cache-Control"] == "no-cache"
    assert got.headers["X-Accel-Buffering"] == "no"


def test_strangers_and_nobody_get_no_stream(
    stranger_api: Api, anonymous: Api, run: Run
) -> None:
    path = f"/runs/{run.pk}/events"
    assert_problem(stranger_api.get(path), 404, "not_found")
    none = stranger_api.get(f"/runs/{uuid4()}/events")
    assert stranger_api.get(path).content == none.content
    assert_problem(anonymous.get(path), 401, "not_authenticated")
    assert_problem(anonymous.post(path), 405, "method_not_allowed")

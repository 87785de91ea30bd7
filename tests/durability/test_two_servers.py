"""Two servers and two workers behind one database act as one product."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from tests.support import faults
from tests.support.cluster import Installation
from tests.support.follower import Follower
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, slow
from tests.support.scripted_replies import Body, Reply

pytestmark = [
    pytest.mark.durability,
    pytest.mark.services,
    pytest.mark.timeout(180),
]

LONG = " ".join(f"word{number}" for number in range(400))


@pytest.fixture
def talking(office_model: ScriptedModel) -> Iterator[ScriptedModel]:
    """A model that talks for twenty seconds."""
    office_model.answer_with(lambda body: slow(LONG, 0.05))
    yield office_model
    office_model.answer_with(faults.answer)


def begin(server: Product, model: ScriptedModel) -> dict:
    seen = len(model.requests)
    run: dict = server.call("POST", "/runs", {"team": "SUPPORT_TEAM", "prompt": "Talk"})
    model.wait_for_requests(seen + 1)
    return run


def test_a_page_on_one_server_sees_the_text_of_a_run_asked_for_at_the_other(
    installed: Installation, talking: ScriptedModel
) -> None:
    a, b = installed.servers
    run = begin(a, talking)
    page = Follower([b], run["conversation_id"], random.Random(1))
    page.start()
    b.wait_for(lambda: "word9 word10" in "".join(page.text.values()), 5)
    written = max(page.text.values(), key=len)
    time.sleep(1)
    # Piece by piece through Redis, not once a second from the row.
    grown = len(max(page.text.values(), key=len).split()) - len(written.split())
    assert 8 <= grown <= 40
    a.call("POST", f"/runs/{run['id']}/cancel")
    page.wait_until(2)
    page.stop()


def test_a_stop_at_one_server_reaches_the_model_call_of_a_worker_within_a_second(
    installed: Installation, talking: ScriptedModel
) -> None:
    a, b = installed.servers
    run = begin(a, talking)
    request = talking.requests[-1]
    time.sleep(2)
    stopped = time.monotonic()
    b.call("POST", f"/runs/{run['id']}/cancel")
    assert request.wait_disconnected(5)
    assert request.disconnected_at is not None
    assert request.disconnected_at - stopped < 1
    b.wait_for_state(run["id"], "CANCELLED", seconds=5)
    messages = a.call("GET", f"/conversations/{run['conversation_id']}/messages")
    assert [(m["role"], m["state"]) for m in messages["items"]] == [
        ("user", "complete"),
        ("assistant", "stopped"),
    ]
    assert messages["items"][1]["text"].startswith("word0 word1 word2")


def test_nothing_runs_after_a_stop(
    installed: Installation, office_model: ScriptedModel
) -> None:
    a, b = installed.servers
    gate = threading.Event()
    paid = len(installed.first.effects)

    def hold_before_paying(body: Body) -> Reply:
        if faults.LEAD in str(body["messages"][0]["content"]):
            return faults.answer(body)
        return calls(("pay", {"job": 4711}), gate=gate)

    office_model.answer_with(hold_before_paying)
    try:
        seen = len(office_model.requests)
        run = a.call("POST", "/runs", {"team": "OFFICE", "prompt": "Do job 4711"})
        # The clerk's model is about to say that it wants to pay.
        office_model.wait_for_requests(seen + 2)
        time.sleep(0.3)
        b.call("POST", f"/runs/{run['id']}/cancel")
        gate.set()
        b.wait_for_state(run["id"], "CANCELLED", seconds=5)
        time.sleep(1.5)
        assert len(office_model.requests) == seen + 2
        assert len(installed.first.effects) == paid
    finally:
        gate.set()
        office_model.answer_with(faults.answer)


def test_runs_that_wait_for_a_model_hold_no_database_connection(
    installed: Installation, office_model: ScriptedModel
) -> None:
    gate = threading.Event()
    office_model.answer_with(lambda body: slow("I wait for you.", 0, gate=gate))
    try:
        seen = len(office_model.requests)
        body = {"team": "SUPPORT_TEAM", "prompt": "Wait"}
        runs = [installed.first.call("POST", "/runs", body) for _ in range(16)]
        office_model.wait_for_requests(seen + len(runs), 20)
        # All are in the middle of their reply now, some in each worker.
        time.sleep(1.5)
        owners = dict(
            installed.rows(
                "SELECT lease_owner, count(*) FROM conversations_run"
                " WHERE state = 'RUNNING' GROUP BY lease_owner"
            )
        )
        assert sum(owners.values()) == len(runs)
        assert max(owners.values()) > 2
        connections = dict(
            installed.rows(
                "SELECT application_name, count(*) FROM pg_stat_activity"
                " WHERE application_name LIKE 'worker-%' GROUP BY application_name"
            )
        )
        assert max(connections.values()) <= 2
    finally:
        gate.set()
        office_model.answer_with(faults.answer)
    for run in runs:
        done = installed.first.wait_for_state(run["id"], "SUCCEEDED", "FAILED")
        assert done["answer"] == "I wait for you."


def test_a_worker_that_is_to_stop_hands_its_runs_back_within_the_grace_period(
    installed: Installation, office_model: ScriptedModel
) -> None:
    words = " ".join(f"word{number}" for number in range(120))
    office_model.answer_with(lambda body: slow(words, 0.05))
    try:
        run = begin(installed.first, office_model)
        time.sleep(0.5)
        # Whichever worker has it: the other one goes on with it.
        (owner,) = installed.rows(
            f"SELECT lease_owner FROM conversations_run WHERE id = '{run['id']}'"
        )
        (worker,) = [
            worker
            for worker in installed.workers
            if worker.popen and owner[0].endswith(f":{worker.popen.pid}")
        ]
        assert worker.stop(signal.SIGTERM) < 8
        done = installed.first.wait_for_state(run["id"], "SUCCEEDED", "FAILED")
        assert done["answer"] == words
    finally:
        office_model.answer_with(faults.answer)

"""``wait``: one request waits, the others do not, on a real server."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, slow, text

pytestmark = pytest.mark.durability
ASK = {"team": "SUPPORT_TEAM"}


def begin(served: Product, prompt: str, wait: float) -> tuple[int, Any, float]:
    """Status, body and seconds of ``POST /runs``."""
    started = time.monotonic()
    answer = httpx2.post(
        f"{served.url}/api/runs",
        json=ASK | {"prompt": prompt, "wait": wait},
        headers={"Authorization": f"Bearer {served.token}"},
        timeout=70,
    )
    return answer.status_code, answer.json(), time.monotonic() - started


def test_a_run_that_ends_within_the_wait_is_given_back(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(text("Hello to you."))
    status, run, seconds = begin(served, "Hello", 30)
    assert (status, run["state"], run["answer"]) == (200, "SUCCEEDED", "Hello to you.")
    assert seconds < 5


def test_a_run_that_waits_for_a_person_is_given_back(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(calls(("ask_human", {"question": "Which customer?"})))
    status, run, seconds = begin(served, "Show the account", 30)
    assert (status, run["state"]) == (200, "WAITING_FOR_HUMAN")
    assert run["human_request"]["prompt"] == "Which customer?"
    assert seconds < 5
    served.call("POST", f"/runs/{run['id']}/cancel")


def test_requests_that_wait_keep_nobody_else_waiting(
    served: Product, served_model: ScriptedModel
) -> None:
    for _number in range(12):
        served_model.add(slow("It is late now.", 0.7))
    with ThreadPoolExecutor(12) as pool:
        waiting = [pool.submit(begin, served, "Slowly", 30) for _number in range(12)]
        time.sleep(1)
        quick = []
        for _number in range(5):
            started = time.monotonic()
            served.call("GET", "/runs?limit=1")
            quick.append(time.monotonic() - started)
        answers = [future.result() for future in waiting]
    assert sorted(quick)[2] < 1.0
    assert {(status, run["state"]) for status, run, _seconds in answers} == {
        (200, "SUCCEEDED")
    }


def test_a_run_that_takes_longer_is_accepted_and_goes_on(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(slow("It is late now.", 0.5))
    status, run, seconds = begin(served, "Slowly", 0.5)
    assert (status, run["state"]) == (202, "RUNNING")
    assert 0.5 <= seconds < 2.0
    assert served.wait_for_state(run["id"], "SUCCEEDED")["answer"] == "It is late now."

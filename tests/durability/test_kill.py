"""SIGKILL at bad moments; the server starts again and the run goes on, once."""

from __future__ import annotations

import time

import pytest

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, slow, text

pytestmark = [pytest.mark.durability, pytest.mark.timeout(180)]

ASK = ("ask_human", {"question": "Which customer?"})


def delegate(worker: str, request: str) -> tuple[str, dict[str, str]]:
    return ("delegate_to_worker", {"worker": worker, "request": request})


PAYMENTS = "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK"


def restart(product: Product) -> float:
    product.kill()
    product.start()
    return time.monotonic()


def test_an_open_question_is_still_there_and_its_answer_resumes_the_same_worker(
    product: Product, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(
        calls(delegate(PAYMENTS, "Show the last payments")),
        calls(ASK),
        text("Paid on Monday."),
        text("The last payment was on Monday."),
    )
    run = product.call(
        "POST",
        "/runs",
        {"team": "SUPPORT_TEAM", "prompt": "Show the last payments", "wait": 20},
    )
    assert run["state"] == "WAITING_FOR_HUMAN"
    restart(product)
    waiting = product.run(run["id"])
    assert waiting["human_requests"] == run["human_requests"]
    request = run["human_request"]
    product.call(
        "POST", f"/human-requests/{request['id']}/respond", {"answer": "C-1001"}
    )
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED")
    assert done["answer"] == "The last payment was on Monday."
    trace = product.call("GET", f"/runs/{run['id']}/trace")
    worker = [task for task in flat(trace["task_runs"]) if task["depth"] == 1]
    assert [(task["agent"], task["state"]) for task in worker] == [
        ("PAYMENT_AGENT", "SUCCEEDED")
    ]


def flat(tasks: list[dict]) -> list[dict]:
    return [t for task in tasks for t in (task, *flat(task.get("children", [])))]


def test_in_the_middle_of_a_model_call_the_run_goes_on_without_a_second_copy(
    product: Product, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(slow("word " * 200, 0.05), text("The whole answer."))
    run = product.call("POST", "/runs", {"team": "SUPPORT_TEAM", "prompt": "Talk"})
    scripted_model.wait_for_requests(1)
    time.sleep(2.5)
    started = restart(product)
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=30)
    assert time.monotonic() - started < 30
    assert done["answer"] == "The whole answer."
    messages = product.call("GET", f"/conversations/{run['conversation_id']}/messages")
    assert [(m["role"], m["text"]) for m in messages["items"]] == [
        ("user", "Talk"),
        ("assistant", "The whole answer."),
    ]


def make_bank(product: Product, tool: str, **fields: object) -> None:
    product.call("POST", "/tools", {"name": tool, "function": tool, **fields})
    product.call(
        "POST",
        "/agents",
        {
            "name": "BANKER",
            "profile_name": "DEFAULT",
            "role": "You bank.",
            "tools": [tool],
        },
    )
    product.call("POST", "/teams", {"name": "BANK", "agents": [{"name": "BANKER"}]})


def test_in_the_middle_of_a_tool_that_may_not_repeat_a_person_decides(
    product: Product, scripted_model: ScriptedModel
) -> None:
    make_bank(product, "move_money")
    scripted_model.add(calls(("move_money", {"amount": 5})), text("It is moved."))
    run = product.call("POST", "/runs", {"team": "BANK", "prompt": "Move 5"})
    product.wait_for(lambda: product.effects, 20)
    restart(product)
    waiting = product.wait_for_state(run["id"], "WAITING_FOR_HUMAN", seconds=30)
    request = waiting["human_request"]
    assert (request["kind"], request["tool"]) == ("recovery", "move_money")
    product.call(
        "POST", f"/human-requests/{request['id']}/respond", {"decision": "skip"}
    )
    product.wait_for_state(run["id"], "SUCCEEDED")
    assert len(product.effects) == 1


def test_in_the_middle_of_a_tool_that_is_safe_to_repeat_it_is_repeated(
    product: Product, scripted_model: ScriptedModel
) -> None:
    make_bank(product, "read_meter", replay_safe=True)
    scripted_model.add(calls(("read_meter", {"room": "Hall"})), text("21 degrees."))
    run = product.call("POST", "/runs", {"team": "BANK", "prompt": "How warm?"})
    product.wait_for(lambda: product.effects, 20)
    product.kill()
    product.open_gate()
    product.start()
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=30)
    assert done["answer"] == "21 degrees."
    first, second = product.effects
    # The same idempotency key both times.
    assert first == second


def test_ctrl_c_ends_the_server_within_five_seconds_and_hands_its_run_back(
    product: Product, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(slow("word " * 200, 0.05), text("The whole answer."))
    run = product.call("POST", "/runs", {"team": "SUPPORT_TEAM", "prompt": "Talk"})
    (request,) = scripted_model.wait_for_requests(1)
    time.sleep(1)
    assert product.stop() < 5
    assert request.wait_disconnected(1)
    product.start()
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=15)
    assert done["answer"] == "The whole answer."

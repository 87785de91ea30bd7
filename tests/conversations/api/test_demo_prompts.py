"""The demo's prompts over REST, offline with the rehearsal model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.product import Product

pytestmark = [pytest.mark.durability, pytest.mark.timeout(180)]

ACCOUNT = "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"
PAYMENTS = "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK"
NOTIFICATION = "NOTIFICATION_AGENT/NOTIFICATION_TASK"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    product = Product(tmp_path_factory.mktemp("demo"))
    product.set_up()
    product.start()
    yield product
    product.stop()


def ask(demo: Product, prompt: str, state: str = "SUCCEEDED") -> dict[str, Any]:
    body = {"team": "SUPPORT_TEAM", "prompt": prompt, "wait": 30}
    run: dict[str, Any] = demo.call("POST", "/runs", body, 200)
    assert run["state"] == state, run
    return run


def respond(demo: Product, run: dict[str, Any], body: dict[str, str]) -> dict[str, Any]:
    path = f"/human-requests/{run['human_request']['id']}/respond"
    demo.call("POST", path, body, 200)
    return demo.wait_for_state(run["id"], "SUCCEEDED", "FAILED", "WAITING_FOR_HUMAN")


def mails(demo: Product) -> list[str]:
    folder = demo.folder / "mails"
    return [p.read_text() for p in folder.iterdir()] if folder.exists() else []


def test_the_plan_takes_one_delegation(demo: Product) -> None:
    run = ask(demo, "What plan is customer C-1001 on?")
    assert run["path"] == [ACCOUNT]
    trace = demo.call("GET", f"/runs/{run['id']}/trace")
    (call,) = trace["task_runs"][1]["tool_calls"]
    assert call["arguments"] == {"customer_id": "C-1001"}
    assert json.loads(call["result"])["plan"] in run["answer"]


def test_account_and_payments_take_two_and_give_one_answer(demo: Product) -> None:
    run = ask(demo, "Show the account and the last three payments of customer C-1001")
    assert run["path"] == [ACCOUNT, PAYMENTS]
    assert "C-1001" in run["answer"]
    assert len(run["outputs"]) == 1


def test_an_e_mail_waits_for_approval_and_is_then_sent(demo: Product) -> None:
    prompt = (
        "Show the account and the last three payments of customer C-1001 "
        "and e-mail it to me"
    )
    run = ask(demo, prompt, "WAITING_FOR_HUMAN")
    request = run["human_request"]
    assert (request["kind"], request["tool"]) == ("approval", "send_email")
    assert request["path"] == [NOTIFICATION]
    assert mails(demo) == []
    done = respond(demo, run, {"decision": "approve"})
    assert done["state"] == "SUCCEEDED"
    assert done["path"] == [ACCOUNT, PAYMENTS, NOTIFICATION]
    (mail,) = mails(demo)
    assert "To: admin@" in mail


def test_a_denied_e_mail_is_not_sent_and_the_run_goes_on(demo: Product) -> None:
    sent = len(mails(demo))
    run = ask(
        demo,
        "Show the account of customer C-1002 and e-mail it to me",
        "WAITING_FOR_HUMAN",
    )
    done = respond(demo, run, {"decision": "deny", "reason": "Not today."})
    assert done["state"] == "SUCCEEDED"
    assert len(mails(demo)) == sent


def test_a_worker_asks_for_the_customer_and_the_same_one_goes_on(
    demo: Product,
) -> None:
    run = ask(demo, "Show the last payments", "WAITING_FOR_HUMAN")
    request = run["human_request"]
    assert (request["kind"], request["path"]) == ("question", [PAYMENTS])
    done = respond(demo, run, {"answer": "C-1001"})
    assert (done["state"], done["path"]) == ("SUCCEEDED", [PAYMENTS])
    trace = demo.call("GET", f"/runs/{run['id']}/trace")
    (worker,) = [row for row in trace["task_runs"] if row["depth"] == 1]
    asked, looked = worker["tool_calls"]
    assert (asked["kind"], asked["result"]) == ("ask_human", "C-1001")
    assert looked["arguments"]["customer_id"] == "C-1001"


def test_the_question_may_be_answered_by_a_message(demo: Product) -> None:
    run = ask(demo, "Show the last payments", "WAITING_FOR_HUMAN")
    path = f"/conversations/{run['conversation_id']}/messages"
    posted = demo.call("POST", path, {"content": "C-1001"}, 202)
    assert posted["run"]["id"] == run["id"]
    done = demo.wait_for_state(run["id"], "SUCCEEDED", "FAILED")
    assert done["state"] == "SUCCEEDED"


def test_an_unknown_customer_is_explained(demo: Product) -> None:
    run = ask(demo, "What plan is customer C-9999 on?")
    assert run["path"] == [ACCOUNT]
    assert "C-9999" in run["answer"]
    trace = demo.call("GET", f"/runs/{run['id']}/trace")
    worker = trace["task_runs"][1]
    assert worker["state"] == "SUCCEEDED"
    assert [call["state"] for call in worker["tool_calls"]] == ["FAILED"]


def test_a_greeting_needs_nobody(demo: Product) -> None:
    run = ask(demo, "Hello")
    assert run["path"] == []
    assert run["answer"]


def test_what_ran_offline_counts_tokens_and_costs_nothing(demo: Product) -> None:
    usage = ask(demo, "Hello")["usage"]
    assert usage["input_tokens"] > 0
    assert usage["cost"] == 0

"""The same flows over REST with another model's server behind the profile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, text

pytestmark = pytest.mark.durability

ACCOUNT = "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"
PAYMENTS = "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK"
NOTIFICATION = "NOTIFICATION_AGENT/NOTIFICATION_TASK"
E_MAIL = ("send_email", {"subject": "Plan", "body": "You are on Pro.", "to": "me"})


def delegate(worker: str, request: str) -> tuple[str, dict[str, str]]:
    return ("delegate_to_worker", {"worker": worker, "request": request})


def lookup(customer: str) -> tuple[str, dict[str, str]]:
    return ("lookup_account", {"customer_id": customer})


def begin(served: Product, **fields: Any) -> dict[str, Any]:
    body = {"team": "SUPPORT_TEAM", "prompt": "Go", "wait": 30} | fields
    run: dict[str, Any] = served.call("POST", "/runs", body, 200)
    return run


def respond(served: Product, run: dict[str, Any], **body: str) -> dict[str, Any]:
    path = f"/human-requests/{run['human_request']['id']}/respond"
    served.call("POST", path, body, 200)
    return served.wait_for_state(
        run["id"], "SUCCEEDED", "FAILED", "WAITING_FOR_HUMAN", seconds=20
    )


def task_runs(served: Product, run: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = served.call("GET", f"/runs/{run['id']}/trace")[
        "task_runs"
    ]
    return found


def test_a_greeting(served: Product, served_model: ScriptedModel) -> None:
    served_model.add(text("Hello."))
    run = begin(served, prompt="Hello")
    assert (run["state"], run["answer"], run["path"]) == ("SUCCEEDED", "Hello.", [])
    assert run["usage"]["input_tokens"] > 0


def test_one_delegation(served: Product, served_model: ScriptedModel) -> None:
    served_model.add(
        calls(delegate(ACCOUNT, "The plan of C-1001")),
        calls(lookup("C-1001")),
        text("It is Pro."),
        text("Customer C-1001 is on Pro."),
    )
    run = begin(served)
    assert run["path"] == [ACCOUNT]
    assert run["answer"] == "Customer C-1001 is on Pro."
    root, worker = task_runs(served, run)
    assert worker["parent_id"] == root["id"]
    assert (worker["request"], worker["result"]) == (
        "The plan of C-1001",
        "It is Pro.",
    )
    assert root["tool_calls"][0]["result"] == "It is Pro."


def test_two_delegations_in_one_reply_run_one_after_the_other(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(delegate(ACCOUNT, "The account"), delegate(PAYMENTS, "The payments")),
        text("The account is fine."),
        text("There are three payments."),
        text("All fine, three payments."),
    )
    run = begin(served)
    assert run["path"] == [ACCOUNT, PAYMENTS]
    root, first, second = task_runs(served, run)
    assert first["finished_at"] <= second["started_at"]
    assert [call["result"] for call in root["tool_calls"]] == [
        "The account is fine.",
        "There are three payments.",
    ]
    assert [call["child_id"] for call in root["tool_calls"]] == [
        first["id"],
        second["id"],
    ]


def test_an_approved_call_is_executed_as_it_was_shown(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(delegate(NOTIFICATION, "E-mail the plan")),
        calls(E_MAIL),
        text("Sent."),
        text("The e-mail is on its way."),
    )
    run = begin(served)
    assert run["state"] == "WAITING_FOR_HUMAN"
    request = run["human_request"]
    assert (request["tool"], request["arguments"]) == E_MAIL
    assert request["path"] == [NOTIFICATION]
    done = respond(served, run, decision="approve")
    assert (done["state"], done["answer"]) == (
        "SUCCEEDED",
        "The e-mail is on its way.",
    )
    (call,) = task_runs(served, run)[1]["tool_calls"]
    assert (call["state"], call["approved"]) == ("SUCCEEDED", True)
    assert call["arguments"] == E_MAIL[1]


def test_a_denial_is_told_to_the_model_with_its_reason(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(delegate(NOTIFICATION, "E-mail the plan")),
        calls(E_MAIL),
        text("The person did not want it."),
        text("No e-mail was sent."),
    )
    run = begin(served)
    done = respond(served, run, decision="deny", reason="Not on a Sunday")
    assert done["answer"] == "No e-mail was sent."
    (call,) = task_runs(served, run)[1]["tool_calls"]
    assert call["state"] == "DENIED"
    assert "Not on a Sunday" in call["result"]


def test_a_question_is_answered_and_the_same_worker_goes_on(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(delegate(PAYMENTS, "The last payments")),
        calls(("ask_human", {"question": "Whose?", "choices": ["C-1001", "C-1002"]})),
        text("Three payments of C-1001."),
        text("C-1001 paid three times."),
    )
    run = begin(served)
    request = run["human_request"]
    assert (request["kind"], request["prompt"]) == ("question", "Whose?")
    assert request["choices"] == ["C-1001", "C-1002"]
    assert (request["tool"], request["arguments"]) == (None, {})
    done = respond(served, run, answer="C-1001")
    assert done["answer"] == "C-1001 paid three times."
    rows = task_runs(served, run)
    assert [row["agent"] for row in rows] == ["SUPPORT_SUPERVISOR", "PAYMENT_AGENT"]
    assert rows[1]["tool_calls"][0]["result"] == "C-1001"


def test_several_open_requests_are_all_shown_in_model_order(
    served: Product, served_model: ScriptedModel
) -> None:
    other = ("send_email", {"subject": "Two", "body": "Second.", "to": "me"})
    served_model.add(
        calls(delegate(NOTIFICATION, "Two e-mails")),
        calls(E_MAIL, other),
        text("Both sent."),
        text("Done."),
    )
    run = begin(served)
    assert [r["arguments"]["subject"] for r in run["human_requests"]] == ["Plan", "Two"]
    assert run["human_request"] == run["human_requests"][0]
    first = respond(served, run, decision="approve")
    assert first["state"] == "WAITING_FOR_HUMAN"
    assert [r["arguments"]["subject"] for r in first["human_requests"]] == ["Two"]
    done = respond(served, first, decision="approve")
    assert (done["state"], done["human_requests"]) == ("SUCCEEDED", [])


def test_a_failed_tool_call_does_not_fail_the_run(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(
        calls(delegate(ACCOUNT, "The plan of C-9999")),
        calls(lookup("C-9999")),
        text("There is no such customer."),
        text("C-9999 is unknown here."),
    )
    run = begin(served)
    assert (run["state"], run["answer"]) == ("SUCCEEDED", "C-9999 is unknown here.")
    worker = task_runs(served, run)[1]
    assert worker["state"] == "SUCCEEDED"
    assert worker["tool_calls"][0]["state"] == "FAILED"


def test_a_follow_up_goes_into_the_same_conversation(
    served: Product, served_model: ScriptedModel
) -> None:
    served_model.add(text("Hello."), text("I said hello."))
    first = begin(served, prompt="Hello")
    before = len(served_model.requests)
    where = first["conversation_id"]
    second = begin(served, prompt="What did you say?", conversation_id=where)
    assert second["answer"] == "I said hello."
    seen = [m["content"] for m in served_model.requests[before].messages[1:]]
    assert seen == ["Hello", "Hello.", "What did you say?"]


def test_read_only_goes_down_to_the_workers(
    served: Product, served_model: ScriptedModel
) -> None:
    before = len(served_model.requests)
    served_model.add(
        calls(delegate(NOTIFICATION, "E-mail the plan")),
        text("I may not send anything."),
        text("Nothing was sent."),
    )
    run = begin(served, read_only=True)
    assert (run["state"], run["read_only"]) == ("SUCCEEDED", True)
    assert "send_email" not in served_model.requests[before + 1].tools


def test_the_exact_prompt_can_be_read_again(
    served: Product, served_model: ScriptedModel
) -> None:
    before = len(served_model.requests)
    served_model.add(
        calls(delegate(ACCOUNT, "The plan of C-1001")),
        calls(lookup("C-1001")),
        text("It is Pro."),
        text("Pro."),
    )
    run = begin(served)
    sent = [request.body for request in served_model.requests[before:]]
    root, worker = task_runs(served, run)
    first, last = root["model_calls"]
    asked, told = worker["model_calls"]
    for call, body in zip((first, asked, told, last), sent, strict=True):
        path = f"/runs/{run['id']}/model-calls/{call['id']}/prompt"
        prompt = served.call("GET", path, None, 200)
        assert prompt["agrees"] is True
        assert prompt["body"]["messages"] == body["messages"]
        assert prompt["body"]["tools"] == body["tools"]

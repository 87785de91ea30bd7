"""SIGKILL in the other patterns: autonomous turns, handovers, delegates, approvals."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel, calls, slow, text

pytestmark = [pytest.mark.durability, pytest.mark.timeout(240)]


def make_agent(product: Product, name: str, **fields: Any) -> None:
    agent = {
        "name": name,
        "profile_name": "DEFAULT",
        "role": f"You are {name}.",
        **fields,
    }
    product.call("POST", "/agents", agent)


def make_circle(product: Product, **fields: Any) -> None:
    for name in ("FRONT", "BACK"):
        make_agent(product, name)
    members = [{"name": "FRONT"}, {"name": "BACK"}]
    team = {"name": "CIRCLE", "agents": members, "start_agent": "FRONT", **fields}
    product.call("POST", "/teams", team)


def restart(product: Product) -> None:
    product.kill()
    product.start()


def start(product: Product, team: str) -> dict[str, Any]:
    run: dict[str, Any] = product.call("POST", "/runs", {"team": team, "prompt": "Go"})
    return run


def tasks(product: Product, run: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = product.call("GET", f"/runs/{run['id']}/trace")[
        "task_runs"
    ]
    return found


def test_during_an_autonomous_turn_the_counter_is_kept(
    product: Product, scripted_model: ScriptedModel
) -> None:
    make_circle(product, autonomous={"turn_limit": 3})
    scripted_model.add(
        text("one"),
        text("two"),
        slow("three " * 200, 0.05),
        text("three"),
        text("four"),
    )
    run = start(product, "CIRCLE")
    scripted_model.wait_for_requests(3)
    time.sleep(1.5)
    restart(product)
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=40)
    assert (done["answer"], done["ended_by"]) == ("four", "limit:autonomous_turns")
    said = [output["text"] for output in done["outputs"]]
    assert said == ["one", "two", "three", "four"]


def test_during_a_handover_it_is_delivered_once(
    product: Product, scripted_model: ScriptedModel
) -> None:
    make_circle(product)
    scripted_model.add(
        calls(("handoff_to_BACK", {"reason": "yours"})),
        slow("here " * 200, 0.05),
        text("Here I am."),
    )
    run = start(product, "CIRCLE")
    scripted_model.wait_for_requests(2)
    restart(product)
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=40)
    assert done["answer"] == "Here I am."
    assert [(h["from"], h["to"], h["reason"]) for h in done["handoffs"]] == [
        ("FRONT", "BACK", "yours")
    ]
    assert done["active_agent"] == "BACK"
    states = [(task["agent"], task["state"]) for task in tasks(product, run)]
    assert states == [("FRONT", "HANDED_OVER"), ("BACK", "SUCCEEDED")]


def test_three_delegates_deep_the_same_stack_goes_on(
    product: Product, scripted_model: ScriptedModel
) -> None:
    make_agent(product, "L3")
    make_agent(product, "L2", delegates=["L3"])
    make_agent(product, "L1", delegates=["L2"])
    make_agent(product, "TOP", delegates=["L1"])
    product.call("POST", "/teams", {"name": "STACK", "agents": [{"name": "TOP"}]})
    for name in ("L1", "L2", "L3"):
        scripted_model.add(calls((name, {"prompt": "Deeper"})))
    scripted_model.add(
        slow("deep " * 200, 0.05), text("bottom"), text("two"), text("one"), text("top")
    )
    run = start(product, "STACK")
    scripted_model.wait_for_requests(4)
    time.sleep(1.5)
    restart(product)
    done = product.wait_for_state(run["id"], "SUCCEEDED", "FAILED", seconds=40)
    assert done["answer"] == "top"
    made = [(t["agent"], t["depth"], t["result"]) for t in tasks(product, run)]
    assert made == [
        ("TOP", 0, "top"),
        ("L1", 1, "one"),
        ("L2", 2, "two"),
        ("L3", 3, "bottom"),
    ]


def test_with_two_approvals_half_decided_the_other_still_waits(
    product: Product, scripted_model: ScriptedModel
) -> None:
    product.open_gate()
    tool = {"name": "move_money", "function": "move_money", "approval": "always"}
    product.call("POST", "/tools", tool)
    make_agent(product, "BANKER", tools=["move_money"])
    product.call("POST", "/teams", {"name": "BANK", "agents": [{"name": "BANKER"}]})
    both = calls(("move_money", {"amount": 1}), ("move_money", {"amount": 2}))
    scripted_model.add(both, text("Done."))
    run = start(product, "BANK")
    waiting = product.wait_for_state(run["id"], "WAITING_FOR_HUMAN")
    first, second = waiting["human_requests"]
    product.call(
        "POST", f"/human-requests/{first['id']}/respond", {"decision": "approve"}
    )
    restart(product)
    still = product.run(run["id"])
    assert (still["state"], [r["id"] for r in still["human_requests"]]) == (
        "WAITING_FOR_HUMAN",
        [second["id"]],
    )
    assert product.effects == []
    product.call(
        "POST", f"/human-requests/{second['id']}/respond", {"decision": "deny"}
    )
    product.wait_for_state(run["id"], "SUCCEEDED")
    assert [line.split()[1] for line in product.effects] == ["1"]

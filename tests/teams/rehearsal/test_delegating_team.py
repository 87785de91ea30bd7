"""The help desk delegates to a specialist and goes on in its thread; the report is
made in steps. On the real engine."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from conversations.models import ToolCall
from tests.teams.rehearsal.engine import Chat

Open = Callable[[str], Chat]


def threads(chat: Chat) -> list[str]:
    calls = ToolCall.objects.filter(task_run__run=chat.run, name="DATA_SPECIALIST")
    return [json.loads(call.result)["conversation_id"] for call in calls]


def test_a_follow_up_goes_on_in_the_specialists_thread(chat: Open) -> None:
    desk = chat("HELP_DESK")

    assert desk.say("How many orders came in last week?").startswith("**Orders:** ")
    assert desk.calls() == [
        ("DATA_SPECIALIST", {"prompt": "How many orders came in last week?"}),
        ("count_orders", {"period": "last week"}),
    ]
    (thread,) = threads(desk)

    assert desk.say("And the week before?").startswith("**Orders:** ")
    assert desk.calls() == [
        (
            "DATA_SPECIALIST",
            {
                "prompt": "How many orders came in the week before last?",
                "conversation_id": thread,
            },
        ),
        ("count_orders", {"period": "week before last"}),
    ]
    assert threads(desk) == [thread]


def test_another_question_and_its_period(chat: Open) -> None:
    desk = chat("HELP_DESK")

    desk.say("What was the revenue last month?")
    assert desk.calls()[-1] == ("order_revenue", {"period": "last month"})
    desk.say("And this month?")
    assert desk.calls()[-1] == ("order_revenue", {"period": "this month"})
    desk.say("What are the best sellers this month?")
    assert desk.calls()[-1] == ("best_sellers", {"period": "this month"})


def test_in_a_read_only_run_there_is_no_thread_to_go_on_in(chat: Open) -> None:
    desk = chat("HELP_DESK")
    desk.say("How many orders came in last week?", read_only=True)
    desk.say("And this week?", read_only=True)

    assert desk.calls()[0] == (
        "DATA_SPECIALIST",
        {"prompt": "How many orders came in this week?"},
    )


def test_a_greeting_is_answered_without_the_specialist(chat: Open) -> None:
    desk = chat("HELP_DESK")

    assert desk.say("Hello") == (
        "Hello!\n\nI can help with this:\n\n- **Data specialist**"
    )
    assert desk.calls() == []


def test_the_answer_is_json_where_a_schema_is_given(chat: Open) -> None:
    desk = chat("HELP_DESK")
    schema = {
        "type": "object",
        "properties": {
            "orders": {"type": "integer", "minimum": 1},
            "summary": {"type": "string"},
        },
        "required": ["orders", "summary"],
        "additionalProperties": False,
    }
    answer = json.loads(
        desk.say("How many orders came in last week?", output_schema=schema)
    )

    assert answer == {
        "orders": answer["orders"],
        "summary": f"Orders: {answer['orders']}\n\n- Period: last week",
    }


@pytest.mark.parametrize(
    "request_",
    ["Write the report on orders of last week", "Report on last week", "Last week"],
)
def test_the_report_is_collected_filed_and_written(chat: Open, request_: str) -> None:
    line = chat("REPORT_LINE")
    answer = line.say(request_)

    assert line.path() == ["REPORT_ANALYST", "REPORT_ARCHIVIST", "REPORT_WRITER"]
    named = [name for name, _ in line.calls()]
    assert named == ["count_orders", "order_revenue", "best_sellers", "file_figures"]
    periods = [arguments.get("period") for _, arguments in line.calls()[:3]]
    assert periods == ["last week"] * 3
    filed = line.calls()[3][1]["text"]
    for text in (answer, filed):
        assert all(part in text for part in ("Orders: ", "Revenue: ", "Wi-Fi router"))


def test_a_greeting_is_neither_filed_nor_reported(chat: Open) -> None:
    line = chat("REPORT_LINE")

    assert line.say("Hello").startswith("Hello!")
    assert line.calls() == []

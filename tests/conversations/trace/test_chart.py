"""The lines of a run: the delegation tree in the order it was worked through."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from conversations.models import ModelCall, TaskRun, ToolCall
from conversations.trace.chart import chart_of
from teams.services.versions import definition_of
from tests.conversations.factories import make_run_tree
from tests.conversations.run_builder import Builder


def tree(run) -> list[str]:
    return [
        "  " * line.step.depth + line.title + (f" {line.note}" if line.note else "")
        for line in chart_of(run).lines
    ]


def test_task_runs_hold_what_they_did_and_whom_they_asked(owner):
    assert tree(make_run_tree(owner, "done")) == [
        "SUPPORT_SUPERVISOR",
        "  Model call 1 → delegate_to_worker",
        "  ACCOUNT_AGENT ACCOUNT_MANAGEMENT_TASK",
        "    Model call 1 → lookup_account",
        "    lookup_account customer_id: C-1001",
        "    Model call 2",
        "  Model call 2 → delegate_to_worker",
        "  PAYMENT_AGENT PAYMENT_LOOKUP_TASK",
        "    Model call 1 → list_payments",
        "    list_payments customer_id: C-1001, limit: 3",
        "    Model call 2",
        "  Model call 3",
    ]


def test_a_wait_stands_below_the_call_it_holds_up(owner):
    lines = chart_of(make_run_tree(owner, "waiting")).lines[-2:]
    assert [line.step.kind for line in lines] == ["tool", "wait"]
    assert lines[1].step.depth == lines[0].step.depth + 1
    assert lines[1].step.end is None


def test_a_question_is_the_wait_itself(owner):
    run = make_run_tree(owner, "waiting")
    ToolCall.objects.filter(name="send_email").update(kind="ask_human")
    assert [line.step.kind for line in chart_of(run).lines[-2:]] == ["model", "wait"]


def test_a_delegation_that_opened_nothing_is_a_line_of_its_own(owner):
    run = make_run_tree(owner, "done")
    TaskRun.objects.get(agent_name="PAYMENT_AGENT").delete()
    assert [line.title for line in chart_of(run).lines][-2:] == [
        "delegate_to_worker",
        "Model call 3",
    ]


def test_use_is_summed_up_from_the_leaves(owner):
    run = make_run_tree(owner, "sent")
    lines = chart_of(run).lines
    whole = lines[0].usage
    assert whole is not None
    assert (whole.input_tokens, whole.output_tokens) == (
        run.input_tokens,
        run.output_tokens,
    )
    assert whole.cost == run.cost
    account = next(line for line in lines if line.title == "ACCOUNT_AGENT")
    calls = ModelCall.objects.filter(task_run=account.step.task_run)
    assert account.usage is not None
    assert account.usage.input_tokens == sum(call.input_tokens or 0 for call in calls)


def test_errors_are_sentences(owner):
    lines = chart_of(make_run_tree(owner, "failed")).lines
    assert lines[-1].error == "The model's server did not answer within 60 s."


def test_work_and_waiting_are_told_apart(owner):
    chart = chart_of(make_run_tree(owner, "sent"))
    assert 8_000 < chart.worked_ms < 10_000
    assert chart.waited_ms == 4_000


def test_an_open_step_lasts_until_now(owner):
    run = make_run_tree(owner, "running", started=timezone.now() - timedelta(minutes=5))
    line = chart_of(run).lines[-1]
    assert line.step.end is None
    assert line.time.startswith("4 min")


def test_a_step_without_an_end_in_an_ended_run_lasts_until_the_runs_end(owner):
    run = make_run_tree(owner, "done", started=timezone.now() - timedelta(days=2))
    ModelCall.objects.filter(round=3).update(finished_at=None, state="INTERRUPTED")
    assert chart_of(run).lines[-1].time == "1.2 s"


def test_more_lines_than_a_page_carries_are_counted(owner):
    run = make_run_tree(owner, "done")
    chart = chart_of(run, limit=5)
    assert (len(chart.lines), chart.total, chart.is_cut) == (5, 12, True)


def test_a_hundred_levels_keep_their_order_and_a_bounded_indent(owner):
    builder = Builder(owner, timezone.now())
    with transaction.atomic():
        builder.open("deep", None)
    parent = builder.root
    for _depth in range(100):
        call = builder.tool_call(builder.model_call(parent), "delegate_to_worker", {})
        parent = builder.task_run("ACCOUNT_AGENT", "deeper", call)
    lines = chart_of(builder.run).lines
    assert max(line.step.depth for line in lines) == 100
    assert max(line.indent for line in lines) == 8
    assert lines[-1].is_deep


@pytest.mark.parametrize("outcome", ["done", "sent", "failed", "waiting", "running"])
def test_the_chart_takes_five_queries(owner, outcome, django_assert_num_queries):
    run = make_run_tree(owner, outcome)
    # A version never changes, and is kept.
    definition_of(run.team_version_id)
    with django_assert_num_queries(5):
        chart_of(run)

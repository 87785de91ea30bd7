"""A supervised run, step by step (S5, S6, S7, S8)."""

from __future__ import annotations

from conversations.choices import RunState, TaskRunState, ToolCallState
from conversations.models import TaskRun, ToolCall
from tests.conversations.engine.conftest import Ask
from tests.support.scripted_model import Queue, calls, text


def delegate(worker: str, request: str) -> tuple[str, dict[str, str]]:
    return ("delegate_to_worker", {"worker": worker, "request": request})


def test_a_greeting_is_answered_without_any_worker(ask: Ask, lead: Queue) -> None:
    lead.add(text("Hello to you."))
    run = ask("Hello")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Hello to you.")
    assert [task.label for task in run.task_runs.all()] == ["LEAD"]


def test_a_worker_gets_the_request_and_its_result_goes_back(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find file 7")), text("It is Title of 7."))
    clerk.add(calls(("find_file", {"number": "7"})), text("File 7: Title of 7"))
    run = ask("What is file 7?")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "It is Title of 7.")
    worker = TaskRun.objects.get(run=run, depth=1)
    assert (worker.label, worker.state) == ("CLERK/FILES", TaskRunState.SUCCEEDED)
    assert (worker.request, worker.result) == ("Find file 7", "File 7: Title of 7")
    assert worker.origin_call is not None
    assert worker.origin_call.result == "File 7: Title of 7"


def test_the_supervisor_is_told_of_every_pair_and_offered_two_tools(
    ask: Ask, lead: Queue
) -> None:
    lead.add(text("Hello."))
    ask("Hello")
    (request,) = lead.requests
    assert request.tools == ["delegate_to_worker", "ask_human"]
    for part in ("CLERK/FILES", "Knows files.", "All about files.", "Work with files."):
        assert part in request.system


def test_a_worker_never_sees_what_the_supervisor_sees(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find file 7")), text("Done."))
    clerk.add(text("Found."))
    ask("A secret, and file 7")
    (request,) = clerk.requests
    assert request.messages[1:] == [{"role": "user", "content": "Find file 7"}]
    assert "secret" not in str(request.body)
    assert request.tools == ["find_file", "shred_file", "ask_human"]


def test_the_supervisor_gets_only_the_final_result(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find file 7")), text("Done."))
    clerk.add(calls(("find_file", {"number": "7"})), text("The result."))
    ask("File 7")
    results = [m for m in lead.requests[1].messages if m["role"] == "tool"]
    assert [m["content"] for m in results] == ["The result."]
    assert "Title of 7" not in str(lead.requests[1].body)


def test_two_delegations_in_one_reply_run_one_after_the_other(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    both = calls(delegate("CLERK/FILES", "First"), delegate("CLERK/FILES", "Second"))
    lead.add(both, text("Both."))
    clerk.add(text("One."), text("Two."))
    run = ask("Two things")
    results = [m["content"] for m in lead.requests[1].messages if m["role"] == "tool"]
    assert results == ["One.", "Two."]
    first, second = TaskRun.objects.filter(run=run, depth=1).order_by("started_at")
    assert first.finished_at is not None
    assert first.finished_at < second.started_at
    assert first.thread_id != second.thread_id


def test_a_follow_up_knows_the_earlier_turns(ask: Ask, lead: Queue) -> None:
    lead.add(text("Hello Ann."), text("You are Ann."))
    first = ask("I am Ann")
    ask("Who am I?", first.conversation)
    assert [(m["role"], m["content"]) for m in lead.requests[1].messages[1:]] == [
        ("user", "I am Ann"),
        ("assistant", "Hello Ann."),
        ("user", "Who am I?"),
    ]


def test_a_worker_starts_anew_each_time(ask: Ask, lead: Queue, clerk: Queue) -> None:
    lead.add(
        calls(delegate("CLERK/FILES", "First")),
        calls(delegate("CLERK/FILES", "Second")),
        text("Done."),
    )
    clerk.add(text("One."), text("Two."))
    ask("Twice, please")
    assert [m["content"] for m in clerk.requests[1].messages[1:]] == ["Second"]


def test_an_unknown_worker_is_an_error_that_names_the_workers(
    ask: Ask, lead: Queue
) -> None:
    lead.add(calls(delegate("COOK/LUNCH", "Cook")), text("There is no cook."))
    run = ask("Lunch")
    (call,) = ToolCall.objects.filter(task_run__run=run)
    assert call.state == ToolCallState.FAILED
    assert call.result == (
        "Error: There is no worker 'COOK/LUNCH'. Workers: CLERK/FILES, POST/LETTERS."
    )


def test_a_failing_tool_is_read_by_the_worker_and_the_run_succeeds(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 404")), text("There is none."))
    clerk.add(calls(("find_file", {"number": "404"})), text("No such file."))
    run = ask("File 404")
    assert run.state == RunState.SUCCEEDED
    result = clerk.requests[1].messages[-1]["content"]
    assert result == "Error: There is no file 404."

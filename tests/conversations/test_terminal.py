"""A run in a terminal, as ``manage.py ask`` shows it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.contrib.auth.models import User

from conversations import dispatch
from conversations.choices import RunState
from conversations.engine.loop import advance
from conversations.models import HumanRequest, Run, StandingApproval, ToolCall
from conversations.services.runs import RunOptions, start_run
from conversations.terminal import Terminal
from conversations.terminal_lines import go_on
from teams.models import Team, Tool
from tests.support.scripted_model import ScriptedModel, calls, text, text_and_calls
from tests.support.teams import make_chief, make_circle, make_office

pytestmark = pytest.mark.django_db(transaction=True)
TO_ORDERS = ("handoff_to_ORDERS", {"reason": "about an order"})
FIND = ("find_file", {"number": "12"})
LETTER = ("send_letter", {"text": "Dear all"})
TO_POST = ("delegate_to_worker", {"worker": "POST/LETTERS", "request": "Write."})
Show = Callable[..., tuple[Run, str]]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is typed at the prompt, line by line; then the end of the input."""
    lines: list[str] = []

    def read() -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return lines


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, typed: list[str]) -> Show:
    """Start a run, work on it in this thread, and return it with what was shown before
    the last line, which says how to go on."""
    monkeypatch.setattr(dispatch, "enqueue", advance)
    user = User.objects.create_user("alice")

    def start(team: Team, options: RunOptions | None = None) -> tuple[Run, str]:
        out = StringIO()
        run = start_run(user=user, prompt="Hello", team=team, options=options)
        debug = bool(options and options.debug)
        run = Terminal(out=out, debug=debug).follow(user, run)
        end = f"{go_on(run)}\n"
        assert out.getvalue().endswith(f"\n{end}")
        return run, out.getvalue().removesuffix(end)

    return start


def test_handovers_are_named_where_they_happen(
    show: Show, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(text_and_calls("One moment.", TO_ORDERS), text("Which order?"))
    run, shown = show(make_circle(scripted_model.base_url))
    assert run.state == RunState.SUCCEEDED
    assert shown == (
        "TRIAGE: One moment.\nTRIAGE → ORDERS: about an order\nORDERS: Which order?\n"
    )


def test_delegates_are_named_and_their_threads_continued(
    show: Show, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(
        calls(("ANALYST", {"prompt": "How many?"})),
        text("Seven."),
        text("There are seven."),
    )
    _run, shown = show(make_chief(scripted_model.base_url, "ANALYST"))
    assert shown == (
        "CHIEF asks ANALYST: How many?\nANALYST: Seven.\nCHIEF: There are seven.\n"
    )


def test_a_debug_run_shows_every_call_of_every_agent(
    show: Show, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(calls(TO_ORDERS), calls(FIND), text("Found."))
    team = make_circle(scripted_model.base_url)
    _run, shown = show(team, RunOptions(debug=True))
    lines = [line.strip() for line in shown.splitlines() if "·" in line]
    kinds = [" ".join(line.split()[1:4]) for line in lines]
    assert kinds == [
        "TRIAGE: model call",
        'TRIAGE: handoff_to_ORDERS({"reason": "about',
        "ORDERS: model call",
        'ORDERS: find_file({"number": "12"})',
        "ORDERS: model call",
    ]
    assert "→ SUCCEEDED: {" in lines[3]


def test_a_hidden_participant_is_not_heard(
    show: Show, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(
        calls(TO_ORDERS),
        text_and_calls("Between us.", ("handoff_to_TRIAGE", {})),
        text("Done."),
    )
    team = make_circle(scripted_model.base_url, outputs={"hidden": ["ORDERS"]})
    _run, shown = show(team)
    assert shown == (
        "TRIAGE → ORDERS: about an order\nORDERS → TRIAGE\nTRIAGE: Done.\n"
    )


def test_always_approves_for_the_conversation_where_the_tool_permits_it(
    show: Show, scripted_model: ScriptedModel, typed: list[str]
) -> None:
    team = make_office(scripted_model.base_url)
    Tool.objects.filter(name="send_letter").update(remember_approval=True)
    scripted_model.add(
        calls(TO_POST), calls(LETTER), calls(LETTER), text("Sent."), text("Both sent.")
    )
    typed.append("always")
    run, shown = show(team)
    assert run.answer == "Both sent."
    assert "Approve? [yes/always/no, or a reason]" in shown
    assert StandingApproval.objects.get().conversation == run.conversation
    assert HumanRequest.objects.count() == 1


def test_always_is_a_reason_like_any_other_where_it_is_not_permitted(
    show: Show, scripted_model: ScriptedModel, typed: list[str]
) -> None:
    scripted_model.add(calls(TO_POST), calls(LETTER), text("Not sent."), text("No."))
    typed.append("always")
    _run, shown = show(make_office(scripted_model.base_url))
    assert "Approve? [yes/no, or a reason]" in shown
    assert ToolCall.objects.get(name="send_letter").state == "DENIED"
    assert not StandingApproval.objects.exists()


def test_the_run_waits_on_where_nobody_types(
    show: Show, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(calls(TO_POST), calls(LETTER))
    run, shown = show(make_office(scripted_model.base_url))
    assert run.state == RunState.WAITING_FOR_HUMAN
    assert shown.endswith("Approve? [yes/no, or a reason]\n> \n")


def test_a_bare_return_key_decides_nothing(
    show: Show, scripted_model: ScriptedModel, typed: list[str]
) -> None:
    scripted_model.add(calls(TO_POST), calls(LETTER), text("Sent."), text("It is."))
    typed += ["", "yes"]
    run, shown = show(make_office(scripted_model.base_url))
    assert run.answer == "It is."
    assert "> \nDecide “approve” or “deny”.\n" in shown


def test_what_is_asked_is_shown_where_nothing_else_is(
    scripted_model: ScriptedModel, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "enqueue", advance)
    scripted_model.add(calls(("ask_human", {"question": "Which one?"})), text("Right."))
    typed.append("This one")
    user, team = User.objects.create_user("alice"), make_chief(scripted_model.base_url)
    run = start_run(user=user, prompt="Hello", team=team)
    out = StringIO()
    Terminal(out=out, quiet=True).follow(user, run)
    assert out.getvalue() == "CHIEF asks: Which one?\n> "


def test_the_end_says_which_limit_gave_the_turn_back(
    show: Show, scripted_model: ScriptedModel
) -> None:
    team = make_circle(scripted_model.base_url, autonomous={"turn_limit": 1})
    scripted_model.add(text("First."), text("Second."))
    _run, shown = show(team)
    assert shown == (
        "TRIAGE: First.\nTRIAGE: Second."
        "\nYour turn: a limit was reached (autonomous turns).\n"
    )

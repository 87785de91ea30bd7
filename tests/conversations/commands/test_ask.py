"""``manage.py ask``: what it shows, what it asks, how it exits."""

from __future__ import annotations

import builtins
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from conversations import dispatch
from conversations.models import HumanRequest, Run
from teams.demo.seed import seed
from teams.providers.rehearsal import transport
from tests.support.product import ROOT, Product
from tests.support.scripted_model import ScriptedModel, slow

Answer = Callable[..., None]


@pytest.fixture(autouse=True)
def demo(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(transport, "PIECE_DELAY", 0)
    seed("a-password-for-tests")
    yield
    dispatch._stop.clear()


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """What the person types, line by line."""

    def type_in(*lines: str) -> None:
        waiting = list(lines)
        monkeypatch.setattr(builtins, "input", lambda: waiting.pop(0))

    return type_in


def ask(*arguments: str) -> int:
    dispatch._stop.clear()
    with pytest.raises(SystemExit) as left:
        call_command("ask", *arguments)
    return int(left.value.code or 0)


def test_texts_come_with_the_names_of_their_speakers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask("SUPPORT_TEAM", "What plan is customer C-1001 on?") == 0
    out = capsys.readouterr().out
    assert "ACCOUNT_AGENT: " in out
    assert "SUPPORT_SUPERVISOR: " in out
    assert out.index("ACCOUNT_AGENT: ") < out.index("SUPPORT_SUPERVISOR: ")


def test_a_debug_run_shows_texts_in_one_piece_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask("SUPPORT_TEAM", "What plan is customer C-1001 on?", "--debug") == 0
    out = capsys.readouterr().out
    answer = "**Plan:** Fibre 250\n\n- Customer id: C-1001\n- Name: Maya Lindholm\n"
    assert f"\nACCOUNT_AGENT: {answer}" in out
    assert f"\nSUPPORT_SUPERVISOR: {answer}" in out


def test_json_is_the_only_thing_on_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask("SUPPORT_TEAM", "What plan is customer C-1001 on?", "--json") == 0
    run = json.loads(capsys.readouterr().out)
    assert (run["state"], run["path"]) == (
        "SUCCEEDED",
        ["ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK"],
    )


def test_a_question_is_put_at_the_prompt_and_the_same_worker_goes_on(
    capsys: pytest.CaptureFixture[str], answers: Answer
) -> None:
    answers("C-1001")
    assert ask("SUPPORT_TEAM", "Show the last payments") == 0
    assert "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK asks:" in capsys.readouterr().out
    assert Run.objects.get().task_runs.filter(depth=1).count() == 1


def test_an_approval_is_put_at_the_prompt_with_its_arguments(
    capsys: pytest.CaptureFixture[str], answers: Answer
) -> None:
    answers("yes")
    prompt = "Show the account and the last three payments of customer C-1001"
    assert ask("SUPPORT_TEAM", f"{prompt} and e-mail it to me") == 0
    assert "wants to call send_email with" in capsys.readouterr().out
    assert [message.to for message in mail.outbox] == [["admin@example.com"]]


def test_anything_but_yes_denies_with_the_words_as_reason(answers: Answer) -> None:
    answers("not now")
    ask("SUPPORT_TEAM", "Show the account of customer C-1001 and e-mail it to me")
    request = HumanRequest.objects.get()
    assert (request.state, request.reason) == ("DENIED", "not now")
    assert mail.outbox == []


def test_with_nobody_to_ask_it_exits_with_three(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask("SUPPORT_TEAM", "Show the last payments", "--no-input") == 3
    assert "Waiting for a person:" in capsys.readouterr().out


def test_in_a_conversation_the_text_answers_the_open_question() -> None:
    ask("SUPPORT_TEAM", "Show the last payments", "--no-input")
    run = Run.objects.get()
    talk = str(run.conversation_id)
    assert ask("SUPPORT_TEAM", "C-1001", "--conversation", talk) == 0
    run.refresh_from_db()
    assert run.state == "SUCCEEDED"


def test_a_follow_up_goes_on_with_the_conversation() -> None:
    ask("SUPPORT_TEAM", "What plan is customer C-1001 on?")
    talk = str(Run.objects.get().conversation_id)
    assert (
        ask("SUPPORT_TEAM", "And the last three payments?", "--conversation", talk) == 0
    )
    assert Run.objects.filter(conversation_id=talk).count() == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("NOBODY", "Hello"), "There is no team “NOBODY” here."),
        (("SUPPORT_TEAM", "  "), "Write something first: the message is empty."),
        (
            ("SUPPORT_TEAM", "Hello", "--user", "ghost"),
            "There is no active user 'ghost'.",
        ),
    ],
)
def test_what_cannot_be_asked_is_said_and_nothing_is_written(
    arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("ask", *arguments)
    assert str(refused.value) == words
    assert Run.objects.count() == 0


Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(tmp_path: Path, scripted_model: ScriptedModel) -> Begin:
    """The command as a process of its own, on a database of its own."""
    product = Product(tmp_path, model_url=scripted_model.base_url)
    product.set_up()

    def start(*arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "manage.py", "ask", "SUPPORT_TEAM", *arguments],
            cwd=ROOT,
            env=product.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.mark.durability
def test_the_first_ctrl_c_stops_the_run(
    begin: Begin, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(slow("word " * 200, 0.05))
    process = begin("Talk", "--json")
    (request,) = scripted_model.wait_for_requests(1, 120)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, _err = process.communicate(timeout=90)
    assert request.wait_disconnected(2)
    assert (process.returncode, json.loads(out)["state"]) == (1, "CANCELLED")


@pytest.mark.durability
def test_where_nobody_reads_any_more_it_works_on_in_silence(
    begin: Begin, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(slow("word\n" * 40, 0.05))
    process = begin("Talk")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 0

"""The team check: what is wrong, what goes wrong, what could be better (S16)."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from teams.check import check_team
from teams.demo.seed import seed
from teams.models import Agent, Team
from teams.services import definitions
from tests.teams import build

pytestmark = pytest.mark.django_db


def found(team: str = "DESK") -> set[tuple[str, str, str]]:
    advice = check_team(Team.objects.live().get(name=team))
    return {(each.code, each.severity, each.name) for each in advice}


def codes(team: str = "DESK") -> set[str]:
    return {code for code, _severity, _name in found(team)}


def change(kind: str, which: str, /, **attributes) -> None:
    definitions.update(kind, which, attributes, user=None)


def test_the_demo_team_follows_the_advice(settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    seed("a-password")
    assert found("SUPPORT_TEAM") == {
        ("rehearsal_model", "hint", "DEFAULT"),
        ("mail_not_sent", "hint", "send_email"),
        ("mail_recipients", "hint", "send_email"),
    }


def test_a_bare_team_is_told_what_its_texts_lack() -> None:
    build.desk()
    change("task", "LOOK_UP", name="TASK_1")
    assert found() == {
        ("task_name_vague", "warning", "TASK_1"),
        ("instruction_vague", "warning", "TASK_1"),
        ("no_boundary", "hint", "ACCOUNTS"),
        ("requests_not_self_contained", "warning", "LEADER"),
        ("no_description", "hint", "ACCOUNTS"),
        ("no_description", "hint", "TASK_1"),
        ("no_inputs", "warning", "TASK_1"),
        ("no_word_on_asking", "hint", "TASK_1"),
        ("rehearsal_model", "hint", "MAIN"),
    }


def test_errors_come_first() -> None:
    build.desk()
    Agent.objects.filter(name="LEADER").update(supervisor=False)
    first = check_team(Team.objects.get())[0]
    assert (first.code, first.severity, first.kind) == ("rule_broken", "error", "team")
    assert first.message.startswith("“LEADER” cannot lead a team")


@pytest.mark.parametrize(
    ("kind", "name"),
    [("agent", "ACCOUNTS"), ("task", "LOOK_UP")],
)
def test_a_pair_with_a_part_that_is_off_cannot_be_reached(kind, name) -> None:
    build.desk()
    definitions.set_enabled(kind, name, False, user=None)
    assert ("pair_unreachable", "warning", name) in found()


def test_what_is_switched_off_is_named() -> None:
    build.desk()
    for kind, name in (
        ("team", "DESK"),
        ("agent", "LEADER"),
        ("tool", "lookup_account"),
        ("profile", "MAIN"),
    ):
        definitions.set_enabled(kind, name, False, user=None)
    assert {each for each in found() if each[0] == "switched_off"} == {
        ("switched_off", "warning", "DESK"),
        ("switched_off", "error", "LEADER"),
        ("switched_off", "error", "MAIN"),
        ("switched_off", "warning", "lookup_account"),
    }


def test_a_leaders_own_tools_are_left_out() -> None:
    build.desk()
    change("agent", "LEADER", tools=["lookup_account"])
    assert ("leader_tools_unused", "warning", "LEADER") in found()


def test_an_agent_that_leads_here_and_works_there_is_told_on_both_teams() -> None:
    build.desk()
    build.agent("OTHER_LEADER", supervisor=True)
    build.team(
        "OTHER",
        supervisor_agent="OTHER_LEADER",
        agents=[{"name": "LEADER", "task": "LOOK_UP"}],
    )
    assert ("leader_works_elsewhere", "warning", "LEADER") in found("DESK")
    assert ("worker_leads_elsewhere", "warning", "LEADER") in found("OTHER")


def test_two_tasks_of_the_same_words_overlap() -> None:
    build.desk()
    text = "Look up the account of a customer by the id and return plan and status."
    change("task", "LOOK_UP", instruction=text)
    build.task("FIND_ACCOUNT", instruction=text, tools=["lookup_account"])
    change(
        "team",
        "DESK",
        agents=[
            {"name": "ACCOUNTS", "task": "LOOK_UP"},
            {"name": "ACCOUNTS", "task": "FIND_ACCOUNT"},
        ],
    )
    assert ("tasks_overlap", "warning", "FIND_ACCOUNT") in found()


def test_two_agents_of_the_same_task_and_words_overlap() -> None:
    build.desk()
    for name in ("ACCOUNTS", "MORE"):
        if name == "MORE":
            build.agent("MORE")
        change("agent", name, role="You look up accounts of customers by number.")
    change(
        "team",
        "DESK",
        agents=[
            {"name": "ACCOUNTS", "task": "LOOK_UP"},
            {"name": "MORE", "task": "LOOK_UP"},
        ],
    )
    assert ("agents_overlap", "warning", "MORE") in found()


def test_asking_where_it_is_off_is_a_contradiction() -> None:
    build.desk()
    change(
        "task",
        "LOOK_UP",
        instruction="Look up the customer. Ask the person for a missing id. Return it.",
        enable_human_tool=False,
    )
    assert ("asking_is_off", "warning", "LOOK_UP") in found()


def test_a_tool_that_writes_unasked_is_mentioned() -> None:
    build.desk()
    build.tool("mail", function="send_email", approval="never")
    change("task", "LOOK_UP", tools=["mail"])
    assert ("writes_without_approval", "hint", "mail") in found()


def test_workers_without_any_tool_are_mentioned() -> None:
    build.desk()
    change("task", "LOOK_UP", tools=[])
    assert ("no_tools", "hint", "DESK") in found()


def test_a_host_that_may_not_be_called_is_an_error() -> None:
    build.desk()
    build.keyed_profile()
    change("agent", "ACCOUNTS", profile_name="KEYED")
    assert ("host_not_allowed", "error", "KEYED") in found()


def test_the_openai_api_without_a_key_is_a_warning() -> None:
    build.desk()
    build.profile("BARE", provider="openai", model="gpt-4o-mini")
    change("agent", "ACCOUNTS", profile_name="BARE")
    assert ("key_missing", "warning", "BARE") in found()


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [
        ("EMAIL_HOST", "", "mail_host"),
        ("EMAIL_HOST_PASSWORD", "", "mail_credential"),
        ("DEFAULT_FROM_EMAIL", "supervisor@localhost", "mail_sender"),
        ("DEFAULT_FROM_EMAIL", "nobody", "mail_sender"),
        ("EMAIL_ALLOWED_RECIPIENTS", [], "mail_recipients"),
    ],
)
def test_mail_settings_are_looked_at_where_a_tool_mails(
    settings, setting, value, code
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "mail.example.com"
    settings.EMAIL_HOST_USER = "robot"
    settings.EMAIL_HOST_PASSWORD = "secret"
    settings.DEFAULT_FROM_EMAIL = "Robot <robot@example.com>"
    settings.EMAIL_ALLOWED_RECIPIENTS = ["@example.com"]
    build.desk()
    setattr(settings, setting, value)
    assert not any(each.startswith("mail") for each in codes())
    build.tool("mail", function="send_email")
    change("task", "LOOK_UP", tools=["mail"])
    assert {each for each in codes() if each.startswith("mail")} == {code}


@pytest.mark.parametrize(
    ("role", "instruction"),
    [
        (
            "你只处理账户，不处理付款。",
            "查询客户账户。需要 customer id；缺少时询问用户。返回套餐和状态。",
        ),
        (
            "Vous traitez seulement les comptes.",
            "Cherchez le compte. Il faut le customer id ; s'il manque, demandez-le. "
            "Renvoyez le forfait et le statut.",
        ),
        (
            "أنت تتعامل مع الحسابات فقط.",
            "ابحث عن حساب العميل customer. اسأل المستخدم إذا كان الرقم ناقصاً. "
            "أعد نتيجة تحتوي على الخطة والحالة.",
        ),
    ],
)
def test_texts_of_other_languages_are_not_nagged_at(role, instruction) -> None:
    build.desk()
    change("agent", "ACCOUNTS", role=role, description="x")
    change("task", "LOOK_UP", instruction=instruction, description="x")
    assert {
        each
        for each in codes()
        if each.startswith(("no_", "instruction", "task")) and each != "no_tools"
    } == set()


def test_a_sequential_team_needs_no_words_for_a_supervisor() -> None:
    build.agent("WRITER")
    build.team("SOLO", agents=[{"name": "WRITER"}])
    assert codes("SOLO") == {"rehearsal_model"}


def test_the_command_prints_and_ends_with_one_for_an_error() -> None:
    build.desk()
    out = StringIO()
    call_command("check_team", "desk", "--json", stdout=out)
    first = json.loads(out.getvalue())[0]
    assert set(first) == {"code", "severity", "message", "object"}
    Agent.objects.filter(name="LEADER").update(supervisor=False)
    out = StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("check_team", "DESK", stdout=out)
    assert caught.value.code == 1
    assert out.getvalue().startswith("error: team DESK: “LEADER” cannot lead a team")
    with pytest.raises(CommandError, match="There is no team"):
        call_command("check_team", "NONE")

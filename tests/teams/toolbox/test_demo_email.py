"""The e-mail tool: to whom, and never in two ways."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from pytest_django.fixtures import Settings

from teams.toolbox.base import ToolContext, ToolOutcome
from teams.toolbox.running import run_tool

LETTER = {"subject": "Your account", "body": "Plan: Business"}


@pytest.fixture
def send(tool: Any, given: ToolContext) -> Any:
    def send(**arguments: Any) -> ToolOutcome:
        return run_tool(tool("send_email"), {**LETTER, **arguments}, given)

    return send


def test_it_goes_to_the_person_by_default(send: Any, given: ToolContext) -> None:
    assert send() == ToolOutcome(
        '{"status": "sent", "to": "alice@example.com", "subject": "Your account"}'
    )
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (
        ["alice@example.com"],
        "Your account",
        "Plan: Business",
    )
    assert sent.message()["Message-ID"] == f"<{given.call_id}@localhost>"


def test_a_repeat_of_the_same_call_has_the_same_message_id(send: Any) -> None:
    send()
    send()
    first, second = (sent.message()["Message-ID"] for sent in mail.outbox)
    assert first == second


@pytest.mark.parametrize("to", ["ME", "Alice@Example.com"])
def test_the_person_s_own_address_is_always_allowed(to: str, send: Any) -> None:
    assert send(to=to).ok
    assert mail.outbox[0].to == ["alice@example.com"]


@pytest.mark.parametrize("to", ["bob@partner.example", "Boss@Firm.example"])
def test_listed_addresses_and_domains_are_allowed(
    to: str, send: Any, settings: Settings
) -> None:
    settings.EMAIL_ALLOWED_RECIPIENTS = ["@Partner.example", "boss@firm.example"]
    assert send(to=to).ok
    assert mail.outbox[0].to == [to]


@pytest.mark.parametrize(
    "to", ["eve@evil.example", "clerk@firm.example", "x@sub.partner.example"]
)
def test_other_addresses_are_refused(to: str, send: Any, settings: Settings) -> None:
    settings.EMAIL_ALLOWED_RECIPIENTS = ["@partner.example", "boss@firm.example"]
    assert send(to=to) == ToolOutcome(
        f'E-mail to {to} is not allowed here. Use "me", the person\'s own address.',
        ok=False,
    )
    assert mail.outbox == []


@pytest.mark.parametrize(
    "to",
    [
        "",
        "bob",
        "a@partner.example, eve@evil.example",
        "Bob <bob@partner.example>",
        "bob@partner.example\nBcc: eve@evil.example",
    ],
)
def test_what_is_no_single_address_is_refused(
    to: str, send: Any, settings: Settings
) -> None:
    settings.EMAIL_ALLOWED_RECIPIENTS = ["@partner.example", "@evil.example"]
    assert send(to=to) == ToolOutcome(
        'to must be "me" or one e-mail address such as name@example.com.', ok=False
    )
    assert mail.outbox == []


def test_headers_cannot_be_smuggled_in_by_the_subject(send: Any) -> None:
    for subject in ("Hi\nBcc: eve@evil.example", "Hi\r\n\r\nbody", "Hi\u2028x"):
        assert send(subject=subject) == ToolOutcome(
            "subject must be a single line.", ok=False
        )
    assert mail.outbox == []


def test_the_subject_is_neither_empty_nor_endless(send: Any) -> None:
    assert send(subject="  ").text == "subject must not be empty."
    assert send(subject="x" * 201).text == "subject must have at most 200 characters."
    assert mail.outbox == []


def test_a_person_without_an_address_is_told(send: Any, given: ToolContext) -> None:
    given.user.email = ""
    assert send() == ToolOutcome(
        "The person has no e-mail address in this site. "
        "An administrator can add one; until then nothing can be sent.",
        ok=False,
    )


def test_a_mail_server_that_is_away_is_told(send: Any, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert send() == ToolOutcome(
        "The mail server did not take the e-mail (ConnectionRefusedError).", ok=False
    )


def test_a_read_only_run_sends_nothing(send: Any, given: ToolContext) -> None:
    given.read_only = True
    assert send().ok is False
    assert mail.outbox == []

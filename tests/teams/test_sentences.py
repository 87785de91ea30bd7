"""What a tool does, in words for people."""

from __future__ import annotations

from typing import Any

import pytest

from teams.models import Tool
from teams.sentences import sentence
from teams.services.freezing import tool_definition
from tests.teams import build

SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string", "default": "me"},
        "amount": {"type": "number"},
    },
}


@pytest.mark.parametrize(
    ("template", "arguments", "said"),
    [
        ("Send it to {to}", {"to": "bob@example.com"}, "Send it to bob@example.com"),
        ("Send it to {to}", {}, "Send it to me"),
        ("Pay {amount} to {to}", {"amount": 12.5}, "Pay 12.5 to me"),
        ("Pay {amount}", {"amount": ["a", 1]}, 'Pay ["a", 1]'),
        ("Pay everything", {}, "Pay everything"),
        ("Pay {amount}", {"to": "Bob"}, ""),
        ("Pay {amount} to {bank}", {"amount": 1}, ""),
        ("", {"amount": 1}, ""),
        ("Pay {to}", {"to": "{amount}", "amount": 1}, "Pay {amount}"),
    ],
)
def test_arguments_stand_in_their_places(
    template: str, arguments: dict[str, Any], said: str
) -> None:
    assert sentence(template, arguments, SCHEMA) == said


def test_a_value_stays_on_its_line_and_keeps_its_direction() -> None:
    value = "Bob\n\n\u202eecnatsni\u202c \u2066and\u2069 more"
    assert sentence("Send {to} now", {"to": value}, {}) == (
        "Send Bob ecnatsni and more now"
    )


def test_a_long_value_is_shortened() -> None:
    said = sentence("Send {to}.", {"to": "x" * 500}, {})
    assert said == f"Send {'x' * 79}…."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("", "Send an e-mail to bob@example.com"),
        ("Write to {to}", "Write to bob@example.com"),
    ],
)
def test_the_function_s_words_hold_unless_the_tool_has_its_own(
    own: str, said: str
) -> None:
    tool: Tool = build.tool("mail", function="send_email", action=own)
    frozen = tool_definition(tool)
    assert frozen.will_do({"to": "bob@example.com"}) == said
    assert frozen.has_done({"to": "bob@example.com"}) == (
        "sent an e-mail to bob@example.com"
    )

"""What people read of a model's failure says what to change."""

from __future__ import annotations

import pytest

from conversations.error_texts import error_message
from teams.providers.failure_texts import failure_message


@pytest.mark.parametrize(
    ("code", "params", "text"),
    [
        (
            "model_unreachable",
            {"host": "llm.example:9", "detail": "Connection refused"},
            "The model's server llm.example:9 cannot be reached. An administrator can "
            "check its address in the profile: Connection refused",
        ),
        (
            "model_bad_request",
            {"host": "llm.example", "status": 404, "detail": "Not Found"},
            "The model's server llm.example does not know this address or this model. "
            "An administrator can check both in the profile: Not Found",
        ),
        (
            "model_bad_request",
            {"status": 400, "detail": "Unknown parameter: 'foo'"},
            "The model's server refused the request: Unknown parameter: 'foo'",
        ),
        (
            "model_rate_limited",
            {"seconds": 3600},
            "The model's server refuses more requests for now (limit reached). Try "
            "again in 3600 s.",
        ),
        (
            "model_rate_limited",
            {},
            "The model's server refuses more requests for now (limit reached). Try "
            "again in a while.",
        ),
        (
            "model_empty_reply",
            {"cut_off": True},
            "The model used up its token limit before it said anything. An "
            "administrator can raise it in the profile.",
        ),
        (
            "model_context_too_long",
            {"detail": "152533 > 131072 tokens"},
            "The conversation has become too long for this model. Start a new one, or "
            "ask an administrator for a model that reads more: 152533 > 131072 tokens",
        ),
    ],
)
def test_the_sentence_is_the_same_in_the_chat_and_in_the_admin(code, params, text):
    assert failure_message(code, params) == text
    assert error_message(code, params) == text


def test_a_percent_sign_in_the_servers_words_is_left_alone():
    params = {"detail": "100 % (used)"}
    assert failure_message("model_bad_request", params).endswith("100 % (used)")

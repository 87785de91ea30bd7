"""Errors are data (D11): the run carries code and message, and its conversation."""

from __future__ import annotations

from conversations.choices import RunState
from conversations.describe import run_object
from conversations.models import Run
from tests.conversations.engine.conftest import Ask
from tests.support.scripted_model import Queue, error


def test_a_failed_run_says_what_happened_and_where_to_go_on(
    ask: Ask, lead: Queue
) -> None:
    lead.add(error(401, {"error": {"message": "bad key"}}))
    run: Run = ask("Hello")
    told = run_object(run)
    assert told["state"] == RunState.FAILED
    assert told["error"]["code"] == "model_key_refused"
    assert told["error"]["message"].startswith(
        "The model's server refused the API key."
    )
    assert told["conversation_id"] == str(run.conversation_id)

"""A debug run tells of every model call as it begins and ends (D5)."""

from __future__ import annotations

import pytest

from conversations.models import Event
from tests.conversations.engine.conftest import Ask
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, text


@pytest.mark.parametrize(("debug", "told"), [(True, 6), (False, 0)])
def test_model_calls_of_all_agents_are_told_of_in_a_debug_run(
    ask: Ask, lead: Queue, clerk: Queue, debug: bool, told: int
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Done."))
    clerk.add(text("Found."))
    run = ask("File 7", debug=debug)
    assert Event.objects.filter(run=run, kind="model_call.state").count() == told

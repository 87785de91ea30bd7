"""The client objects behind the calls."""

from __future__ import annotations

import threading
from uuid import uuid4

from teams.definition import ProfileDefinition
from teams.providers import clients
from teams.providers.calls import warm_up
from teams.providers.connection import connection_for
from tests.support.model_calls import connection_to, start
from tests.support.scripted_model import text


def test_idle_clients_beyond_the_limit_are_closed(scripted_model):
    gate = threading.Event()
    scripted_model.add(text("held to the end", gate=gate))
    held = start(connection_to(scripted_model, api_key="sk-held"))
    scripted_model.wait_for_requests(1)
    for number in range(clients.CLIENTS_AT_MOST + 3):
        scripted_model.add(text("x"))
        start(connection_to(scripted_model, api_key=f"sk-{number}")).wait()
    assert len(clients._clients) <= clients.CLIENTS_AT_MOST
    gate.set()
    assert held.wait().text == "held to the end"


def test_loading_beforehand_may_be_repeated():
    warm_up()
    warm_up()


def test_the_rehearsal_model_is_called_the_same_way():
    profile = ProfileDefinition(uid=uuid4(), name="R", provider="rehearsal", model="")
    call = start(connection_for(profile), [{"role": "user", "content": "Hello"}])
    reply = call.wait()
    assert reply.text
    assert call.published() == {1: reply.text}
    assert reply.usage is not None

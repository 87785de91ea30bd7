"""A name is checked by the address the connection really goes to."""

from __future__ import annotations

import asyncio
import socket

import pytest

from supervisor_site.common.loop import background_loop
from tests.support.model_calls import connection_to, start
from tests.support.scripted_model import text


@pytest.fixture
def names(monkeypatch):
    """Names and their addresses, answer by answer; the last one is repeated."""
    known: dict[str, list[list[str]]] = {}
    real = background_loop().getaddrinfo

    async def lookup(host, port, **options):
        if host not in known:
            return await real(host, port, **options)
        answers = known[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(2, 1, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(background_loop(), "getaddrinfo", lookup, raising=False)
    return known


def named(model, host):
    return f"http://{host}:{model.port}/v1"


def test_a_listed_name_may_have_a_private_address(scripted_model, settings, names):
    settings.TOOL_ALLOWED_HOSTS = ["models.test"]
    names["models.test"] = [["127.0.0.1"]]
    scripted_model.add(text("Inside"))
    url = named(scripted_model, "models.test")
    call = start(connection_to(scripted_model, base_url=url))
    assert call.wait().text == "Inside"
    host = scripted_model.requests[0].headers["host"]
    assert host == f"models.test:{scripted_model.port}"


def test_a_name_listed_by_pattern_must_have_public_addresses_only(
    scripted_model, settings, names
):
    settings.TOOL_ALLOWED_HOSTS = ["*.models.test"]
    names["a.models.test"] = [["93.184.216.34", "127.0.0.1"]]
    url = named(scripted_model, "a.models.test")
    failure = start(connection_to(scripted_model, base_url=url)).failure()
    assert (failure.code, failure.params["reason"]) == (
        "model_host_not_allowed",
        "private",
    )
    assert scripted_model.connections == 0


def test_a_name_that_changes_its_address_after_the_check_is_not_followed(
    scripted_model, settings, names, monkeypatch
):
    settings.TOOL_ALLOWED_HOSTS = ["*.models.test"]
    names["a.models.test"] = [["93.184.216.34"], ["127.0.0.1"]]
    opened: list[str] = []

    async def create(factory, host, port, **options):
        opened.append(host)
        raise OSError("not in a test")

    monkeypatch.setattr(background_loop(), "create_connection", create, raising=False)
    url = named(scripted_model, "a.models.test")
    failure = start(connection_to(scripted_model, base_url=url)).failure()
    assert failure.code == "model_unreachable"
    assert opened == ["93.184.216.34"]


def test_the_next_address_is_tried_when_one_does_not_answer(
    scripted_model, settings, names
):
    settings.TOOL_ALLOWED_HOSTS = ["models.test"]
    names["models.test"] = [["127.0.0.9", "127.0.0.1"]]
    scripted_model.add(text("Second"))
    url = named(scripted_model, "models.test")
    assert start(connection_to(scripted_model, base_url=url)).wait().text == "Second"


def test_an_unknown_name_is_unreachable(scripted_model, settings, names):
    settings.TOOL_ALLOWED_HOSTS = ["gone.test"]
    names["gone.test"] = [[]]
    url = named(scripted_model, "gone.test")
    failure = start(connection_to(scripted_model, base_url=url)).failure()
    assert failure.code == "model_unreachable"
    assert "not known" in failure.params["detail"]


def test_a_name_service_that_does_not_answer_is_a_timeout(
    scripted_model, settings, monkeypatch
):
    async def never(host, port, **options):
        await asyncio.sleep(60)

    monkeypatch.setattr(background_loop(), "getaddrinfo", never, raising=False)
    settings.TOOL_ALLOWED_HOSTS = ["slow.test"]
    url = named(scripted_model, "slow.test")
    call = start(connection_to(scripted_model, base_url=url, timeout=0.3))
    assert call.failure(5).code == "model_timeout"

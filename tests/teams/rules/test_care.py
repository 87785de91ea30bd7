"""How careful a tool is: conditions of approval, and honesty about what it changes."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Invalid
from teams.services.describe import as_attributes
from tests.teams import build

pytestmark = pytest.mark.django_db

LARGE = {"properties": {"amount": {"minimum": 100}}, "required": ["amount"]}


def test_a_condition_is_a_schema_of_the_arguments() -> None:
    tool = build.tool(approval={"when": LARGE}, remember_approval=True)
    found = as_attributes(tool)
    assert (found["approval"], found["remember_approval"]) == ({"when": LARGE}, True)


@pytest.mark.parametrize(
    "approval",
    [
        {"when": {}},
        {"when": "amount > 100"},
        {"when": {"type": "objekt"}},
        {"when": {"$ref": "https://example.com/x"}},
        {"when": {"properties": {"to": {"pattern": "(?=x)"}}}},
        {"when": LARGE, "unless": LARGE},
        {"unless": LARGE},
        ["always"],
        None,
        True,
    ],
)
def test_anything_else_is_refused(approval) -> None:
    with pytest.raises(Invalid) as caught:
        build.tool(approval=approval)
    assert {error.field for error in caught.value.errors} == {"approval"}


@pytest.mark.parametrize("field", ["action", "action_done"])
def test_a_sentence_names_arguments_of_the_tool(field: str) -> None:
    sound = build.tool("look", **{field: " Look up {customer_id} "})
    assert as_attributes(sound)[field] == "Look up {customer_id}"
    with pytest.raises(Invalid) as caught:
        build.tool("other", **{field: "Look up {customer}"})
    (error,) = caught.value.errors
    assert error.field == field
    assert error.message == ("It has no argument “customer”; there are: customer_id.")


def test_a_function_that_changes_something_is_not_called_read_only() -> None:
    with pytest.raises(Invalid) as caught:
        build.tool("mail", function="send_email", read_only=True)
    assert [error.field for error in caught.value.errors] == ["read_only"]
    assert build.tool("look", read_only=False).read_only is False


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("output_schema", {"type": "objekt"}),
        ("output_schema", {"$ref": "https://example.com/x"}),
        ("output_schema", [1]),
        ("input_token_budget", 0),
        ("output_token_budget", -1),
        ("budget_strategy", "hope"),
        ("run_as", "nobody"),
        ("delegates", "X"),
    ],
)
def test_an_agent_s_limits_are_checked(name: str, value) -> None:
    with pytest.raises(Invalid) as caught:
        build.agent("A", **{name: value})
    assert [error.field for error in caught.value.errors] == [name]


@pytest.mark.parametrize(
    "url",
    [
        "http://ollama:11434/v1",
        "http://localhost:8001/v1",
        "https://models.example.com/v1",
        "http://[::1]:8000/v1",
        "http://10.0.0.5/v1",
        "https://模型.example/v1",
    ],
)
def test_a_server_may_have_any_host(url: str) -> None:
    found = build.profile("P", provider="openai", model="m", base_url=url)
    assert found.base_url == url


@pytest.mark.parametrize(
    "url",
    [
        "ollama:11434",
        "ftp://host/v1",
        "http://",
        "http:///v1",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://two words/v1",
        "http://user:secret@host/v1",
        "http://host/v1?key=1",
        "javascript:alert(1)",
        "http://host\\@other/v1",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(Invalid) as caught:
        build.profile("P", provider="openai", model="m", base_url=url)
    assert [error.field for error in caught.value.errors] == ["base_url"]

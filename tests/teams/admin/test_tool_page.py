"""The form of tools: functions to choose from, careful from the start."""

from __future__ import annotations

from django.test import Client

from teams.models import Tool
from tests.teams import build
from tests.teams.admin import pages


def test_a_new_tool_is_as_careful_as_its_function(office: Client) -> None:
    response = pages.post(
        office, pages.add_url("tool"), name="mail", function="send_email"
    )
    assert pages.saved(response)
    tool = Tool.objects.get()
    assert (tool.approval, tool.read_only, tool.replay_safe, tool.timeout) == (
        "always",
        False,
        False,
        60,
    )


def test_the_functions_are_shown_with_their_arguments(office: Client) -> None:
    page = office.get(pages.add_url("tool"))
    form = page.context["adminform"].form
    names = [name for name, _label in form.fields["function"].choices]
    assert {"", "lookup_account", "list_payments", "send_email"} <= set(names)
    assert b"<details><summary>lookup_account</summary>" in page.content
    assert b"&quot;customer_id&quot;" in page.content


def test_a_tool_shows_its_arguments_to_read(office: Client, db: None) -> None:
    page = office.get(pages.change_url(build.tool()))
    assert b"Look up a customer" in page.content
    assert b"&quot;customer_id&quot;" in page.content
    assert b'name="parameters"' not in page.content


def test_a_function_is_needed(office: Client) -> None:
    response = pages.post(office, pages.add_url("tool"), name="nothing")
    assert pages.errors(response) == {
        "function": ["Name the Python function that it calls."]
    }


def test_a_stranger_function_cannot_be_chosen(office: Client) -> None:
    response = pages.post(office, pages.add_url("tool"), name="x", function="os.system")
    assert pages.errors(response) == {
        "function": [
            "Select a valid choice. os.system is not one of the available choices."
        ]
    }


def test_a_function_that_is_gone_is_told(office: Client, db: None) -> None:
    tool = build.tool()
    Tool.objects.filter(pk=tool.pk).update(function="vanished")
    page = office.get(pages.change_url(tool))
    assert b"vanished (not installed)" in page.content
    assert b"The function is not installed, so it cannot be called." in page.content
    (message,) = pages.errors(pages.post(office, pages.change_url(tool)))["function"]
    assert message.startswith("No function “vanished” is registered; there are: ")


def test_approval_is_chosen_and_everything_else_stays(office: Client, db: None) -> None:
    tool = build.tool(instruction="First.")
    page = office.get(pages.change_url(tool))
    assert b'<input type="radio" name="approval" value="always"' in page.content
    assert pages.saved(pages.post(office, pages.change_url(tool), approval="always"))
    tool.refresh_from_db()
    assert (tool.approval, tool.instruction, tool.read_only) == (
        "always",
        "First.",
        True,
    )
    assert tool.parameters == {}

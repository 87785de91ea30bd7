"""Delegates, budgets, identity and form of answer of an agent; a task's input; a
tool's approval on a condition."""

from __future__ import annotations

import json

from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Profile, Tool
from tests.conftest import make_user
from tests.teams import build
from tests.teams.admin import pages

SCHEMA = {"type": "object", "required": ["total"]}


def test_an_agent_gets_delegates_budgets_and_a_form(
    office: Client, administrator: User
) -> None:
    helper = build.agent("HELPER")
    response = pages.post(
        office,
        pages.add_url("agent"),
        name="DESK",
        role="You lead.",
        profile=helper.profile_id,
        delegates=[helper.pk],
        run_as=administrator.pk,
        input_token_budget="1000",
        output_token_budget="200",
        budget_strategy="summarize",
        output_schema=json.dumps(SCHEMA),
    )
    assert pages.saved(response)
    agent = Agent.objects.get(name="DESK")
    assert list(agent.delegates.all()) == [helper]
    assert (agent.run_as, agent.input_token_budget, agent.output_token_budget) == (
        administrator,
        1000,
        200,
    )
    assert (agent.budget_strategy, agent.output_schema) == ("summarize", SCHEMA)
    assert pages.saved(pages.post(office, pages.change_url(agent), output_schema=None))
    agent.refresh_from_db()
    assert agent.output_schema is None


def test_a_delegate_called_like_a_tool_is_refused(office: Client) -> None:
    tool, namesake = build.tool(), build.agent("LOOKUP_ACCOUNT")
    agent = build.agent("DESK", tools=[tool.name])
    response = pages.post(office, pages.change_url(agent), delegates=[namesake.pk])
    assert list(pages.errors(response)) == ["delegates"]


def test_a_bad_schema_is_refused_on_its_field(office: Client) -> None:
    agent = build.agent("DESK")
    response = pages.post(
        office, pages.change_url(agent), output_schema='{"type": "objekt"}'
    )
    assert list(pages.errors(response)) == ["output_schema"]


def test_a_builder_may_choose_only_himself(client: Client, administrator: User) -> None:
    bob = build.builder(make_user("bob", is_staff=True))
    client.force_login(bob)
    agent = build.agent("DESK")
    url = pages.change_url(agent)
    choices = client.get(url).context["adminform"].form.fields["run_as"].queryset
    assert list(choices) == [bob]
    assert list(pages.errors(pages.post(client, url, run_as=administrator.pk))) == [
        "run_as"
    ]
    assert pages.saved(pages.post(client, url, run_as=bob.pk))
    agent.refresh_from_db()
    assert agent.run_as == bob


def test_who_runs_as_somebody_else_is_not_changed_by_a_builder(
    client: Client, administrator: User
) -> None:
    bob = build.builder(make_user("bob", is_staff=True))
    agent = build.agent("ROBOT", run_as=administrator.username)
    client.force_login(bob)
    response = pages.post(client, pages.change_url(agent), role="Do as I say.")
    assert pages.errors(response) == {
        "run_as": [
            "This would work with the rights of another user: only that user and "
            "superusers may set it up."
        ]
    }


def test_a_task_takes_the_result_of_another(office: Client) -> None:
    first, second = build.task("FIRST"), build.task("SECOND")
    assert pages.saved(pages.post(office, pages.change_url(second), input=first.pk))
    second.refresh_from_db()
    assert second.input == first
    response = pages.post(office, pages.change_url(first), input=second.pk)
    assert pages.errors(response) == {
        "input": ["A task cannot wait for its own result: choose another input."]
    }


def test_a_tool_asks_on_a_condition(office: Client) -> None:
    tool = build.tool("mail", function="send_email")
    url = pages.change_url(tool)
    condition = {"properties": {"to": {"pattern": "@example"}}, "required": ["to"]}
    response = pages.post(
        office,
        url,
        approval="when",
        approval_when=json.dumps(condition),
        remember_approval="on",
    )
    assert pages.saved(response)
    tool.refresh_from_db()
    assert (tool.approval, tool.remember_approval) == ({"when": condition}, True)
    assert pages.saved(pages.post(office, url))
    tool.refresh_from_db()
    assert tool.approval == {"when": condition}
    page = office.get(pages.list_url("tool")).content.decode()
    assert '<td class="field-approval_word">On a condition</td>' in page


def test_a_condition_and_its_choice_go_together(office: Client) -> None:
    url = pages.change_url(build.tool())
    for given in (
        {"approval": "when"},
        {"approval": "always", "approval_when": '{"required": ["a"]}'},
        {"approval": "when", "approval_when": '{"$ref": "https://x.example/s"}'},
    ):
        response = pages.post(office, url, **given)
        assert list(pages.errors(response)) == ["approval_when"]
    assert Tool.objects.get().approval == "never"


def test_a_host_needs_no_dot(office: Client) -> None:
    response = pages.post(
        office,
        pages.add_url("profile"),
        name="LOCAL",
        provider="openai",
        model="small",
        base_url="http://ollama:11434/v1",
        calls_tools="true",
    )
    assert pages.saved(response)
    profile = Profile.objects.get()
    assert (profile.base_url, profile.calls_tools) == ("http://ollama:11434/v1", True)

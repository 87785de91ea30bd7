"""The forms of agents and tasks."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Profile, Task, Team, Tool
from tests.teams import build
from tests.teams.admin import pages


def test_an_agent_is_made_with_its_tools(office: Client, db: None) -> None:
    tool, profile = build.tool(), build.profile()
    response = pages.post(
        office,
        pages.add_url("agent"),
        name="退款",
        role="You refund.",
        profile=profile.pk,
        tools=[tool.pk],
        max_iterations="5",
    )
    assert pages.saved(response)
    agent = Agent.objects.get()
    assert (agent.name, agent.profile, agent.max_iterations) == ("退款", profile, 5)
    assert list(agent.tools.all()) == [tool]


def test_the_rules_speak_on_their_fields(office: Client, db: None) -> None:
    profile = build.profile()
    response = pages.post(
        office,
        pages.add_url("agent"),
        name="two words",
        role=" ",
        profile=profile.pk,
        max_iterations="26",
    )
    assert pages.errors(response) == {
        "name": ["A name has letters, digits, “_” and “-” only; remove: ' '"],
        "role": ["This field is required."],
        "max_iterations": ["Ensure this value is less than or equal to 25."],
    }


def test_a_leader_stays_a_leader_while_a_team_needs_it(
    office: Client, desk: Team
) -> None:
    leader = desk.supervisor_agent
    assert leader is not None
    response = pages.post(office, pages.change_url(leader), supervisor=None)
    assert pages.errors(response) == {
        "supervisor": [
            "“LEADER” leads “DESK”: name another supervisor there first, or leave "
            "supervisor true."
        ]
    }
    leader.refresh_from_db()
    assert leader.supervisor is True


def test_a_profile_with_a_key_needs_its_own_right(client: Client, clerk: User) -> None:
    keyed = build.keyed_profile()
    client.force_login(build.builder(clerk))
    response = pages.post(
        client, pages.add_url("agent"), name="A", role="R", profile=keyed.pk
    )
    assert pages.errors(response) == {
        "profile": [
            "The profile “KEYED” holds a key: attaching it needs the right "
            "“teams.use_credentials”."
        ]
    }
    assert not Agent.objects.exists()


def test_dropped_profiles_and_tools_are_not_offered(office: Client, db: None) -> None:
    build.profile("OLD")
    build.tool("old_tool")
    for url in (
        pages.change_url(Profile.objects.get()),
        pages.change_url(Tool.objects.get()),
    ):
        office.post(url.replace("change", "delete"), {"post": "yes"})
    form = office.get(pages.add_url("agent")).context["adminform"].form
    assert list(form.fields["profile"].queryset) == []
    assert list(form.fields["tools"].queryset) == []


@pytest.mark.parametrize(("given", "stored"), [("unknown", None), ("true", True)])
def test_a_task_may_leave_asking_to_its_agent(
    given: str, stored: bool | None, office: Client, db: None
) -> None:
    response = pages.post(
        office,
        pages.add_url("task"),
        name="REFUND",
        instruction="Refund {query}",
        enable_human_tool=given,
    )
    assert pages.saved(response)
    task = Task.objects.get()
    assert (task.instruction, task.enable_human_tool) == ("Refund {query}", stored)


def test_a_task_asks_as_its_agent_does_unless_it_says_otherwise(
    office: Client, desk: Team
) -> None:
    task = desk.members.get().task
    assert task is not None
    form = office.get(pages.change_url(task)).context["adminform"].form
    choices = form.fields["enable_human_tool"].widget.choices
    assert [str(words) for _value, words in choices] == ["As its agent", "Yes", "No"]
    url = pages.change_url(task)
    for value, stored in (("false", False), ("unknown", None)):
        assert pages.saved(pages.post(office, url, enable_human_tool=value))
        task.refresh_from_db()
        assert task.enable_human_tool is stored

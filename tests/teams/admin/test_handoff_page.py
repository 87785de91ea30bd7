"""The form of a handoff team: plain fields and rows instead of JSON."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Team
from teams.services.versions import version_for
from tests.teams import build
from tests.teams.admin import pages

HANDOVER = {
    "handoffs": [{"from": "A", "to": "B"}, {"from": "B", "to": "A"}],
    "autonomous": {"agents": ["A"], "turn_limit": 3, "turn_limits": {"A": 2}},
    "termination": {"contains": "goodbye", "scope": "any", "include_user": True},
    "outputs": {"hidden": ["A"]},
}


@pytest.fixture
def circle(db: None) -> Team:
    for name in ("A", "B", "C"):
        build.agent(name)
    return build.team(
        "CIRCLE", start_agent="A", agents=[{"name": "A"}, {"name": "B"}], **HANDOVER
    )


def agent(name: str) -> int:
    return int(Agent.objects.get(name=name).pk)


def row(prefix: str, number: int, **given: Any) -> dict[str, Any]:
    return {f"{prefix}-{number}-{name}": value for name, value in given.items()}


def rule_errors(response: Any) -> list[dict[str, list[str]]]:
    formset = response.context["inline_admin_formsets"][1].formset
    return [
        {field: list(messages) for field, messages in form.errors.items()}
        for form in formset.forms
    ]


def test_a_handoff_team_is_made_by_form(office: Client, circle: Team) -> None:
    response = pages.post(
        office,
        pages.add_url("team"),
        name="NEW",
        pattern="handoff",
        start_agent=agent("B"),
        return_to="start",
        autonomous_on="on",
        autonomous_agents=["B"],
        turn_limit="4",
        autonomous_prompt="Go on.",
        max_handoffs="7",
        turn_limits="B: 2",
        autonomous_prompts="B: Take the next: one.",
        ends_when="regex",
        ends_text="good ?bye",
        ends_scope="any",
        step_agents=["C"],
        overridable=["profile"],
        run_token_budget="1000",
        run_cost_budget="1.50",
        **row("members", 0, agent=agent("B")),
        **row("members", 1, agent=agent("C")),
        **row("handoffs", 0, source=agent("B"), target=agent("C"), description="All."),
    )
    assert pages.saved(response)
    team = Team.objects.get(name="NEW")
    assert (team.pattern, team.start_agent_id, team.return_to) == (
        "handoff",
        agent("B"),
        "start",
    )
    assert [(str(rule), rule.description) for rule in team.handoffs.all()] == [
        ("B → C", "All.")
    ]
    assert team.autonomous == {
        "agents": ["B"],
        "turn_limit": 4,
        "turn_limits": {"B": 2},
        "prompt": "Go on.",
        "prompts": {"B": "Take the next: one."},
        "max_handoffs": 7,
    }
    assert team.termination == {
        "regex": "good ?bye",
        "scope": "any",
        "ignore_case": True,
        "include_user": False,
    }
    assert team.outputs == {"intermediate": ["C"]}
    assert (team.overridable, team.run_token_budget) == (["profile"], 1000)
    assert str(team.run_cost_budget) == "1.500000"


def test_nothing_changed_changes_nothing(office: Client, circle: Team) -> None:
    before = version_for(circle)
    assert pages.saved(pages.post(office, pages.change_url(circle)))
    assert version_for(Team.objects.get(pk=circle.pk)) == before


def test_refusals_stand_in_their_fields_and_rows(office: Client, circle: Team) -> None:
    response = pages.post(
        office,
        pages.change_url(circle),
        start_agent=agent("C"),
        turn_limits="A: many\nNOBODY: 2",
        ends_when="regex",
        ends_text="(?=x)",
        hidden_agents=["C"],
        **row("handoffs", 0, source=agent("C")),
    )
    assert pages.errors(response) == {
        "start_agent": [
            "“C” starts but does not take part: add it to the agents.",
        ],
        "turn_limits": [
            "“NOBODY” does not take part in this team.",
            "Write a whole number from 0 to 10000.",
        ],
        "ends_text": ["This is no regular expression."],
        "hidden_agents": ["“C” does not take part in this team."],
    }
    assert rule_errors(response)[0] == {
        "source": ["“C” does not take part in this team."]
    }


def test_a_text_without_a_kind_and_a_kind_without_a_text(
    office: Client, circle: Team
) -> None:
    url = pages.change_url(circle)
    response = pages.post(office, url, ends_when=None, ends_text="bye")
    assert pages.errors(response) == {"ends_when": ["Choose what this text is."]}
    response = pages.post(office, url, ends_when="contains", ends_text=None)
    assert pages.errors(response) == {
        "ends_text": ["Write what ends the conversation."]
    }


def test_another_pattern_leaves_handing_over_behind(
    office: Client, circle: Team
) -> None:
    task = build.task("STEP")
    response = pages.post(
        office,
        pages.change_url(circle),
        pattern="sequential",
        **row("members", 0, task=task.pk),
        **row("members", 1, task=task.pk),
    )
    assert pages.saved(response)
    team = Team.objects.get(pk=circle.pk)
    assert (team.pattern, team.start_agent, team.autonomous, team.termination) == (
        "sequential",
        None,
        None,
        None,
    )
    assert team.outputs == {}
    assert not team.handoffs.exists()


def test_what_only_a_handoff_team_has_is_refused_elsewhere(
    office: Client, desk: Team
) -> None:
    response = pages.post(
        office,
        pages.change_url(desk),
        start_agent=agent("ACCOUNTS"),
        autonomous_on="on",
        ends_when="contains",
        ends_text="bye",
    )
    message = "Only a handoff team has it: take it out, or choose that pattern."
    assert pages.errors(response) == {
        "start_agent": [message],
        "autonomous_on": [message],
        "ends_when": [message],
    }


def test_the_page_says_which_pattern_fits_when(office: Client, circle: Team) -> None:
    page = office.get(pages.change_url(circle)).content.decode()
    assert "A supervisor decides from request to request who works" in page
    assert "A fixed order always takes the same steps" in page
    assert "agents pass the conversation itself on" in page


def test_who_may_only_look_sees_the_settings(client: Client, circle: Team) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    client.force_login(build.grant(clerk, "view_team"))
    page = client.get(pages.change_url(circle))
    assert page.status_code == 200
    assert b"goodbye" in page.content
    assert b'name="ends_text"' not in page.content

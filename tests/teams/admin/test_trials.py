"""Trying a tool or a profile by hand from its page (S15)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Profile, Tool
from tests.teams import build
from tests.teams.admin import pages


def try_url(row: Profile | Tool) -> str:
    return pages.change_url(row).replace("/change/", "/try/")


@pytest.fixture
def mail(db: None) -> Tool:
    return build.tool("mail", function="send_email")


@pytest.fixture
def keyed(db: None) -> Profile:
    return build.keyed_profile()


def test_the_page_of_a_tool_leads_to_its_trial(office: Client, mail: Tool) -> None:
    page = office.get(pages.change_url(mail)).content.decode()
    assert f'<a href="{try_url(mail)}">Try it</a>' in page


def test_its_arguments_are_fields(office: Client, db: None) -> None:
    tool = build.tool("payments", function="list_payments")
    form = office.get(try_url(tool)).context["form"]
    fields = {name: type(field).__name__ for name, field in form.fields.items()}
    assert fields == {"customer_id": "CharField", "limit": "IntegerField"}
    assert form.fields["customer_id"].required
    assert not form.fields["limit"].required


def test_a_tool_runs_at_once_and_for_the_person(
    office: Client, administrator: User, mail: Tool, mailoutbox: list[Any]
) -> None:
    page = office.get(try_url(mail)).content.decode()
    assert "nobody is asked for approval" in page
    # What is left empty is left to the function: it writes to the person.
    given = {"argument-subject": "Hello", "argument-body": "There", "argument-to": ""}
    outcome = office.post(try_url(mail), given).context["outcome"]
    assert outcome.ok
    assert [each.to for each in mailoutbox] == [[administrator.email]]


def test_a_missing_argument_is_told_on_its_field(
    office: Client, mail: Tool, mailoutbox: list[Any]
) -> None:
    response = office.post(try_url(mail), {"argument-subject": "Hello"})
    assert response.context["outcome"] is None
    assert set(response.context["form"].errors) == {"body"}
    assert mailoutbox == []


@pytest.mark.django_db(transaction=True)
def test_a_failing_tool_says_why(client: Client) -> None:
    boss = User.objects.create_superuser("boss")
    client.force_login(boss)
    given = {"argument-customer_id": "C-9999"}
    response = client.post(try_url(build.tool()), given)
    assert response.context["outcome"].ok is False
    assert "There is no customer C-9999" in response.content.decode()


def test_a_tool_that_is_switched_off_is_not_run(
    office: Client, mail: Tool, mailoutbox: list[Any]
) -> None:
    Tool.objects.update(enabled=False)
    given = {"argument-subject": "Hello", "argument-body": "There"}
    response = office.post(try_url(mail), given)
    assert response.context["outcome"] is None
    assert pages.notices(response) == ["The tool “mail” is switched off."]
    assert mailoutbox == []


def test_who_may_only_read_tries_nothing(
    client: Client, clerk: User, mail: Tool
) -> None:
    client.force_login(build.grant(clerk, "view_tool"))
    assert b"Try it" not in client.get(pages.change_url(mail)).content
    assert client.get(try_url(mail)).status_code == 403
    assert client.post(try_url(mail)).status_code == 403


def test_a_profile_is_called_on_demand_only(office: Client, db: None) -> None:
    url = try_url(build.profile())
    assert office.get(url).context["outcome"] is None
    outcome = office.post(url).context["outcome"]
    assert (outcome["ok"], outcome["rehearsal"]) == (True, True)


def test_a_server_that_may_not_be_called_is_told_in_a_sentence(
    office: Client, keyed: Profile
) -> None:
    response = office.post(try_url(keyed))
    assert response.context["outcome"]["ok"] is False
    assert response.context["outcome"]["sentence"] == (
        "Calls to models.example.com are not allowed. An administrator can add it to "
        "TOOL_ALLOWED_HOSTS."
    )


def test_a_key_is_used_by_who_may_use_it_only(
    client: Client, clerk: User, keyed: Profile
) -> None:
    client.force_login(build.grant(clerk, "change_profile"))
    response = client.post(try_url(keyed))
    assert response.context["outcome"] is None
    assert pages.notices(response) == [
        "The profile holds a key: calling it needs the right “teams.use_credentials”."
    ]

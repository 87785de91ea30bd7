"""The actions of the lists: switching on and off."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from teams.models import Agent, Team
from tests.teams import build
from tests.teams.admin import pages


def switch(client: Client, action: str) -> None:
    chosen = list(Agent.objects.values_list("pk", flat=True))
    data = {"action": action, "_selected_action": chosen}
    client.post(pages.list_url("agent"), data)


def states() -> list[bool]:
    return list(Agent.objects.order_by("name_key").values_list("enabled", flat=True))


def test_a_selection_is_disabled_and_enabled(office: Client, desk: Team) -> None:
    switch(office, "disable")
    assert states() == [False, False]
    assert pages.notices(office.get(pages.list_url("agent"))) == ["2 disabled."]
    Agent.objects.filter(name="LEADER").update(enabled=True)
    switch(office, "enable")
    assert states() == [True, True]
    assert pages.notices(office.get(pages.list_url("agent"))) == ["1 enabled."]


def test_it_stands_in_the_history(office: Client, desk: Team) -> None:
    switch(office, "disable")
    agent = Agent.objects.get(name="ACCOUNTS")
    page = office.get(f"/admin/teams/agent/{agent.pk}/history/").content.decode()
    assert "Disabled." in page


def test_readers_have_no_such_action(client: Client, clerk: User, desk: Team) -> None:
    client.force_login(build.grant(clerk, "view_agent"))
    switch(client, "disable")
    assert states() == [True, True]

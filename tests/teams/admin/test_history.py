"""Names change, identities do not, and the admin remembers who did what."""

from __future__ import annotations

from django.test import Client

from teams.models import Agent, Team
from tests.teams.admin import pages


def test_renaming_keeps_the_identity(office: Client, desk: Team) -> None:
    agent = Agent.objects.get(name="ACCOUNTS")
    assert pages.saved(pages.post(office, pages.change_url(agent), name="KONTEN"))
    renamed = Agent.objects.get(name="KONTEN")
    assert (renamed.pk, renamed.uid) == (agent.pk, agent.uid)
    assert str(desk.members.get()) == "KONTEN/LOOK_UP"


def test_the_history_says_what_changed(office: Client, desk: Team) -> None:
    url = pages.change_url(desk)
    pages.post(office, url, display_name="The desk", **{"members-0-place": "5"})
    page = office.get(f"/admin/teams/team/{desk.pk}/history/").content.decode()
    assert "Changed Display name." in page
    assert "Changed Order for member “ACCOUNTS/LOOK_UP”." in page


def test_the_history_knows_who_added(office: Client, desk: Team) -> None:
    pages.post(office, pages.add_url("task"), name="NEW", instruction="Do {query}")
    page = office.get("/admin/").content.decode()
    assert "NEW" in page

"""Texts that people wrote stay texts on every page."""

from __future__ import annotations

from django.test import Client

from teams.models import Agent, Team, Tool
from teams.services.versions import version_for
from tests.teams.admin import pages

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def test_no_text_becomes_markup(office: Client, desk: Team) -> None:
    agent, tool = Agent.objects.get(name="ACCOUNTS"), Tool.objects.get()
    Agent.objects.update(role=EVIL, description=EVIL, display_name=EVIL)
    Tool.objects.update(instruction=EVIL, description=EVIL)
    Team.objects.update(display_name=EVIL, starters=[EVIL])
    version = version_for(Team.objects.get())
    Tool.objects.update(function=EVIL)
    urls = [pages.change_url(row) for row in (desk, agent, tool, version)]
    urls += [pages.list_url(kind) for kind in ("team", "agent", "tool", "task")]
    urls.append(f"/admin/teams/tool/{tool.pk}/delete/")
    for url in urls:
        page = office.get(url)
        assert page.status_code == 200
        assert b"<script>alert" not in page.content
        assert b"<img src=x" not in page.content

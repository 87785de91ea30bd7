"""Small teams for tests, made by the services as the operator."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission, User

from teams.models import Agent, Profile, Task, Team, Tool
from teams.services import definitions


def profile(name: str = "MAIN", **attributes: Any) -> Profile:
    found = definitions.create(
        "profile", {"name": name, "provider": "env", **attributes}, user=None
    )
    assert isinstance(found, Profile)
    return found


def keyed_profile(name: str = "KEYED", key: str = "sk-secret") -> Profile:
    return profile(
        name,
        provider="openai",
        base_url="https://models.example.com/v1",
        model="large",
        api_key=key,
    )


def tool(name: str = "lookup_account", **attributes: Any) -> Tool:
    given = {"name": name, "function": "lookup_account", **attributes}
    found = definitions.create("tool", given, user=None)
    assert isinstance(found, Tool)
    return found


def agent(name: str, **attributes: Any) -> Agent:
    if not Profile.objects.named("MAIN").exists():
        profile()
    given = {"name": name, "profile_name": "MAIN", "role": f"You are {name}."}
    found = definitions.create("agent", given | attributes, user=None)
    assert isinstance(found, Agent)
    return found


def task(name: str, **attributes: Any) -> Task:
    given = {"name": name, "instruction": f"Do {name}: {{query}}"}
    found = definitions.create("task", given | attributes, user=None)
    assert isinstance(found, Task)
    return found


def team(name: str, **attributes: Any) -> Team:
    found = definitions.create("team", {"name": name, **attributes}, user=None)
    assert isinstance(found, Team)
    return found


def desk(name: str = "DESK") -> Team:
    """A supervised team: LEADER, and ACCOUNTS/LOOK_UP with one tool."""
    tool()
    agent("LEADER", supervisor=True)
    agent("ACCOUNTS")
    task("LOOK_UP", tools=["lookup_account"])
    return team(
        name,
        supervisor_agent="LEADER",
        agents=[{"name": "ACCOUNTS", "task": "LOOK_UP"}],
    )


def grant(user: User, *codenames: str) -> User:
    """The same user, freshly read, with these rights."""
    permissions = Permission.objects.filter(
        content_type__app_label="teams", codename__in=codenames
    )
    assert permissions.count() == len(set(codenames))
    user.user_permissions.add(*permissions)
    return User.objects.get(pk=user.pk)


def builder(user: User) -> User:
    """The same user, with every right to build, none to use credentials."""
    kinds = ("profile", "tool", "agent", "task", "team")
    actions = ("view", "add", "change", "delete")
    return grant(user, *(f"{action}_{kind}" for action in actions for kind in kinds))

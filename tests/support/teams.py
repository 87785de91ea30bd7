"""A small supervised team for engine tests, on a scripted model.

Supervisor ``LEAD``; workers ``CLERK/FILES`` (tools ``find_file``, ``shred_file``) and
``POST/LETTERS`` (tool ``send_letter``, approval always). ``EFFECTS`` lists what the
tools did to the world.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from teams.models import Agent, Profile, Task, Team, TeamMember, Tool
from teams.toolbox.base import ToolContext, ToolError
from teams.toolbox.registry import agent_tool

EFFECTS: list[tuple[str, Any]] = []
GATE = threading.Event()
GATE.set()


@agent_tool(read_only=True, replay_safe=True)
def find_file(number: str) -> dict[str, str]:
    """Find a file.

    Args:
        number: The file's number.
    """
    if number == "404":
        raise ToolError("There is no file 404.")
    return {"number": number, "title": f"Title of {number}"}


@agent_tool
def shred_file(context: ToolContext, number: str) -> str:
    """Shred a file; waits at the gate.

    Args:
        number: The file's number.
    """
    EFFECTS.append(("shred", number))
    GATE.wait(20)
    context.state["shredded"] = number
    return f"shredded {number}"


@agent_tool
def send_letter(context: ToolContext, text: str) -> str:
    """Send a letter.

    Args:
        text: What it says.
    """
    EFFECTS.append(("letter", text))
    return f"sent for {context.user.username}"


@agent_tool
def copy_file(copies: float) -> str:
    """Copy a file.

    Args:
        copies: How many times.
    """
    EFFECTS.append(("copy", copies))
    return f"copied {copies} times"


@agent_tool(read_only=True)
def big_file() -> str:
    """A very long text."""
    return "x" * 50_000


@agent_tool(timeout=1)
def slow_file() -> str:
    """Takes longer than it may."""
    time.sleep(3)
    return "late"


def make_profile(base_url: str, **fields: Any) -> Profile:
    profile = Profile(
        name=fields.pop("name", "SCRIPTED"),
        base_url=base_url,
        model=fields.pop("model", "scripted"),
        max_retries=fields.pop("max_retries", 0),
        timeout=fields.pop("timeout", 10),
        **fields,
    )
    profile.set_api_key("sk-test-key")
    profile.save()
    return profile


def make_tool(function: str, **fields: Any) -> Tool:
    return Tool.objects.create(name=function, function=function, **fields)


def make_office(base_url: str, **fields: Any) -> Team:
    """The team ``OFFICE``."""
    profile = make_profile(base_url)
    lead = Agent.objects.create(
        name="LEAD", profile=profile, role="You lead the office.", supervisor=True
    )
    clerk = Agent.objects.create(
        name="CLERK",
        profile=profile,
        role="You are the clerk.",
        description="Knows files.",
    )
    post = Agent.objects.create(name="POST", profile=profile, role="You are the post.")
    files = Task.objects.create(
        name="FILES", instruction="Work with files.", description="All about files."
    )
    files.tools.add(
        make_tool("find_file", read_only=True, replay_safe=True),
        make_tool("shred_file"),
    )
    letters = Task.objects.create(name="LETTERS", instruction="Write letters.")
    letters.tools.add(make_tool("send_letter", approval="always"))
    team = Team.objects.create(name="OFFICE", supervisor_agent=lead, **fields)
    TeamMember.objects.create(team=team, position=0, agent=clerk, task=files)
    TeamMember.objects.create(team=team, position=1, agent=post, task=letters)
    return team


def make_soloist(base_url: str, **agent: Any) -> Team:
    """The team ``SOLO``: one agent alone, with ``find_file`` of its own."""
    profile = make_profile(base_url)
    solo = Agent.objects.create(
        name="SOLOIST", profile=profile, role="You work alone.", **agent
    )
    solo.tools.add(make_tool("find_file", read_only=True, replay_safe=True))
    team = Team.objects.create(name="SOLO", pattern="sequential")
    TeamMember.objects.create(team=team, agent=solo)
    return team


def make_circle(base_url: str, **fields: Any) -> Team:
    """The handoff team ``CIRCLE``: TRIAGE starts, ORDERS and REFUNDS take part; without
    rules everyone may hand to everyone."""
    profile = make_profile(base_url)
    team = Team.objects.create(name="CIRCLE", pattern="handoff", **fields)
    tools = {"ORDERS": ["find_file"], "REFUNDS": ["send_letter"], "TRIAGE": []}
    for position, name in enumerate(["TRIAGE", "ORDERS", "REFUNDS"]):
        agent = Agent.objects.create(
            name=name,
            profile=profile,
            role=f"You are {name}.",
            description=f"Does {name}.",
        )
        for tool in tools[name]:
            approval = "always" if tool == "send_letter" else "never"
            agent.tools.add(
                make_tool(tool, approval=approval, read_only=tool == "find_file")
            )
        TeamMember.objects.create(team=team, position=position, agent=agent)
    team.start_agent = Agent.objects.get(name="TRIAGE")
    team.save()
    return team


def make_chief(base_url: str, *delegates: str, **agent: Any) -> Team:
    """The team ``CHIEFS``: CHIEF alone, with these delegates, made where missing."""
    profile = make_profile(base_url)
    chief = Agent.objects.create(
        name="CHIEF", profile=profile, role="You are CHIEF.", **agent
    )
    for name in delegates:
        other, _made = Agent.objects.get_or_create(
            name=name, defaults={"profile": profile, "role": f"You are {name}."}
        )
        chief.delegates.add(other)
    team = Team.objects.create(name="CHIEFS", pattern="sequential")
    TeamMember.objects.create(team=team, agent=chief)
    return team

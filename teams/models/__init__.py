"""The definitions: what can run."""

from teams.models.agent import Agent, Task
from teams.models.base import Definition
from teams.models.profile import Profile
from teams.models.team import HandoffRule, Team, TeamMember, TeamVersion
from teams.models.token import ApiToken
from teams.models.tool import Tool

__all__ = [
    "Agent",
    "ApiToken",
    "Definition",
    "HandoffRule",
    "Profile",
    "Task",
    "Team",
    "TeamMember",
    "TeamVersion",
    "Tool",
]

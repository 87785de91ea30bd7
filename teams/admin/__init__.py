"""The admin of everything that is built: one module a kind of definition."""

from teams.admin.agent import AgentAdmin, TaskAdmin
from teams.admin.profile import ProfileAdmin
from teams.admin.team import TeamAdmin
from teams.admin.token import ApiTokenAdmin
from teams.admin.tool import ToolAdmin
from teams.admin.version import TeamVersionAdmin

__all__ = [
    "AgentAdmin",
    "ApiTokenAdmin",
    "ProfileAdmin",
    "TaskAdmin",
    "TeamAdmin",
    "TeamVersionAdmin",
    "ToolAdmin",
]

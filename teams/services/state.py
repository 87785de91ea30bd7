"""Whether anything a team is made of has changed, whoever changed it and how.

Reading all its rows as objects, checking them and freezing them costs more than the
rest of a request's start. So the same rows are read as the database has them, with
statements whose text is made once, and only their digest is compared.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from django.db import connection

from teams.models import Agent, HandoffRule, Profile, Task, Team, TeamMember, Tool

# Its members and its leader, their delegates, and theirs.
INVOLVED = """
WITH RECURSIVE involved(id) AS (
    SELECT agent_id FROM {member} WHERE team_id = %s
    UNION SELECT supervisor_agent_id FROM {team}
        WHERE id = %s AND supervisor_agent_id IS NOT NULL
    UNION SELECT link.to_agent_id FROM {delegates} link
        JOIN involved ON involved.id = link.from_agent_id
) """

ROWS = (
    "SELECT * FROM {team} WHERE id = %s",
    "SELECT * FROM {rule} WHERE team_id = %s ORDER BY id",
    """SELECT {member}.*, {task}.* FROM {member}
        LEFT JOIN {task} ON {task}.id = {member}.task_id
        WHERE {member}.team_id = %s ORDER BY {member}.id""",
    """SELECT link.task_id, {tool}.* FROM {task_tools} link
        JOIN {tool} ON {tool}.id = link.tool_id
        WHERE link.task_id IN (SELECT task_id FROM {member} WHERE team_id = %s)
        ORDER BY link.id""",
    """{involved} SELECT {agent}.*, {profile}.* FROM {agent}
        JOIN {profile} ON {profile}.id = {agent}.profile_id
        WHERE {agent}.id IN (SELECT id FROM involved) ORDER BY {agent}.id""",
    """{involved} SELECT link.agent_id, {tool}.* FROM {agent_tools} link
        JOIN {tool} ON {tool}.id = link.tool_id
        WHERE link.agent_id IN (SELECT id FROM involved) ORDER BY link.id""",
    """{involved} SELECT from_agent_id, to_agent_id FROM {delegates}
        WHERE from_agent_id IN (SELECT id FROM involved) ORDER BY id""",
)


def state_of(team_id: int) -> bytes:
    """A digest of every column of every row that the team's version is made from."""
    digest = hashlib.sha256()
    with connection.cursor() as cursor:
        for text in _texts():
            cursor.execute(text, [team_id] * text.count("%s"))
            digest.update(repr(cursor.fetchall()).encode())
    return digest.digest()


@lru_cache(maxsize=1)
def _texts() -> tuple[str, ...]:
    models: dict[str, Any] = {
        "team": Team,
        "member": TeamMember,
        "rule": HandoffRule,
        "agent": Agent,
        "task": Task,
        "tool": Tool,
        "profile": Profile,
        "delegates": Agent.delegates.through,
        "agent_tools": Agent.tools.through,
        "task_tools": Task.tools.through,
    }
    tables = {name: model._meta.db_table for name, model in models.items()}
    involved = INVOLVED.format(**tables)
    return tuple(text.format(involved=involved, **tables) for text in ROWS)

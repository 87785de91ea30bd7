"""How long an agent's thread lasts, and whose a person's message is."""

from __future__ import annotations

from uuid import UUID

from teams.choices import Pattern
from teams.definition import TeamDefinition


def lasting_key(definition: TeamDefinition) -> str:
    """The key of the thread that lasts for the conversation, or empty.

    A supervisor has one (S5), and the member of a one-pair team; a member of a
    longer sequential team gets a new thread in each run.
    """
    if definition.supervisor:
        return f"supervisor:{definition.supervisor}"
    if definition.pattern != Pattern.HANDOFF and len(definition.members) == 1:
        return f"alone:{definition.members[0].agent}"
    return ""


def participant_key(agent: UUID) -> str:
    """The key of a handoff participant's thread: one for the conversation."""
    return f"participant:{agent}"

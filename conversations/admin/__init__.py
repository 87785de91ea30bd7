"""What happened, for administrators: lists to look through and pages to read.

Nothing can be added or changed here; the only actions are stopping and retrying a run
and taking back a standing approval, through the services.
"""

from conversations.admin import calls, conversation, human, run, standing

__all__ = ["calls", "conversation", "human", "run", "standing"]

"""What happened, for administrators: lists to look through and pages to read.

Nothing can be added, changed or deleted here; the only actions are stopping and
retrying a run, through the services.
"""

from conversations.admin import calls, conversation, human, run

__all__ = ["calls", "conversation", "human", "run"]

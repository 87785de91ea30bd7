"""What happened and is happening."""

from conversations.models.calls import ModelCall, Payload, ToolCall
from conversations.models.conversation import Conversation
from conversations.models.event import Event
from conversations.models.human import HumanRequest, StandingApproval
from conversations.models.message import Message
from conversations.models.run import Run, TaskRun, Thread

__all__ = [
    "Conversation",
    "Event",
    "HumanRequest",
    "Message",
    "ModelCall",
    "Payload",
    "Run",
    "StandingApproval",
    "TaskRun",
    "Thread",
    "ToolCall",
]

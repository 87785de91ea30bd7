"""States and kinds, with the groups that rules speak of."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class RunState(models.TextChoices):
    QUEUED = "QUEUED", _("Queued")
    RUNNING = "RUNNING", _("Working")
    WAITING_FOR_HUMAN = "WAITING_FOR_HUMAN", _("Waiting for you")
    RESUMING = "RESUMING", _("Going on")
    SUCCEEDED = "SUCCEEDED", _("Done")
    FAILED = "FAILED", _("Failed")
    CANCELLED = "CANCELLED", _("Stopped")
    EXPIRED = "EXPIRED", _("Expired")


RUN_OPEN = (
    RunState.QUEUED,
    RunState.RUNNING,
    RunState.WAITING_FOR_HUMAN,
    RunState.RESUMING,
)
RUN_CLAIMABLE = (RunState.QUEUED, RunState.RUNNING, RunState.RESUMING)
RUN_ENDED = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.EXPIRED)
RUN_RETRYABLE = (RunState.FAILED, RunState.CANCELLED, RunState.EXPIRED)


class TaskRunState(models.TextChoices):
    RUNNING = "RUNNING", _("Working")
    WAITING_FOR_HUMAN = "WAITING_FOR_HUMAN", _("Waiting for you")
    SUCCEEDED = "SUCCEEDED", _("Done")
    FAILED = "FAILED", _("Failed")
    CANCELLED = "CANCELLED", _("Stopped")
    EXPIRED = "EXPIRED", _("Expired")
    HANDED_OVER = "HANDED_OVER", _("Handed over")


TASK_RUN_OPEN = (TaskRunState.RUNNING, TaskRunState.WAITING_FOR_HUMAN)


class ModelCallState(models.TextChoices):
    RUNNING = "RUNNING", _("Working")
    SUCCEEDED = "SUCCEEDED", _("Done")
    FAILED = "FAILED", _("Failed")
    CANCELLED = "CANCELLED", _("Stopped")
    INTERRUPTED = "INTERRUPTED", _("Interrupted")


class ToolCallKind(models.TextChoices):
    FUNCTION = "function", _("Tool")
    DELEGATE = "delegate", _("Delegation")
    HANDOFF = "handoff", _("Handoff")
    ASK_HUMAN = "ask_human", _("Question")
    REFUSED = "refused", _("Not offered")


class ToolCallState(models.TextChoices):
    PROPOSED = "PROPOSED", _("Proposed")
    WAITING_FOR_HUMAN = "WAITING_FOR_HUMAN", _("Waiting for you")
    RUNNING = "RUNNING", _("Working")
    SUCCEEDED = "SUCCEEDED", _("Done")
    FAILED = "FAILED", _("Failed")
    DENIED = "DENIED", _("Denied")
    CANCELLED = "CANCELLED", _("Stopped")
    UNKNOWN = "UNKNOWN", _("Outcome unknown")


TOOL_CALL_SETTLED = (
    ToolCallState.SUCCEEDED,
    ToolCallState.FAILED,
    ToolCallState.DENIED,
    ToolCallState.CANCELLED,
    ToolCallState.UNKNOWN,
)


class RequestKind(models.TextChoices):
    QUESTION = "question", _("Question")
    APPROVAL = "approval", _("Approval")
    RECOVERY = "recovery", _("Recovery")


class RequestState(models.TextChoices):
    PENDING = "PENDING", _("Waiting")
    ANSWERED = "ANSWERED", _("Answered")
    APPROVED = "APPROVED", _("Approved")
    DENIED = "DENIED", _("Denied")
    EXPIRED = "EXPIRED", _("Expired")
    CANCELLED = "CANCELLED", _("Cancelled")


class MessageRole(models.TextChoices):
    USER = "user", _("Person")
    ASSISTANT = "assistant", _("Agent")


class MessageState(models.TextChoices):
    PARTIAL = "partial", _("Being written")
    COMPLETE = "complete", _("Complete")
    STOPPED = "stopped", _("Stopped")


class EventKind(models.TextChoices):
    """What changed; the row named by the event says the rest."""

    RUN_STATE = "run.state", _("Run")
    MESSAGE = "message", _("Message")
    TASK_RUN_STATE = "task_run.state", _("Task")
    TOOL_CALL_STATE = "tool_call.state", _("Tool call")
    REQUEST_OPENED = "human_request.opened", _("Request opened")
    REQUEST_SETTLED = "human_request.settled", _("Request settled")
    CONVERSATION = "conversation", _("Conversation")
    HANDOFF = "handoff", _("Handoff")
    MODEL_CALL = "model_call.state", _("Model call")

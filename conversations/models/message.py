from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.choices import MessageRole, MessageState
from conversations.models.calls import ModelCall
from conversations.models.conversation import Conversation
from conversations.models.run import Run, TaskRun, Thread


class Message(models.Model):
    """One entry, numbered conversation-wide.

    A person's message opens a run; a delegated request is a ``user`` message in
    the worker's thread, written by the agent that delegated; an agent's reply is
    an ``assistant`` message. ``thread`` is empty for what was said to everyone.
    ``to_everyone``: every participant of a handoff team reads it. A ``user`` message
    with an empty author is a notice of the product to one agent.
    Results of tool calls stand in their ``ToolCall`` rows.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="messages")
    task_run = models.ForeignKey(
        TaskRun,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="messages",
    )
    thread = models.ForeignKey(
        Thread, on_delete=models.CASCADE, null=True, blank=True, related_name="messages"
    )
    model_call = models.OneToOneField(
        ModelCall,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="message",
    )
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=MessageRole.choices)
    author = models.CharField(_("author"), max_length=150)
    to_everyone = models.BooleanField(default=False)
    text = models.TextField(blank=True)
    reasoning = models.TextField(blank=True)
    state = models.CharField(
        max_length=8, choices=MessageState.choices, default=MessageState.COMPLETE
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "number"], name="message_number_unique"
            )
        ]
        indexes = [models.Index(fields=["thread", "number"], name="message_thread")]

    def __str__(self) -> str:
        return f"{self.author}: {self.text[:40]}"

"""A message or a tool call in full, where the transcript shows its head."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from conversations.models import Conversation, Message, ToolCall
from conversations.selectors.leaf_facts import pretty, readable
from conversations.selectors.private import hidden_tasks_of, is_said_to_people
from supervisor_site.common.errors import NotFound


@dataclass(frozen=True)
class FullText:
    """``arguments`` is empty for a message; ``markdown`` says how to show the text."""

    title: str
    text: str
    arguments: str = ""
    markdown: bool = False


def full_text(conversation: Conversation, kind: str, row_id: UUID) -> FullText:
    if kind == "messages":
        return _message(conversation, row_id)
    return _call(conversation, row_id)


def _message(conversation: Conversation, row_id: UUID) -> FullText:
    messages = Message.objects.filter(conversation=conversation, id=row_id)
    message = messages.select_related("run").first()
    if message is None or not is_said_to_people(message, hidden_tasks_of(message.run)):
        raise NotFound(_("There is no such message."))
    by_agent = message.role == "assistant"
    return FullText(message.author, message.text, markdown=by_agent)


def _call(conversation: Conversation, row_id: UUID) -> FullText:
    call = (
        ToolCall.objects.filter(
            id=row_id, task_run__run__in=conversation.runs.values("id")
        )
        .select_related("full_result", "task_run__run")
        .first()
    )
    if call is None or call.task_run_id in hidden_tasks_of(call.task_run.run):
        raise NotFound(_("There is no such tool call."))
    result = call.full_result.text if call.full_result else call.result
    arguments = pretty(call.arguments) if call.arguments else call.asked
    return FullText(call.tool_name or call.name, readable(result), arguments)

"""What a request must be like before anything is written."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from conversations.models import Conversation
from conversations.permissions import answers_all
from supervisor_site.common.errors import Forbidden, invalid
from teams.rules.schemas import schema_problem


def check_prompt(prompt: str, *, field: str = "content") -> str:
    """The text without outer space, or ``Invalid`` saying what to change."""
    text = prompt.replace("\x00", "").strip()
    limit = settings.PROMPT_MAX_CHARACTERS
    if not text:
        raise invalid(field, _("Write something first: the message is empty."))
    if len(text) > limit:
        raise invalid(
            field,
            _("The message has %(length)d characters; at most %(limit)d are allowed.")
            % {"length": len(text), "limit": limit},
            code="prompt_too_long",
        )
    return text


def check_writer(user: User, conversation: Conversation) -> None:
    """Raise ``Forbidden`` for who may only read the conversation."""
    if conversation.owner_id != user.pk and not answers_all(user):
        raise Forbidden(_("Only its owner can write in this conversation."))


def check_schema(schema: dict[str, Any] | None) -> None:
    problem = schema_problem(schema) if schema is not None else ""
    if problem:
        raise invalid("output_schema", problem)

"""Sending one e-mail for a tool: to whom it may go, and how a repeat is known."""

from __future__ import annotations

from email.utils import parseaddr
from smtplib import SMTPException
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email

from teams.toolbox.base import ToolError

SUBJECT_LIMIT = 200


def recipient(to: str, own: str) -> str:
    """The address to write to; ``me`` and ``own`` are the person's own.

    Raises ToolError for a person without an address, for what is no single
    address, and for one that is not in ``EMAIL_ALLOWED_RECIPIENTS``.
    """
    address = to.strip()
    if address.lower() in ("me", own.lower()):
        if not own:
            raise ToolError(
                "The person has no e-mail address in this site. "
                "An administrator can add one; until then nothing can be sent."
            )
        return own
    try:
        validate_email(address)
    except ValidationError as error:
        raise ToolError(
            'to must be "me" or one e-mail address such as name@example.com.'
        ) from error
    if not _is_allowed(address):
        raise ToolError(
            f"E-mail to {address} is not allowed here. "
            'Use "me", the person\'s own address.'
        )
    return address


def _is_allowed(address: str) -> bool:
    allowed = {entry.lower() for entry in settings.EMAIL_ALLOWED_RECIPIENTS}
    domain = address.rpartition("@")[2]
    return address.lower() in allowed or f"@{domain.lower()}" in allowed


def one_line(subject: str) -> str:
    """The subject; ToolError for one that is empty, too long or of several lines."""
    if len(subject.splitlines()) > 1:
        raise ToolError("subject must be a single line.")
    if not subject.strip():
        raise ToolError("subject must not be empty.")
    if len(subject) > SUBJECT_LIMIT:
        raise ToolError(f"subject must have at most {SUBJECT_LIMIT} characters.")
    return subject.strip()


def message_id(call_id: UUID) -> str:
    """The same for the same call, so that a mailbox recognises a repeat."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return f"<{call_id}@{sender.rpartition('@')[2] or 'localhost'}>"


def send(*, to: str, subject: str, body: str, call_id: UUID) -> None:
    message = EmailMessage(
        subject, body, to=[to], headers={"Message-ID": message_id(call_id)}
    )
    try:
        message.send()
    except (SMTPException, OSError) as error:
        raise ToolError(
            f"The mail server did not take the e-mail ({type(error).__name__})."
        ) from error

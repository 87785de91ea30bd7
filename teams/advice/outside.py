"""Advice on what a team needs outside: its models and, where it mails, its mail."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parseaddr

from django.conf import settings
from django.utils.translation import gettext as _

from supervisor_site.common.crypto import SecretUnreadable, decrypt
from teams.advice.base import (
    ERROR,
    HINT,
    WARNING,
    Advice,
    advice,
    all_tools,
    workers,
)
from teams.choices import Pattern, Provider
from teams.models import Agent, Profile, Tool
from teams.providers.connection import OPENAI_URL, allowed_target, is_rehearsal
from teams.providers.types import ModelFailure
from teams.rules.drafts import TeamParts

NOT_SENDING = ("console", "dummy", "locmem", "filebased")


def model_advice(parts: TeamParts) -> Iterator[Advice]:
    profiles = {agent.profile_id: agent.profile for agent in parts.agents}
    for profile in profiles.values():
        if is_rehearsal(profile.provider):
            yield advice(
                HINT,
                "rehearsal_model",
                profile,
                _(
                    "It is answered by the rehearsal model, which follows rules and "
                    "understands little. Connect a real model for real work."
                ),
            )
            continue
        if profile.provider == Provider.OPENAI:
            yield from _server(profile)
        yield from _tools_known(profile, parts)


def _tools_known(profile: Profile, parts: TeamParts) -> Iterator[Advice]:
    """Leading, handing over, delegating: all of it is calling tools (H0)."""
    needing = [a.name for a in _tool_users(parts) if a.profile_id == profile.pk]
    if not needing or profile.calls_tools:
        return
    names = {"agents": ", ".join(needing)}
    if profile.calls_tools is None:
        text = _(
            "Nobody tried whether its model calls tools, which %(agents)s must: test "
            "the profile."
        )
        yield advice(HINT, "profile_untested", profile, text % names)
    else:
        text = _(
            "Its model is known not to call tools, which %(agents)s must: choose "
            "another profile."
        )
        yield advice(WARNING, "model_calls_no_tools", profile, text % names)


def _tool_users(parts: TeamParts) -> list[Agent]:
    handing_over = parts.team.pattern == Pattern.HANDOFF
    listed = {agent.pk for agent in workers(parts)}
    return [
        agent
        for agent in parts.agents
        if agent.pk == parts.team.supervisor_agent_id
        or (handing_over and agent.pk in listed)
        or agent.delegates.all()
    ]


def _server(profile: Profile) -> Iterator[Advice]:
    try:
        allowed_target(profile.base_url or OPENAI_URL)
    except ModelFailure as error:
        yield advice(
            ERROR,
            "host_not_allowed",
            profile,
            _(
                "The host “%(host)s” may not be called: add it to TOOL_ALLOWED_HOSTS, "
                "or change the base URL."
            )
            % {"host": error.params.get("host") or profile.base_url},
        )
    try:
        decrypt(profile.api_key_encrypted)
    except SecretUnreadable:
        yield advice(
            ERROR,
            "key_unreadable",
            profile,
            _(
                "Its key was encrypted with a key that FIELD_ENCRYPTION_KEYS does not "
                "list: list it again, or give the API key anew."
            ),
        )
    if not profile.has_key and not profile.base_url:
        yield advice(
            WARNING, "key_missing", profile, _("The OpenAI API needs a key: give one.")
        )


def mail_advice(parts: TeamParts) -> Iterator[Advice]:
    """Credential, host, sender and recipient of what sends e-mail (S16)."""
    tool = next((each for each in all_tools(parts) if _mails(each)), None)
    if tool is None:
        return
    backend = settings.EMAIL_BACKEND.rsplit(".", 2)[-2]
    if backend in NOT_SENDING:
        yield advice(
            HINT,
            "mail_not_sent",
            tool,
            _(
                "E-mail is written to the backend “%(backend)s” and sent to nobody: "
                "set EMAIL_URL to a mail server."
            )
            % {"backend": backend},
        )
    else:
        yield from _mail_server(tool)
    if "@" not in parseaddr(settings.DEFAULT_FROM_EMAIL)[1]:
        yield advice(
            WARNING,
            "mail_sender",
            tool,
            _("The sender is no e-mail address: set DEFAULT_FROM_EMAIL."),
        )
    if not settings.EMAIL_ALLOWED_RECIPIENTS:
        yield advice(
            HINT,
            "mail_recipients",
            tool,
            _(
                "E-mail goes to the person's own address only; list others in "
                "EMAIL_ALLOWED_RECIPIENTS."
            ),
        )


def _mail_server(tool: Tool) -> Iterator[Advice]:
    if not settings.EMAIL_HOST:
        yield advice(
            WARNING, "mail_host", tool, _("No mail server is named: set EMAIL_URL.")
        )
    if bool(settings.EMAIL_HOST_USER) != bool(settings.EMAIL_HOST_PASSWORD):
        yield advice(
            WARNING,
            "mail_credential",
            tool,
            _("The mail server gets a user without a password, or one without a user."),
        )
    if parseaddr(settings.DEFAULT_FROM_EMAIL)[1].endswith("@localhost"):
        yield advice(
            WARNING,
            "mail_sender",
            tool,
            _(
                "The sender is at “localhost”, which mail servers refuse: set "
                "DEFAULT_FROM_EMAIL."
            ),
        )


def _mails(tool: Tool) -> bool:
    return any("mail" in text.casefold() for text in (tool.name, tool.function))

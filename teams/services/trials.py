"""Trying a part by hand: one call of a profile's model, one run of a tool (S15)."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, Forbidden, invalid
from teams.models import Profile, Tool
from teams.permissions import can_use_credentials
from teams.services.definitions import find, need
from teams.services.freezing import tool_definition
from teams.toolbox.base import ToolContext, ToolOutcome
from teams.validation import tool_errors


def try_profile(name: str, *, user: User) -> dict[str, Any]:
    """Call the model once; answers as ``teams.providers.calls.test_profile`` does,
    and remembers whether it called the tool it was given.

    Needs the right to change profiles, and for one with a key that to use it.
    """
    # The adapter imports the openai client, which is slow to load.
    from teams.providers.calls import test_profile

    need(user, "change", "profile")
    profile = find("profile", name)
    assert isinstance(profile, Profile)
    if profile.has_key and not can_use_credentials(user):
        raise Forbidden(
            _("The profile holds a key: calling it needs the right “%(right)s”.")
            % {"right": "teams.use_credentials"},
            code="credential_forbidden",
        )
    found: dict[str, Any] = test_profile(profile)
    if found["ok"] and not found["rehearsal"]:
        # No change of the definition, only what is known of its model (H0).
        Profile.objects.filter(pk=profile.pk).update(calls_tools=found["called_tool"])
    return found


def try_tool(name: str, arguments: dict[str, Any], *, user: User) -> ToolOutcome:
    """Run the tool once for the user, without asking for approval.

    A tool that fails gives an outcome that says why. Needs the right to change
    tools. Raises ``Conflict`` ``tool_disabled``, and ``Invalid`` for a tool that
    breaks its own rules.
    """
    from teams.toolbox.running import run_tool

    need(user, "change", "tool")
    tool = find("tool", name)
    assert isinstance(tool, Tool)
    if not tool.enabled:
        raise Conflict(
            _("The tool “%(name)s” is switched off.") % {"name": tool.name},
            code="tool_disabled",
        )
    for error in tool_errors(tool):
        raise invalid(error.field, error.message)
    context = ToolContext(user=user, run_id=uuid.uuid4(), call_id=uuid.uuid4())
    return run_tool(tool_definition(tool, tool.name), arguments, context)

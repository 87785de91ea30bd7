"""Stored error codes as sentences: what happened, in the reader's language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from teams.providers.failure_texts import failure_text

_TEXTS = {
    "rounds_exceeded": _(
        "%(agent)s has called its model %(limit)s times for one task, which is the "
        "limit. “Retry” lets it go on."
    ),
    "delegations_exceeded": _(
        "The supervisor has delegated %(limit)s times in one run, which is the limit. "
        "“Retry” lets it go on."
    ),
    "budget_exceeded": _("%(agent)s has used up its budget (%(budget)s) for one task."),
    "output_invalid": _(
        "The answer of %(agent)s does not have the required form: %(detail)s"
    ),
    "repeated_failure": _("%(agent)s has called %(tool)s three times in vain."),
    "depth_exceeded": _(
        "Agents have delegated more than %(limit)s levels deep: %(chain)s"
    ),
    "run_tokens_exceeded": _(
        "The run has reached its cap of %(limit)s tokens. “Retry” lets it go on."
    ),
    "run_cost_exceeded": _(
        "The run has reached its cost cap of %(limit)s. “Retry” lets it go on."
    ),
    "run_timeout": _(
        "The run has worked for %(seconds)s s, which is its cap. “Retry” lets it go on."
    ),
    "active_agent_left": _(
        "The agent you talked to has left the team; %(agent)s takes over."
    ),
    "active_agent_off": _(
        "The agent you talked to is switched off at the moment; %(agent)s takes over."
    ),
    "tools_failed": _("%(limit)s tool calls of %(agent)s have failed."),
    "task_timeout": _("%(agent)s has worked for more than %(seconds)s s on one task."),
    "agent_disabled": _("The agent %(name)s has been disabled."),
    "task_disabled": _("The task %(name)s has been disabled."),
    "tool_disabled": _("The tool %(name)s has been disabled."),
    "profile_disabled": _("The profile %(name)s has been disabled."),
    "team_disabled": _("The team has been disabled."),
    "access_revoked": _("You may no longer run this team."),
    "team_invalid": _("The team can no longer run as it is: %(detail)s"),
    "question_expired": _("Nobody answered in time."),
    "tool_failed_by_person": _("A person decided that %(tool)s counts as failed."),
    "internal": _("Something went wrong on our side. The log has the details."),
}


def error_message(code: str, params: Mapping[str, Any] | None = None) -> str:
    """The sentence for a stored code; unknown parameters are left out."""
    if not code:
        return ""
    text = failure_text(code, params or {}) or _TEXTS.get(code)
    if text is None:
        return str(_("The request failed (%(code)s).")) % {"code": code}
    return (str(text) % defaultdict(str, params or {})).rstrip(": ")

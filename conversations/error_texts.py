"""Stored error codes as sentences: what happened, in the reader's language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

_TEXTS = {
    "model_unreachable": _("The model's server %(host)s cannot be reached."),
    "model_timeout": _("The model's server did not answer within %(seconds)s s."),
    "model_rate_limited": _(
        "The model's server refuses more requests for now (limit reached). "
        "Try again in a while."
    ),
    "model_key_refused": _(
        "The model's server refused the API key. An administrator can set a new one "
        "in the profile."
    ),
    "model_context_too_long": _(
        "The conversation has become too long for this model: %(detail)s"
    ),
    "model_bad_request": _("The model's server refused the request: %(detail)s"),
    "model_server_error": _("The model's server failed: %(detail)s"),
    "model_stream_broken": _("The model's reply broke off before its end."),
    "model_empty_reply": _("The model gave an empty reply."),
    "model_filtered": _("The model's server withheld the reply (content filter)."),
    "model_host_not_allowed": _(
        "Calls to %(host)s are not allowed. An administrator can add it to "
        "TOOL_ALLOWED_HOSTS."
    ),
    "model_not_configured": _(
        "The profile has no usable connection to a model. An administrator can "
        "complete it."
    ),
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
    text = _TEXTS.get(code)
    if text is None:
        return str(_("The request failed (%(code)s).")) % {"code": code}
    return (str(text) % defaultdict(str, params or {})).rstrip(": ")

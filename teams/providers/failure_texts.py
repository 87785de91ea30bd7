"""What kept a model from answering, as sentences for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

FAILURE_TEXTS = {
    "model_unreachable": _(
        "The model's server %(host)s cannot be reached. An administrator can check its "
        "address in the profile: %(detail)s"
    ),
    "model_timeout": _("The model's server did not answer within %(seconds)s s."),
    "model_rate_limited": _(
        "The model's server refuses more requests for now (limit reached). "
        "Try again in a while."
    ),
    "model_rate_limited_until": _(
        "The model's server refuses more requests for now (limit reached). "
        "Try again in %(seconds)s s."
    ),
    "model_key_refused": _(
        "The model's server refused the API key. An administrator can set a new one "
        "in the profile."
    ),
    "model_context_too_long": _(
        "The conversation has become too long for this model. Start a new one, or ask "
        "an administrator for a model that reads more: %(detail)s"
    ),
    "model_bad_request": _("The model's server refused the request: %(detail)s"),
    "model_not_found": _(
        "The model's server %(host)s does not know this address or this model. An "
        "administrator can check both in the profile: %(detail)s"
    ),
    "model_server_error": _("The model's server failed: %(detail)s"),
    "model_stream_broken": _("The model's reply broke off before its end."),
    "model_empty_reply": _("The model gave an empty reply."),
    "model_cut_off": _(
        "The model used up its token limit before it said anything. An administrator "
        "can raise it in the profile."
    ),
    "model_filtered": _("The model's server withheld the reply (content filter)."),
    "model_host_not_allowed": _(
        "Calls to %(host)s are not allowed. An administrator can add it to "
        "TOOL_ALLOWED_HOSTS."
    ),
    "model_not_configured": _(
        "The profile has no usable connection to a model. An administrator can "
        "complete it."
    ),
}


def failure_text(code: str, params: Mapping[str, Any]) -> str | None:
    """The sentence for a ``ModelFailure`` before its parameters are put in; None for
    another code."""
    name = code
    if code == "model_bad_request" and params.get("status") in (404, 405):
        name = "model_not_found"
    elif code == "model_rate_limited" and "seconds" in params:
        name = "model_rate_limited_until"
    elif code == "model_empty_reply" and params.get("cut_off"):
        name = "model_cut_off"
    text = FAILURE_TEXTS.get(name)
    return str(text) if text else None


def failure_message(code: str, params: Mapping[str, Any]) -> str:
    """The sentence for a ``ModelFailure``; its code where there is none."""
    text = failure_text(code, params)
    return (text % defaultdict(str, params)).rstrip(": ") if text else code

"""The overview of runs for the admin's first page."""

from __future__ import annotations

from django import template
from django.template import Context

from conversations.error_texts import error_message
from conversations.models import Run
from conversations.trace.overview import Overview, overview_for

register = template.Library()


@register.simple_tag(takes_context=True)
def run_overview(context: Context) -> Overview | None:
    """None for who may not read runs in the admin."""
    user = context["request"].user
    return overview_for(user) if user.has_perm("conversations.view_run") else None


@register.filter
def error_sentence(run: Run) -> str:
    return error_message(run.error_code, run.error_params)

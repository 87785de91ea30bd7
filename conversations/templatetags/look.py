"""Tags and filters for every page: theme, times, numbers, agents, states, Markdown."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.selectors.lists import waiting_requests
from conversations.trace import figures
from supervisor_site.common.markdown import render_markdown

register = template.Library()

THEMES = ("light", "dark")
STATE_LOOKS = {
    "QUEUED": "working",
    "RUNNING": "working",
    "RESUMING": "working",
    "WAITING_FOR_HUMAN": "waiting",
    "PENDING": "waiting",
    "SUCCEEDED": "done",
    "ANSWERED": "done",
    "APPROVED": "done",
    "HANDED_OVER": "done",
    "FAILED": "failed",
    "UNKNOWN": "failed",
}


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The chosen appearance as the cookie has it: light, dark or auto."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "") if request else ""
    return chosen if chosen in THEMES else "auto"


@register.simple_tag(takes_context=True)
def kept(context: Context, name: str) -> str:
    """``hidden`` where the reader has put that column away."""
    request = context.get("request")
    chosen = request.COOKIES.get(name, "") if request else ""
    return "hidden" if chosen == "hidden" else ""


@register.simple_tag(takes_context=True)
def waiting_count(context: Context) -> SafeString | str:
    """How many requests wait for the reader; nothing where none does."""
    number = waiting_requests(context["user"]).count()
    if not number:
        return ""
    return format_html(
        '{}<span class="visually-hidden"> {}</span>', number, _("waiting")
    )


@register.filter
def markdown(text: str) -> SafeString:
    return render_markdown(text or "")


@register.filter
def duration(milliseconds: float | None) -> str:
    return figures.duration(milliseconds)


@register.simple_tag
def elapsed(start: datetime | None, end: datetime | None = None) -> str:
    """How long it took, or takes so far."""
    return figures.duration(figures.elapsed(start, end))


@register.filter
def tokens(number: int | None) -> str:
    return figures.count(number)


@register.filter
def cost(amount: Decimal | None) -> str:
    return figures.cost(amount)


@register.simple_tag
def ago(moment: datetime | None) -> SafeString | str:
    """A relative time with the exact one on hover."""
    if moment is None:
        return ""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        figures.exact(moment),
        figures.ago(moment),
    )


@register.simple_tag
def left(until: datetime) -> SafeString:
    """The time until then, kept up to date by the page's script; exact on hover."""
    return format_html(
        '<time datetime="{}" title="{}" data-until>{}</time>',
        until.isoformat(),
        figures.exact(until),
        figures.left(until),
    )


@register.simple_tag
def moment(when: datetime | None) -> SafeString | str:
    """The exact time with seconds, for tables of what happened."""
    if when is None:
        return ""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        when.isoformat(),
        figures.ago(when),
        figures.exact(when),
    )


@register.filter
def percent(number: float) -> str:
    """For SVG attributes: with a full stop, whatever the language."""
    return f"{number:.2f}%"


@register.simple_tag
def agent_tint(name: str, leads: bool = False) -> str:  # noqa: FBT001, FBT002
    """The class that carries the agent's tint: ``{% agent_tint name leads %}``."""
    return figures.tint(name, leads=leads)


@register.simple_tag
def agent_mark(name: str, leads: bool = False) -> SafeString:  # noqa: FBT001, FBT002
    """The agent's two letters on its tint. The name must stand beside it."""
    return format_html(
        '<span class="agent-mark {}" aria-hidden="true">{}</span>',
        figures.tint(name, leads=leads),
        figures.mark(name),
    )


def _state(row: Any, mine: bool) -> tuple[str, str]:  # noqa: FBT001
    word = str(row.get_state_display())
    if row.state == "WAITING_FOR_HUMAN" and not mine:
        word = _("Waiting for a person")
    return STATE_LOOKS.get(row.state, "stopped"), word


@register.simple_tag
def state(row: Any, mine: bool = True) -> SafeString:  # noqa: FBT001, FBT002
    """A row's state as a word with its sign; ``mine``: it waits for the reader."""
    return format_html('<span class="state state-{}">{}</span>', *_state(row, mine))


@register.simple_tag
def state_short(row: Any) -> SafeString:
    """For lists of everybody's rows, where the person it waits for stands beside."""
    if row.state == "WAITING_FOR_HUMAN":
        return format_html('<span class="state state-waiting">{}</span>', _("Waiting"))
    return state(row)


@register.simple_tag
def state_sign(row: Any, mine: bool = True) -> SafeString:  # noqa: FBT001, FBT002
    """The sign alone where room is short; the word is heard, and shown on hover."""
    look, word = _state(row, mine)
    return format_html(
        '<span class="state state-sign state-{}" title="{}">'
        '<span class="visually-hidden">{}</span></span>',
        look,
        word,
        word,
    )

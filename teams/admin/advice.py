"""The team check as a list to read, each piece with a link to what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from teams.check import ERROR, HINT, WARNING, Advice, check_team
from teams.models import Agent, Definition, Profile, Task, Team, Tool

MODELS: dict[str, type[Definition]] = {
    "profile": Profile,
    "tool": Tool,
    "agent": Agent,
    "task": Task,
    "team": Team,
}
WORDS = {
    ERROR: gettext_lazy("Stops runs"),
    WARNING: gettext_lazy("Goes wrong"),
    HINT: gettext_lazy("Can be better"),
}


def advice_list(team: Team) -> str:
    """All that the check says of a saved team, as HTML."""
    found = check_team(team)
    if not found:
        return _("Nothing to say: the team is in order.")
    urls = _urls(found)
    rows = [
        (
            each.severity,
            WORDS[each.severity],
            urls.get((each.kind, each.name), ""),
            each.name,
            each.message,
        )
        for each in found
    ]
    line = '<li class="advice-{}"><strong>{}</strong> · <a href="{}">{}</a>: {}</li>'
    items = format_html_join("", line, rows)
    return format_html('<ul class="advice-list">{}</ul>', items)


def _urls(found: Sequence[Advice]) -> dict[tuple[str, str], str]:
    """The change page of each object named, with one query a kind."""
    urls = {}
    for kind in {each.kind for each in found} & MODELS.keys():
        names = {each.name for each in found if each.kind == kind}
        rows = MODELS[kind].objects.live().filter(name__in=names)
        for name, pk in rows.values_list("name", "pk"):
            urls[kind, name] = reverse(f"admin:teams_{kind}_change", args=[pk])
    return urls

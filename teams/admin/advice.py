"""The team check as a list to read, each piece with a link to what it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
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
COUNTED = {
    ERROR: gettext_lazy("stops runs"),
    WARNING: gettext_lazy("goes wrong"),
    HINT: gettext_lazy("can be better"),
}


@dataclass(frozen=True)
class TeamCheck:
    """``urgent``: something stops runs or makes them go wrong."""

    summary: str
    urgent: bool
    items: SafeString | str


def checked(team: Team) -> TeamCheck:
    """All that the check says of a saved team."""
    found = check_team(team)
    return TeamCheck(
        summary=_summary(found),
        urgent=any(each.severity != HINT for each in found),
        items=_list(found),
    )


def _summary(found: Sequence[Advice]) -> str:
    """How many pieces of which kind: ``1 stops runs, 2 go wrong``."""
    counts = Counter(each.severity for each in found)
    if not counts:
        return _("in order")
    return ", ".join(
        f"{counts[severity]} × {word}"
        for severity, word in COUNTED.items()
        if counts[severity]
    )


def _list(found: Sequence[Advice]) -> SafeString | str:
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

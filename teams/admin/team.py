"""The admin page of teams: who leads, who works, who may run it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import localize
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from teams.admin import handover
from teams.admin.advice import checked
from teams.admin.base import NAMING
from teams.admin.members import MemberInline
from teams.admin.rules import RuleInline
from teams.admin.team_form import TeamForm
from teams.admin.transfer import TeamTransfer
from teams.choices import Pattern
from teams.models import Team, TeamMember, TeamVersion

VERSIONS_SHOWN = 10


@admin.register(Team)
class TeamAdmin(TeamTransfer):
    form = TeamForm
    empty_words = gettext_lazy(
        "No team yet. Add or import one here, or load the demo: manage.py seed_demo."
    )
    inlines = (MemberInline, RuleInline)
    change_form_template = "admin/teams/team_form.html"
    list_display = (
        "name",
        "pattern",
        "supervisor_agent",
        "pair_count",
        "access",
        "last_version",
        "enabled",
        "chat",
    )
    list_filter = ["enabled", "pattern", "access_everyone"]
    list_select_related = ("supervisor_agent",)
    search_fields = ["name", "display_name", "description", "members__agent__name"]
    readonly_fields = ("versions_made",)

    class Media:
        js = (forms.Script("js/admin/team.js", defer=True),)

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kw: Any) -> Any:
        if db_field.name == "access_groups":
            kw["widget"] = forms.CheckboxSelectMultiple
        return super().formfield_for_manytomany(db_field, request, **kw)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                pair_number=_per_team(TeamMember, Count("pk")),
                version_number=_per_team(TeamVersion, Max("number")),
                group_number=_per_team(Team.access_groups.through, Count("pk")),
            )
        )
        return found

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        change = self.has_change_permission(request, obj) if obj else True
        leading = ("pattern", "supervisor_agent", "start_agent", "return_to")
        sets: list[Any] = [
            (None, {"fields": NAMING}),
            (_("How it works"), {"fields": leading}),
            *(_handover_sets(obj) if change else _handover_to_read()),
            (_("In the chat"), {"fields": ("starters",)}),
            (
                _("Who may run it"),
                {
                    "fields": ("access_everyone", "access_groups"),
                    "description": _(
                        "Running a team needs no right to build it. Whoever may run "
                        "every team is not listed here."
                    ),
                },
            ),
            (
                _("Caps of one run"),
                {
                    "fields": ("run_token_budget", "run_cost_budget", "run_timeout"),
                    "classes": ("collapse",),
                    "description": _("Over all agents; empty for none."),
                },
            ),
            (
                _("Replaced at run time"),
                {
                    "fields": ("overridable",),
                    "classes": ("collapse",),
                    "description": _("What somebody who starts a run may replace."),
                },
            ),
        ]
        if obj is not None:
            sets.append((_("Versions"), {"fields": ("versions_made",)}))
        return sets

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """A team and its rows are one: ``save_related`` saves both."""

    def save_related(
        self,
        request: HttpRequest,
        form: Any,
        formsets: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        for rows in formsets:
            # Without saving: only so that the history knows which rows changed.
            rows.save(commit=False)
        self.take_over(form.instance, form.write())
        self._tell_check(request, form.instance)

    def _tell_check(self, request: HttpRequest, team: Team) -> None:
        """Whoever leaves the page at once hears of it all the same."""
        check = checked(team)
        if check.urgent:
            line = format_html(
                '{} <a href="{}#team-check">{}</a>',
                _("The team check of “%(name)s” has something to say:")
                % {"name": team.name},
                reverse("admin:teams_team_change", args=[team.pk]),
                check.summary,
            )
            self.message_user(request, line, messages.WARNING)

    def change_view(self, request: Any, object_id: str, *args: Any, **kw: Any) -> Any:
        team = self.get_object(request, object_id)
        extra: dict[str, Any] = {}
        if team is not None:
            extra = {
                "chat_url": chat_url(team),
                "check": checked(team),
                "may_export": self.may_export(request),
            }
        kw["extra_context"] = extra | (kw.get("extra_context") or {})
        return super().change_view(request, object_id, *args, **kw)

    @admin.display(description=gettext_lazy("agents"), ordering="pair_number")
    def pair_count(self, team: Any) -> int:
        return int(team.pair_number or 0)

    @admin.display(description=gettext_lazy("version"), ordering="version_number")
    def last_version(self, team: Any) -> int | None:
        found: int | None = team.version_number
        return found

    @admin.display(description=gettext_lazy("access"))
    def access(self, team: Any) -> str:
        if team.access_everyone:
            return _("everyone")
        count = team.group_number or 0
        return ngettext("%(count)d group", "%(count)d groups", count) % {"count": count}

    @admin.display(description=gettext_lazy("chat"))
    def chat(self, team: Team) -> str:
        return format_html('<a href="{}">{}</a>', chat_url(team), _("Chat"))

    @admin.display(description=gettext_lazy("versions"))
    def versions_made(self, team: Team) -> str:
        versions = team.versions.only("number", "created_at", "team")
        rows = [
            (
                reverse("admin:teams_teamversion_change", args=[version.pk]),
                version.number,
                localize(version.created_at),
            )
            for version in versions.order_by("-number")[:VERSIONS_SHOWN]
        ]
        if not rows:
            return _("None yet: the first run makes one.")
        items = format_html_join("", '<li><a href="{}">{}</a> · {}</li>', rows)
        return format_html('<ol class="version-list">{}</ol>', items)


def _handover_sets(team: Team | None) -> list[Any]:
    """Folded where the team is no handoff team: the others have none of it."""
    handing_over = team is not None and team.pattern == Pattern.HANDOFF
    classes = () if handing_over else ("collapse",)
    only = _("Only where agents hand over to each other.")
    return [
        (title, {"fields": fields, "classes": classes, "description": only})
        for title, fields in (
            (_("Going on without the person"), handover.AUTONOMOUS),
            (_("What ends the conversation"), handover.TERMINATION),
            (_("What the person sees"), handover.OUTPUTS),
        )
    ]


def _handover_to_read() -> list[Any]:
    fields = ("autonomous", "termination", "outputs")
    return [(_("Handover"), {"fields": fields, "classes": ("collapse",)})]


def chat_url(team: Team) -> str:
    return f"/?{urlencode({'team': team.name})}"


def _per_team(model: Any, value: Any) -> Subquery:
    """One number a team, without joins that would multiply each other."""
    rows = model.objects.order_by().filter(team=OuterRef("pk")).values("team")
    return Subquery(rows.annotate(number=value).values("number"))

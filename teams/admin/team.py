"""The admin page of teams: who leads, who works, who may run it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import localize
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from supervisor_site.common.errors import Invalid
from teams.admin.advice import advice_list
from teams.admin.base import NAMING, DefinitionAdmin
from teams.admin.forms import DefinitionForm
from teams.admin.members import MemberInline
from teams.admin.parts import LinesField
from teams.models import Agent, Team, TeamMember, TeamVersion
from teams.services.attributes import readers
from teams.validation import draft_of, name_errors, team_errors

VERSIONS_SHOWN = 10


class TeamForm(DefinitionForm):
    kind = "team"
    field_of = {"access": "access_groups"}
    plain = ("pattern", "starters")

    starters = LinesField(
        label=gettext_lazy("Starter prompts"),
        help_text=gettext_lazy(
            "One a line. The chat offers them when a conversation begins."
        ),
    )

    class Meta:
        model = Team
        exclude = ("process",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The pairs stand in the formset; the admin hands them over for saving.
        self.pairs: list[dict[str, str]] = []
        if "supervisor_agent" in self.fields:
            self._offer_leaders()
        if "pattern" in self.fields:
            self.fields["pattern"].help_text = _(
                "A supervisor decides from request to request who works, for requests "
                "of many kinds. A fixed order suits work that always takes the same "
                "steps; with one agent alone, it is how you talk to that agent."
            )

    def _offer_leaders(self) -> None:
        """Only leaders are offered, but whoever is given gets the rule's own words."""
        leaders = Agent.objects.live().filter(supervisor=True)
        current = self.instance.supervisor_agent_id
        rows = leaders | Agent.objects.filter(pk=current) if current else leaders
        offered = [("", "---------"), *((row.pk, row.name) for row in rows)]
        self.fields["supervisor_agent"].widget.choices = offered

    def clean_starters(self) -> Any:
        try:
            return readers.starters("starters", self.cleaned_data["starters"])
        except Invalid as error:
            self.add_refusal(error)
            return []

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        leader = given.get("supervisor_agent")
        return super().attributes() | {
            "supervisor_agent": leader.name if leader else None,
            "agents": self.pairs,
            "access": {
                "everyone": given["access_everyone"],
                "groups": [group.name for group in given["access_groups"]],
            },
        }

    def check_rules(self) -> None:
        """All but the pairs, whose own rows say what is wrong with them."""
        errors = name_errors(self.instance) + [
            error
            for error in team_errors(draft_of(self.instance, []))
            if error.field.partition(".")[0] != "agents"
        ]
        if errors:
            self.add_refusal(Invalid(errors))


@admin.register(Team)
class TeamAdmin(DefinitionAdmin):
    form = TeamForm
    inlines = (MemberInline,)
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
    filter_horizontal = ("access_groups",)
    readonly_fields = ("team_check", "versions_made")

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
        sets: list[Any] = [
            (None, {"fields": NAMING}),
            (_("How it works"), {"fields": ("pattern", "supervisor_agent")}),
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
        ]
        if obj is not None:
            sets.append((_("Team check"), {"fields": ("team_check",)}))
            sets.append((_("Versions"), {"fields": ("versions_made",)}))
        return sets

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """Team and pairs are one: ``save_related`` saves both."""

    def save_related(
        self,
        request: HttpRequest,
        form: Any,
        formsets: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        (members,) = formsets
        form.pairs = members.pairs()
        # Without saving: only so that the history knows which pairs changed.
        members.save(commit=False)
        self.take_over(form.instance, form.write())

    def change_view(self, request: Any, object_id: str, *args: Any, **kw: Any) -> Any:
        team = self.get_object(request, object_id)
        extra = {"chat_url": chat_url(team)} if team else {}
        kw["extra_context"] = extra | (kw.get("extra_context") or {})
        return super().change_view(request, object_id, *args, **kw)

    @admin.display(description=gettext_lazy("pairs"), ordering="pair_number")
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

    @admin.display(description=gettext_lazy("advice"))
    def team_check(self, team: Team) -> str:
        return advice_list(team)

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


def chat_url(team: Team) -> str:
    return f"/?{urlencode({'team': team.name})}"


def _per_team(model: Any, value: Any) -> Subquery:
    """One number a team, without joins that would multiply each other."""
    rows = model.objects.order_by().filter(team=OuterRef("pk")).values("team")
    return Subquery(rows.annotate(number=value).values("number"))

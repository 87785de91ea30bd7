"""Export of a team as a file, and import of one with a look at what it would change."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from supervisor_site.common.errors import AppError, Conflict, Invalid
from teams.admin.base import DefinitionAdmin
from teams.models import Team
from teams.permissions import KINDS, can_build, may
from teams.services.transfer import Change, export_team, import_bundle

BUNDLE_MAX_BYTES = 2_000_000
WORDS = {
    "create": gettext_lazy("Made"),
    "update": gettext_lazy("Changed"),
    "keep": gettext_lazy("As it is"),
    "note": gettext_lazy("Left to do"),
}


class BundleForm(forms.Form):
    """A bundle as a file or as text; the file counts where both are given."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("What “Export” or export_team wrote."),
    )
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 8, "class": "vLargeTextField code", "spellcheck": "false"}
        ),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Change objects that exist and differ"),
        required=False,
        help_text=gettext_lazy("Without this, a difference stops the import."),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        file = given.get("file")
        if file is not None and file.size > BUNDLE_MAX_BYTES:
            self.add_error("file", _("The file is too large for a team."))
            return given
        raw = file.read() if file is not None else given.get("text", "")
        place = "file" if file is not None else "text"
        if not raw.strip():
            self.add_error("file", _("Choose a file, or paste its text."))
            return given
        try:
            given["bundle"] = json.loads(raw)
        except (ValueError, RecursionError):
            self.add_error(place, _("This is no JSON."))
        return given


class TeamTransfer(DefinitionAdmin):
    """Adds ``…/export/`` to a team and ``import/`` to their list."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("import/", wrap(self.import_view), name="teams_team_import"),
            path(
                "<path:object_id>/export/",
                wrap(self.export_view),
                name="teams_team_export",
            ),
            *super().get_urls(),
        ]

    def may_export(self, request: HttpRequest) -> bool:
        """A bundle holds everything a team uses."""
        return all(may(request.user, "view", kind) for kind in KINDS)

    def may_import(self, request: HttpRequest) -> bool:
        """What each object of a bundle needs, the import itself asks for."""
        return can_build(request.user)

    def changelist_view(self, request: HttpRequest, *args: Any, **kw: Any) -> Any:
        extra = {"may_import": self.may_import(request)}
        kw["extra_context"] = extra | (kw.get("extra_context") or {})
        return super().changelist_view(request, *args, **kw)

    def export_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        team = self.get_object(request, object_id)
        if team is None:
            raise Http404
        if not self.may_export(request):
            raise PermissionDenied
        assert isinstance(team, Team)
        name = content_disposition_header(
            as_attachment=True, filename=f"{team.name}.json"
        )
        return JsonResponse(
            export_team(team),
            json_dumps_params={"ensure_ascii": False, "indent": 2},
            headers={"Content-Disposition": name or "attachment"},
        )

    def import_view(self, request: HttpRequest) -> HttpResponse:
        if not self.may_import(request):
            raise PermissionDenied
        posted = request.method == "POST"
        form = BundleForm(request.POST, request.FILES) if posted else BundleForm()
        changes: list[Change] | None = None
        if form.is_valid():
            dry_run = "_import" not in request.POST
            changes = self._take(request, form, dry_run=dry_run)
            if changes is not None and not dry_run:
                return self._imported(request, changes)
            form = _with_text(form)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import a team"),
            "opts": self.opts,
            "form": form,
            "changes": _rows(changes),
        }
        return TemplateResponse(request, "admin/teams/import.html", context)

    def _take(
        self, request: HttpRequest, form: BundleForm, *, dry_run: bool
    ) -> list[Change] | None:
        """What the import does or would do; None where it is refused, said on the
        form."""
        given = form.cleaned_data
        try:
            return import_bundle(
                given["bundle"],
                user=request.user,
                dry_run=dry_run,
                replace=given["replace"],
            )
        except Invalid as error:
            for each in error.errors:
                form.add_error(None, f"{each.field}: {each.message}")
        except Conflict as error:
            form.add_error("replace", error.message)
            for each in error.extra.get("objects", ()):
                names = ", ".join(each["attributes"])
                form.add_error("replace", f"{each['name']}: {names}")
        except AppError as error:
            form.add_error(None, error.message)
        return None

    def _imported(self, request: HttpRequest, changes: list[Change]) -> HttpResponse:
        for change in changes:
            if change.action == "note":
                self.message_user(request, change.message, messages.WARNING)
        teams = [change.name for change in changes if change.kind == "team"]
        text = ngettext("%(n)d team imported.", "%(n)d teams imported.", len(teams))
        self.message_user(request, text % {"n": len(teams)}, messages.SUCCESS)
        if len(teams) != 1:
            return redirect("admin:teams_team_changelist")
        team = Team.objects.named(teams[0]).get()
        return redirect("admin:teams_team_change", team.pk)


def _with_text(form: BundleForm) -> BundleForm:
    """The same form with its file as text: a browser does not send a file twice."""
    if form.cleaned_data.get("file") is not None:
        text = json.dumps(form.cleaned_data["bundle"], ensure_ascii=False, indent=2)
        form.data = {**form.data.dict(), "text": text}  # type: ignore[attr-defined]
    return form


def _rows(changes: list[Change] | None) -> list[tuple[Any, Change]] | None:
    if changes is None:
        return None
    return [(WORDS.get(change.action, change.action), change) for change in changes]

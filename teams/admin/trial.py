"""Pages for trying a profile or a tool by hand (S15): what goes in, what came out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _

from supervisor_site.common.errors import AppError
from teams.admin.arguments import ArgumentsForm
from teams.admin.base import DefinitionAdmin
from teams.providers.failure_texts import failure_message
from teams.services.trials import try_profile, try_tool
from teams.toolbox.registry import registered

if TYPE_CHECKING:
    from teams.models import Profile, Tool


class TriedAdmin(DefinitionAdmin):
    """A definition with a page ``…/try/``; subclasses say what a try is."""

    change_form_template = "admin/teams/tried_form.html"
    try_template: str

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_try"
        view: Callable[..., Any] = self.admin_site.admin_view(self.try_view)
        return [path("<path:object_id>/try/", view, name=name), *super().get_urls()]

    def try_form(self, obj: Any, data: Any) -> forms.Form:
        """What a person enters for a try; ``data`` is what was posted, if anything."""
        raise NotImplementedError

    def try_out(self, request: HttpRequest, obj: Any, given: dict[str, Any]) -> Any:
        """What came of one try, for the template. Raises ``AppError``."""
        raise NotImplementedError

    def try_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        obj = self.get_object(request, object_id)
        if obj is None:
            raise Http404
        if not self.has_change_permission(request, obj):
            raise PermissionDenied
        form = self.try_form(obj, request.POST if request.method == "POST" else None)
        outcome = None
        if form.is_valid():
            try:
                outcome = self.try_out(request, obj, form.cleaned_data)
            except AppError as error:
                self.message_user(request, error.message, messages.ERROR)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Try %(name)s") % {"name": obj.name},
            "opts": self.opts,
            "original": obj,
            "form": form,
            "outcome": outcome,
        }
        return TemplateResponse(request, self.try_template, context)


class ProfileTrial(TriedAdmin):
    try_template = "admin/teams/try_profile.html"

    def try_form(self, obj: Profile, data: Any) -> forms.Form:
        return forms.Form(data)

    def try_out(
        self, request: HttpRequest, obj: Profile, given: dict[str, Any]
    ) -> dict[str, Any]:
        found = try_profile(obj.name, user=request.user)  # type: ignore[arg-type]
        error = found["error"]
        return found | {
            "sentence": failure_message(error["code"], error["params"]) if error else ""
        }


class ToolTrial(TriedAdmin):
    try_template = "admin/teams/try_tool.html"

    def try_form(self, obj: Tool, data: Any) -> forms.Form:
        function = registered(obj.function)
        schema = function.parameters if function else obj.parameters
        return ArgumentsForm(schema, data)

    def try_out(self, request: HttpRequest, obj: Tool, given: dict[str, Any]) -> Any:
        return try_tool(obj.name, given, user=request.user)  # type: ignore[arg-type]

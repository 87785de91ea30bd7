"""What the admin pages of all definitions share: saving through the services,
dropping instead of deleting, switching on and off, lists that never grow in queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.options import IS_POPUP_VAR
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from supervisor_site.common.errors import AppError
from teams.admin.forms import DefinitionForm
from teams.models import Definition
from teams.services import definitions
from teams.validation import drop_problem

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

NAMING = ("name", "display_name", "description", "enabled")


def without_drop_icon(field: Any) -> Any:
    """The same form field; a choice of an object is no place to drop that object."""
    if field is not None and hasattr(field.widget, "can_delete_related"):
        field.widget.can_delete_related = False
    return field


class DefinitionAdmin(ModelAdmin):
    """Subclasses set ``form``, ``fieldsets`` and their columns."""

    form: type[DefinitionForm]
    search_fields = ["name", "display_name", "description"]
    list_filter = ["enabled"]
    list_per_page = 50
    empty_value_display = "–"
    actions = ("enable", "disable")
    empty_words: Any = ""
    delete_confirmation_template = "admin/teams/drop_confirmation.html"
    delete_selected_confirmation_template = "admin/teams/drop_selected.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        return found.filter(dropped_at__isnull=True)

    # --- Saving -----------------------------------------------------------------

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, *args, **kwargs)
        form.user = request.user
        return form

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kw: Any) -> Any:
        self._live_choices(db_field, kw)
        return super().formfield_for_foreignkey(db_field, request, **kw)

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kw: Any) -> Any:
        self._live_choices(db_field, kw)
        return super().formfield_for_manytomany(db_field, request, **kw)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kw: Any) -> Any:
        return without_drop_icon(super().formfield_for_dbfield(db_field, request, **kw))

    def _live_choices(self, db_field: Any, options: dict[str, Any]) -> None:
        target = db_field.remote_field.model
        if issubclass(target, Definition):
            options["queryset"] = target.objects.live()

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        self.take_over(obj, form.write())

    def save_related(
        self,
        request: HttpRequest,
        form: Any,
        formsets: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """The services have stored the links already."""

    def take_over(self, obj: Any, written: Definition) -> None:
        """The form's object becomes the row that the services wrote."""
        obj.pk = written.pk
        obj.refresh_from_db()

    def change_view(self, request: Any, object_id: str, *args: Any, **kw: Any) -> Any:
        # Our own link beside it says what it does: nothing is deleted.
        extra = {
            "show_delete": False,
            "may_drop": self.has_delete_permission(request),
        }
        kw["extra_context"] = extra | (kw.get("extra_context") or {})
        return super().change_view(request, object_id, *args, **kw)

    # --- Refusals come back as messages, never as a server error ------------------

    def changeform_view(self, request: HttpRequest, *args: Any, **kw: Any) -> Any:
        view = super().changeform_view
        return self._told(request, lambda: view(request, *args, **kw))

    def delete_view(self, request: HttpRequest, *args: Any, **kw: Any) -> Any:
        view = super().delete_view
        title = _("Drop the %(kind)s") % {"kind": self.opts.verbose_name}
        kw["extra_context"] = {"title": title} | (kw.get("extra_context") or {})
        return self._told(request, lambda: view(request, *args, **kw))

    def changelist_view(self, request: HttpRequest, *args: Any, **kw: Any) -> Any:
        view = super().changelist_view
        extra = {"empty_words": self.empty_words}
        kw["extra_context"] = extra | (kw.get("extra_context") or {})
        return self._told(request, lambda: view(request, *args, **kw))

    def _told(
        self, request: HttpRequest, view: Callable[[], HttpResponse]
    ) -> HttpResponse:
        if request.method != "POST":
            return view()
        try:
            with transaction.atomic():
                return view()
        except AppError as error:
            self.message_user(request, error.message, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    # --- Dropping -----------------------------------------------------------------

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        definitions.drop(self.form.kind, obj.name, user=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for obj in queryset:
            self.delete_model(request, obj)

    def response_delete(
        self, request: HttpRequest, obj_display: str, obj_id: int
    ) -> HttpResponse:
        if IS_POPUP_VAR in request.POST:
            return super().response_delete(request, obj_display, obj_id)
        # Django's own word would be "deleted", which is not what happened.
        text = _("The %(kind)s “%(name)s” was dropped.")
        names = {"kind": self.opts.verbose_name, "name": obj_display}
        self.message_user(request, text % names, messages.SUCCESS)
        if not self.has_view_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        return HttpResponseRedirect(
            reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        found = super().get_actions(request)
        if "delete_selected" in found:
            action: Any = found["delete_selected"]
            words = _("Drop selected %(verbose_name_plural)s")
            found["delete_selected"] = (*action[:2], words)
        return found

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What would be dropped; what is in use stands in Django's way as protected."""
        found: list[Definition] = list(objs)
        counts = {self.opts.verbose_name_plural: len(found)}
        may = self.has_delete_permission(request)
        needed = set() if may else {self.opts.verbose_name}
        problems = [text for text in map(drop_problem, found) if text]
        return [str(each) for each in found], counts, needed, problems

    # --- Switching on and off -----------------------------------------------------

    @admin.action(description=gettext_lazy("Enable"), permissions=["change"])
    def enable(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        changed = self._switch(request, queryset, enabled=True)
        text = ngettext("%(count)d enabled.", "%(count)d enabled.", changed)
        self.message_user(request, text % {"count": changed}, messages.SUCCESS)

    @admin.action(description=gettext_lazy("Disable"), permissions=["change"])
    def disable(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        changed = self._switch(request, queryset, enabled=False)
        text = ngettext("%(count)d disabled.", "%(count)d disabled.", changed)
        self.message_user(request, text % {"count": changed}, messages.SUCCESS)

    def _switch(
        self, request: HttpRequest, rows: Iterable[Any], *, enabled: bool
    ) -> int:
        changed = [row for row in rows if row.enabled != enabled]
        for row in changed:
            definitions.set_enabled(
                self.form.kind, row.name, enabled, user=request.user
            )
            word = _("Enabled.") if enabled else _("Disabled.")
            self.log_change(request, row, word)
        return len(changed)

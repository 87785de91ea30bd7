"""The admin page of profiles. A key goes in and never comes out."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminURLFieldWidget
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from teams.admin.base import NAMING
from teams.admin.forms import DefinitionForm
from teams.admin.parts import PrettyJSONField, listed
from teams.admin.trial import ProfileTrial
from teams.models import Agent, Profile
from teams.providers.compat import CHOICES


class ProfileForm(DefinitionForm):
    kind = "profile"
    description_help = gettext_lazy("For whoever chooses a profile for an agent.")
    field_of = {"api_key": "new_key"}
    plain = (
        "provider",
        "base_url",
        "model",
        "parameters",
        "compat",
        "timeout",
        "max_retries",
        "context_window",
        "calls_tools",
    )

    # What an address may be is for the rules to say: a host needs no dot.
    base_url = forms.CharField(
        label=gettext_lazy("Base URL"),
        required=False,
        max_length=500,
        widget=AdminURLFieldWidget,
        help_text=gettext_lazy(
            "Where the server answers; empty for the OpenAI API itself. "
            "A new address removes the stored key."
        ),
    )
    # Not named api_key: a read-only page would call the model's method of that
    # name and show what it answers.
    new_key = forms.CharField(
        label=gettext_lazy("API key"),
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(
            attrs={"autocomplete": "new-password", "class": "vTextField"}
        ),
    )
    remove_key = forms.BooleanField(
        label=gettext_lazy("Remove the stored key"), required=False
    )
    parameters = PrettyJSONField(
        label=gettext_lazy("Parameters"),
        help_text=gettext_lazy(
            "A JSON object that goes into each call as it is, such as "
            '{"temperature": 0}.'
        ),
    )
    compat = PrettyJSONField(
        label=gettext_lazy("Compatibility"),
        help_text=gettext_lazy(
            "A JSON object of switches for a server with ways of its own; mostly {}."
        ),
    )

    class Meta:
        model = Profile
        exclude = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "new_key" in self.fields:
            self.fields["new_key"].help_text = (
                _("A key is stored. Leave this empty to keep it.")
                if self.instance.has_key
                else _("No key is stored. It is encrypted and never shown again.")
            )

    def clean(self) -> dict[str, Any] | None:
        given = super().clean()
        if self.cleaned_data.get("new_key") and self.cleaned_data.get("remove_key"):
            self.add_error(
                "remove_key", _("Either give a new key or remove the stored one.")
            )
        return given

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        found = super().attributes()
        for name in ("input_price", "output_price"):
            if name in given:
                price = given[name]
                found[name] = None if price is None else str(price)
        if given.get("new_key") or given.get("remove_key"):
            found["api_key"] = given.get("new_key", "")
        return found


def _switches() -> str:
    """The switches of ``compat`` and what each may be."""
    known = "; ".join(
        f"{name}: {' | '.join(json.dumps(value) for value in values)}"
        for name, values in CHOICES.items()
    )
    return format_html("{} <code>{}</code>", _("Switches and their values:"), known)


@admin.register(Profile)
class ProfileAdmin(ProfileTrial):
    form = ProfileForm
    empty_words = gettext_lazy(
        "No profile yet. A profile is a connection to a model; the provider "
        "“Rehearsal” needs no server and no key."
    )
    list_display = (
        "name",
        "display_name",
        "provider",
        "model",
        "key_stored",
        "used_by",
        "enabled",
    )
    list_filter = ["enabled", "provider"]
    search_fields = ["name", "display_name", "description", "model", "base_url"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        agents = Agent.objects.live().only("name", "profile")
        found = super().get_queryset(request)
        return found.prefetch_related(Prefetch("agents", agents, "live_agents"))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        server: list[str] = ["provider", "base_url", "model"]
        may = self.has_change_permission(request, obj) if obj else True
        if may:
            server.append("new_key")
            server += ["remove_key"] if obj and obj.has_key else []
        else:
            server.append("key_stored")
        return [
            (None, {"fields": NAMING}),
            (
                _("Server and model"),
                {
                    "fields": server,
                    "description": _(
                        "“From the environment” takes address and key from "
                        "OPENAI_BASE_URL and OPENAI_API_KEY; “Rehearsal” answers "
                        "offline by rules and needs neither."
                    ),
                },
            ),
            (
                _("Calls"),
                {"fields": ("parameters", "timeout", "max_retries", "calls_tools")},
            ),
            (
                _("Limits and prices"),
                {
                    "fields": ("context_window", "input_price", "output_price"),
                    "classes": ("collapse",),
                },
            ),
            (
                _("Odd servers"),
                {
                    "fields": ("compat",),
                    "classes": ("collapse",),
                    "description": _switches(),
                },
            ),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("key_stored",)

    @admin.display(description=gettext_lazy("key"), boolean=True)
    def key_stored(self, profile: Profile) -> bool:
        return profile.has_key

    @admin.display(description=gettext_lazy("used by"))
    def used_by(self, profile: Any) -> str:
        return listed(agent.name for agent in profile.live_agents)

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        had_key = obj.has_key
        super().save_model(request, obj, form, change)
        if had_key and not obj.has_key and not form.cleaned_data.get("remove_key"):
            self.message_user(
                request,
                _("The stored key was removed: it belonged to the address before."),
                messages.WARNING,
            )

"""Filling in admin forms as a browser does: what is shown comes back, with changes."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.test import Client
from django.urls import reverse


def change_url(row: Model) -> str:
    return reverse(f"admin:teams_{row._meta.model_name}_change", args=[row.pk])


def add_url(kind: str) -> str:
    return reverse(f"admin:teams_{kind}_add")


def list_url(kind: str) -> str:
    return reverse(f"admin:teams_{kind}_changelist")


def shown(response: Any) -> dict[str, Any]:
    """What a browser would post if nothing were touched."""
    data: dict[str, Any] = {}
    forms = [response.context["adminform"].form]
    for inline in response.context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    for form in forms:
        for bound in form:
            value = bound.value()
            if value is None or value is False:
                continue
            data[bound.html_name] = "on" if value is True else value
    return data


def post(client: Client, url: str, **changes: Any) -> Any:
    """Open the page, change some fields (None empties one), and save."""
    page = client.get(url)
    assert page.status_code == 200
    data = shown(page) | changes
    filled = {name: value for name, value in data.items() if value is not None}
    return client.post(url, filled)


def saved(response: Any) -> bool:
    return bool(response.status_code == 302)


def errors(response: Any) -> dict[str, list[str]]:
    """The messages by field of a form that was refused."""
    assert response.status_code == 200
    form = response.context["adminform"].form
    return {field: list(messages) for field, messages in form.errors.items()}


def row_errors(response: Any) -> list[dict[str, list[str]]]:
    """The same for each row of the first inline."""
    formset = response.context["inline_admin_formsets"][0].formset
    return [
        {field: list(messages) for field, messages in form.errors.items()}
        for form in formset.forms
    ]


def notices(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]

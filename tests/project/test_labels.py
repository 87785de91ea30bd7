"""What the administration calls a field can be put into another language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils.functional import Promise

OURS = [
    model
    for model in admin.site._registry
    if model._meta.app_label in ("teams", "conversations")
]


def names_shown(page: admin.ModelAdmin, request: HttpRequest) -> Iterator[tuple]:
    """The model and name of each column, filter and field, those of inlines too."""
    for name in page.get_list_display(request):
        yield page.model, name
    for wanted in page.get_list_filter(request):
        yield page.model, wanted[0] if isinstance(wanted, tuple) else wanted
    for part in [page, *page.get_inline_instances(request)]:
        for name in flatten_fieldsets(part.get_fieldsets(request, part.model())):
            yield part.model, name


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.model_name)
def test_every_field_shown_has_a_name_to_translate(model: type) -> None:
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    unnamed = []
    for owner, name in names_shown(admin.site._registry[model], request):
        try:
            field = owner._meta.get_field(name)
        except (FieldDoesNotExist, AttributeError):
            # A method or a filter of its own, which names itself.
            continue
        if not isinstance(field.verbose_name, Promise):
            unnamed.append(f"{owner._meta.model_name}.{name}")
    assert unnamed == []

"""Small pieces of the admin pages: lists of names, JSON to read, field classes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

NAMES_SHOWN = 3


def listed(names: Iterable[str]) -> str:
    """The first names, and how many more there are; "" for none."""
    every = sorted(set(names), key=str.casefold)
    left = len(every) - NAMES_SHOWN
    shown = ", ".join(every[:NAMES_SHOWN])
    return f"{shown} +{left}" if left > 0 else shown


def pretty_json(value: Any) -> SafeString:
    text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=False)
    return format_html('<pre class="code" dir="ltr">{}</pre>', text)


class PrettyJSONField(forms.JSONField):
    """JSON that is indented when it is shown for editing."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return super().prepare_value(value)
        return json.dumps(value or {}, indent=2, ensure_ascii=False)

    def __init__(self, **options: Any) -> None:
        area = forms.Textarea(
            attrs={"rows": 5, "class": "vLargeTextField code", "spellcheck": "false"}
        )
        super().__init__(**{"required": False, "widget": area, **options})


class SchemaField(PrettyJSONField):
    """A JSON Schema, or nothing at all."""

    def prepare_value(self, value: Any) -> Any:
        return super().prepare_value(value) if value else ""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(initial or None, data)


class LinesField(forms.CharField):
    """A list of texts, one a line; empty lines are left out."""

    def __init__(self, **options: Any) -> None:
        area = forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"})
        super().__init__(**{"required": False, "widget": area, **options})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((initial or []) != self.to_python(data))

    def run_validators(self, value: Any) -> None:
        """The rules of the list are those of its attribute, not of one text."""

"""A form for the arguments of a call, made from their JSON Schema."""

from __future__ import annotations

from typing import Any

from django import forms

from teams.admin.parts import PrettyJSONField

LONG = 200
NUMBERS: dict[str, type[forms.Field]] = {
    "integer": forms.IntegerField,
    "number": forms.FloatField,
}


class ArgumentsForm(forms.Form):
    """A field for each property. What is left empty is left out of the arguments, so
    that the function's own default counts."""

    def __init__(self, schema: dict[str, Any], data: Any = None) -> None:
        # So that no argument has the name of a field of ours.
        super().__init__(data, prefix="argument")
        needed = schema.get("required") or ()
        for name, part in (schema.get("properties") or {}).items():
            self.fields[name] = _field(name, part, required=name in needed)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        return {name: value for name, value in given.items() if not _empty(value)}


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _field(name: str, schema: dict[str, Any], *, required: bool) -> forms.Field:
    known = _own(schema)
    default = schema.get("default")
    options: dict[str, Any] = {
        "label": name,
        "required": required,
        "initial": default,
        "help_text": schema.get("description", known.get("description", "")),
    }
    kind = known.get("type")
    if "enum" in known and all(isinstance(each, str) for each in known["enum"]):
        choices = [(each, each) for each in known["enum"]]
        return forms.ChoiceField(choices=[("", "---------"), *choices], **options)
    if kind in NUMBERS:
        return NUMBERS[kind](**options)
    if kind == "boolean":
        return _yes_or_no(options)
    if kind == "string":
        long = known.get("maxLength", LONG + 1) > LONG
        return forms.CharField(widget=_text(long=long), strip=False, **options)
    return PrettyJSONField(**options)


def _own(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, or its one branch beside null."""
    branches = schema.get("anyOf") or schema.get("oneOf") or [schema]
    real = [each for each in branches if each.get("type") != "null"]
    return real[0] if len(real) == 1 else {}


def _text(*, long: bool) -> forms.Widget:
    if long:
        return forms.Textarea(attrs={"rows": 2, "class": "vLargeTextField"})
    return forms.TextInput(attrs={"class": "vTextField"})


def _yes_or_no(options: dict[str, Any]) -> forms.Field:
    choices = [("", "---------"), ("true", "true"), ("false", "false")]
    default = options.pop("initial")
    initial = "" if default is None else str(default).lower()
    return forms.TypedChoiceField(
        choices=choices,
        coerce=lambda text: text == "true",
        empty_value=None,
        initial=initial,
        **options,
    )

"""The forms of definitions: they gather attributes and put each refusal on its field.

What may be saved is decided by the services alone. A form asks them in a trial that
is rolled back, so that REST, import and the admin refuse the same with the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from supervisor_site.common.errors import AppError, Invalid
from teams.models import Definition
from teams.permissions import Person
from teams.services import definitions

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm


class DefinitionForm(ModelForm):
    """``kind`` is the services' word for the model; ``user`` is set by the admin.

    ``plain`` are the attributes that stand in a field of the same name, ``field_of``
    names the form field of an attribute where the two differ,
    ``attribute_of`` the attribute that an error without a field is about, by its code.
    """

    kind: ClassVar[str]
    plain: ClassVar[tuple[str, ...]] = ()
    field_of: ClassVar[dict[str, str]] = {}
    attribute_of: ClassVar[dict[str, str]] = {"exists": "name"}
    # Who reads the description, and what for.
    description_help: ClassVar[Any] = ""
    user: Person = AnonymousUser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What it is called now; the form's instance gets the new name.
        self.name_before = self.instance.name if self.instance.pk else ""
        if "description" in self.fields:
            self.fields["description"].widget.attrs["rows"] = 3
            self.fields["description"].help_text = self.description_help

    def attributes(self) -> dict[str, Any]:
        """What was entered, as the attributes of the REST API."""
        common = ("name", "display_name", "description", "enabled", *self.plain)
        given = self.cleaned_data
        return {name: given[name] for name in common if name in given}

    def write(self) -> Definition:
        """Save through the services. Raises what they raise."""
        given = self.attributes()
        if self.name_before:
            return definitions.update(
                self.kind, self.name_before, given, user=self.user
            )
        return definitions.create(self.kind, given, user=self.user)

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if not self.errors:
            self.check_rules()

    def check_rules(self) -> None:
        """Put what the services would refuse on the fields it is about."""
        try:
            with transaction.atomic():
                self.write()
                transaction.set_rollback(True)
        except AppError as error:
            self.add_refusal(error)

    def add_refusal(self, error: AppError) -> None:
        if not isinstance(error, Invalid):
            self._add(self.attribute_of.get(error.code, ""), error.message)
            return
        for each in error.errors:
            self._add(each.field, each.message)

    def _add(self, attribute: str, message: str) -> None:
        first = attribute.partition(".")[0]
        field = self.field_of.get(first, first)
        self.add_error(field if field in self.fields else None, message)

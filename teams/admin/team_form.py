"""The form of a team: it and its rows are judged and saved as one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminRadioSelect
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from supervisor_site.common.errors import Invalid
from teams.admin import handover
from teams.admin.forms import DefinitionForm
from teams.admin.handover import HandoverFields
from teams.admin.parts import LinesField
from teams.admin.rows import RowSet, rows_of
from teams.advice.patterns import FITS
from teams.choices import Overridable, Pattern
from teams.models import Agent, Team
from teams.services.attributes import readers
from teams.validation import name_errors

# The attributes that stand in rows, and the field of a row for each part of them.
ROWS: dict[str, tuple[str, dict[str, str]]] = {
    "agents": ("members", {"name": "agent", "task": "task"}),
    "handoffs": ("handoffs", {"from": "source", "to": "target"}),
}


class TeamForm(HandoverFields, DefinitionForm):
    kind = "team"
    description_help = gettext_lazy("People read it when they choose a team.")
    field_of = {"access": "access_groups"} | handover.FIELD_OF
    attribute_of = {"exists": "name", "run_as_forbidden": "agents"}
    plain = (
        "pattern",
        "starters",
        "overridable",
        "run_token_budget",
        "run_timeout",
    )

    pattern = forms.ChoiceField(
        label=gettext_lazy("Pattern"),
        initial=Pattern.SUPERVISOR,
        widget=AdminRadioSelect,
    )
    starters = LinesField(
        label=gettext_lazy("Starter prompts"),
        help_text=gettext_lazy(
            "One a line. The chat offers them when a conversation begins."
        ),
    )
    overridable = forms.MultipleChoiceField(
        label=gettext_lazy("A run may replace"),
        required=False,
        choices=Overridable.choices,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Team
        exclude = ("process",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in self.initial_of(self.instance).items():
            self.initial.setdefault(name, value)
        if "supervisor_agent" in self.fields:
            self._offer_agents()
        if "pattern" in self.fields:
            field: Any = self.fields["pattern"]
            field.choices = [
                (pattern.value, _explained(pattern)) for pattern in Pattern
            ]

    def _offer_agents(self) -> None:
        """Only leaders are offered to lead, but whoever is given gets the rule's own
        words."""
        rows = list(Agent.objects.live().values_list("pk", "name", "supervisor"))
        current = self.instance.supervisor_agent_id
        offered = [(pk, name) for pk, name, leads in rows if leads or pk == current]
        self.fields["supervisor_agent"].widget.choices = [("", "---------"), *offered]
        names = [(name, name) for _pk, name, _leads in rows]
        for field in handover.AGENT_FIELDS:
            # Who is named and gone stays until somebody takes it out.
            gone = set(self.initial.get(field) or ()) - {name for name, _n in names}
            choices = [*names, *((name, name) for name in sorted(gone))]
            if field in self.fields:
                self.fields[field].choices = choices  # type: ignore[attr-defined]

    def clean_starters(self) -> Any:
        try:
            return readers.starters("starters", self.cleaned_data["starters"])
        except Invalid as error:
            self.add_refusal(error)
            return []

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        leader, cost = given.get("supervisor_agent"), given.get("run_cost_budget")
        found = super().attributes() | {
            "supervisor_agent": leader.name if leader else None,
            "run_cost_budget": None if cost is None else str(cost),
            "access": {
                "everyone": given["access_everyone"],
                "groups": [group.name for group in given["access_groups"]],
            },
        }
        rows = rows_of(self.instance)
        if "members" in rows:
            found["agents"] = rows["members"].attributes()
        return found | self._handover(rows)

    def _handover(self, rows: dict[str, RowSet]) -> dict[str, Any]:
        """What a handoff team has. For another pattern only what was entered now, to
        be refused: what is left from before goes by itself."""
        given, start = self.cleaned_data, self.cleaned_data.get("start_agent")
        found = self.handover() | {"start_agent": start.name if start else None}
        if "handoffs" in rows:
            found["handoffs"] = rows["handoffs"].attributes()
        if given.get("pattern") == Pattern.HANDOFF:
            return found | {"return_to": given["return_to"]}
        changed = {handover.attribute_of(name) for name in self.changed_data}
        if "handoffs" in rows and rows["handoffs"].has_changed():
            changed.add("handoffs")
        return {name: value for name, value in found.items() if name in changed}

    def check_rules(self) -> None:
        errors = name_errors(self.instance)
        if errors:
            self.add_refusal(Invalid(errors))
        # Each row set is to say what is wrong with it.
        sound = [rows.is_valid() for rows in rows_of(self.instance).values()]
        if all(sound) and not errors:
            super().check_rules()

    def _add(self, attribute: str, message: str) -> None:
        first, _dot, place = attribute.partition(".")
        prefix, field_of = ROWS.get(first, ("", {}))
        rows = rows_of(self.instance).get(prefix)
        if rows is not None:
            rows.refuse(place, field_of, message)
            # The team is refused as a whole; its rows say why.
            return
        second = f"{first}.{place.partition('.')[0]}"
        known = second if second in self.field_of else first
        field = self.field_of.get(known, known)
        self.add_error(field if field in self.fields else None, message)


def _explained(pattern: Pattern) -> Any:
    return format_html("<strong>{}</strong>. {}", pattern.label, FITS[pattern])

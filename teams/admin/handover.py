"""The settings of a handoff team as plain form fields instead of JSON."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from teams.admin.parts import LinesField
from teams.models import Team
from teams.rules.handoff import CONDITIONS

CONDITION_WORDS = [
    ("", _("Nothing but a person")),
    ("contains", _("A text that contains")),
    ("regex", _("A text that matches the regular expression")),
    ("predicate", _("A registered predicate of the name")),
]
SCOPES = [
    ("last", _("in the last message")),
    ("any", _("in any message since the conversation was opened")),
]

# Where the refusal of an attribute, or of a part of one, is shown.
FIELD_OF = {
    "autonomous": "autonomous_on",
    "autonomous.agents": "autonomous_agents",
    "autonomous.turn_limit": "turn_limit",
    "autonomous.turn_limits": "turn_limits",
    "autonomous.prompt": "autonomous_prompt",
    "autonomous.prompts": "autonomous_prompts",
    "autonomous.max_handoffs": "max_handoffs",
    "termination": "ends_when",
    "termination.contains": "ends_text",
    "termination.regex": "ends_text",
    "termination.predicate": "ends_text",
    "termination.scope": "ends_scope",
    "outputs": "step_agents",
    "outputs.intermediate": "step_agents",
    "outputs.hidden": "hidden_agents",
}
AGENT_FIELDS = ("autonomous_agents", "step_agents", "hidden_agents")
AUTONOMOUS = (
    "autonomous_on",
    "autonomous_agents",
    "turn_limit",
    "autonomous_prompt",
    "max_handoffs",
    "turn_limits",
    "autonomous_prompts",
)
TERMINATION = (
    "ends_when",
    "ends_text",
    "ends_scope",
    "ends_ignore_case",
    "ends_include_user",
)
OUTPUTS = ("step_agents", "hidden_agents")


def attribute_of(field: str) -> str:
    """The attribute that a field is a part of; other fields are called like theirs."""
    parts = {"autonomous": AUTONOMOUS, "termination": TERMINATION, "outputs": OUTPUTS}
    return next((name for name, fields in parts.items() if field in fields), field)


def _agents(label: Any, text: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        help_text=text,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


class HandoverFields(forms.Form):
    """Mixed into the form of a team."""

    autonomous_on = forms.BooleanField(
        label=_("Agents go on by themselves"),
        required=False,
        help_text=_("After a reply without a handover, instead of waiting."),
    )
    autonomous_agents = _agents(
        _("Which agents"), _("None chosen: all. The others wait for the person.")
    )
    turn_limit = forms.IntegerField(
        label=_("Further turns at most"),
        required=False,
        min_value=0,
        help_text=_("Of each agent; then the person is asked. Empty: 50."),
    )
    autonomous_prompt = forms.CharField(
        label=_("What they are told"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "class": "vLargeTextField"}),
        help_text=_("Empty: that the person did not respond, and to go on."),
    )
    max_handoffs = forms.IntegerField(
        label=_("Handovers at most"),
        required=False,
        min_value=1,
        help_text=_("In one run. Empty: the site's ceiling."),
    )
    turn_limits = LinesField(
        label=_("Turns of single agents"),
        help_text=_("One a line, such as NAME: 5."),
    )
    autonomous_prompts = LinesField(
        label=_("What single agents are told"),
        help_text=_("One a line, such as NAME: Go on with the next item."),
    )
    ends_when = forms.ChoiceField(
        label=_("What ends it"), required=False, choices=CONDITION_WORDS
    )
    ends_text = forms.CharField(
        label=_("Text, expression or name"), required=False, max_length=1000
    )
    ends_scope = forms.ChoiceField(
        label=_("Looked for"), choices=SCOPES, required=False
    )
    ends_ignore_case = forms.BooleanField(
        label=_("Capital or small letters are the same"), required=False, initial=True
    )
    ends_include_user = forms.BooleanField(
        label=_("The person's messages count too"), required=False
    )
    step_agents = _agents(
        _("Texts that are steps"), _("Folded in the chat, and no answer.")
    )
    hidden_agents = _agents(
        _("Texts that are hidden"), _("The person does not see them.")
    )

    @staticmethod
    def initial_of(team: Team) -> dict[str, Any]:
        mode, condition = team.autonomous or {}, team.termination or {}
        outputs = team.outputs or {}
        kind = next((name for name in CONDITIONS if condition.get(name)), "")
        return {
            "autonomous_on": team.autonomous is not None,
            "autonomous_agents": mode.get("agents") or [],
            "turn_limit": mode.get("turn_limit", 50),
            "autonomous_prompt": mode.get("prompt") or "",
            "max_handoffs": mode.get("max_handoffs"),
            "turn_limits": _lines(mode.get("turn_limits")),
            "autonomous_prompts": _lines(mode.get("prompts")),
            "ends_when": kind,
            "ends_text": condition.get(kind, "") if kind else "",
            "ends_scope": condition.get("scope", "last"),
            "ends_ignore_case": condition.get("ignore_case", True),
            "ends_include_user": condition.get("include_user", False),
            "step_agents": outputs.get("intermediate") or [],
            "hidden_agents": outputs.get("hidden") or [],
        }

    def clean(self) -> dict[str, Any] | None:
        given = super().clean()
        found = self.cleaned_data
        if found.get("ends_text") and not found.get("ends_when"):
            self.add_error("ends_when", _("Choose what this text is."))
        elif found.get("ends_when") and not found.get("ends_text"):
            self.add_error("ends_text", _("Write what ends the conversation."))
        return given

    def handover(self) -> dict[str, Any]:
        """The attributes ``autonomous``, ``termination`` and ``outputs``."""
        given = self.cleaned_data
        return {
            "autonomous": _mode(given) if given.get("autonomous_on") else None,
            "termination": _condition(given) if given.get("ends_when") else None,
            "outputs": {
                "intermediate": given.get("step_agents") or [],
                "hidden": given.get("hidden_agents") or [],
            },
        }


def _lines(named: Any) -> list[str]:
    values = named.items() if isinstance(named, dict) else ()
    return [f"{name}: {value}" for name, value in values]


def _mode(given: dict[str, Any]) -> dict[str, Any]:
    limit = given.get("turn_limit")
    found = {
        "agents": given.get("autonomous_agents") or [],
        "turn_limit": 50 if limit is None else limit,
        "turn_limits": {
            name: _whole(text) for name, text in _named(given.get("turn_limits"))
        },
        "prompt": given.get("autonomous_prompt") or "",
        "prompts": dict(_named(given.get("autonomous_prompts"))),
        "max_handoffs": given.get("max_handoffs"),
    }
    return {name: value for name, value in found.items() if value or value == 0}


def _named(lines: Any) -> list[tuple[str, str]]:
    parted = [line.partition(":") for line in lines or ()]
    return [(name.strip(), text.strip()) for name, _colon, text in parted]


def _whole(text: str) -> Any:
    """The number, or the text as it is: the rules say that it is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else text


def _condition(given: dict[str, Any]) -> dict[str, Any]:
    return {
        given["ends_when"]: given["ends_text"],
        "scope": given.get("ends_scope") or "last",
        "ignore_case": given.get("ends_ignore_case", False),
        "include_user": given.get("ends_include_user", False),
    }

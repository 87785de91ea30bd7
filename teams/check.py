"""The team check: advice that warns and never refuses (S16). The rules that refuse
are in ``teams.validation``; what they would say is the first part of the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from teams.advice.base import ERROR, HINT, WARNING, Advice
from teams.advice.delegates import delegate_advice
from teams.advice.handover import handover_advice
from teams.advice.inputs import input_advice
from teams.advice.outside import mail_advice, model_advice
from teams.advice.parts import (
    idle_advice,
    input_use_advice,
    leader_advice,
    rule_advice,
    switch_advice,
    tool_advice,
)
from teams.advice.texts import text_advice
from teams.models import Team
from teams.rules.drafts import TeamParts
from teams.validation import parts_of

__all__ = ["ERROR", "HINT", "WARNING", "Advice", "check_team"]

SUBJECTS: tuple[Callable[[TeamParts], Iterator[Advice]], ...] = (
    rule_advice,
    switch_advice,
    leader_advice,
    handover_advice,
    delegate_advice,
    text_advice,
    input_advice,
    input_use_advice,
    tool_advice,
    idle_advice,
    model_advice,
    mail_advice,
)
ORDER = (ERROR, WARNING, HINT)


def check_team(team: Team) -> list[Advice]:
    """All advice on a team, errors first, each piece once."""
    parts = parts_of(team)
    found = dict.fromkeys(each for subject in SUBJECTS for each in subject(parts))
    return sorted(found, key=lambda each: ORDER.index(each.severity))

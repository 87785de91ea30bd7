"""What is said of a run beside its texts: how it was worked on, what the person is
told, and why it ended."""

from __future__ import annotations

from django.utils.translation import gettext as _

from conversations.error_texts import error_message
from conversations.models import Run


def modes(run: Run) -> list[str]:
    flags = ((run.read_only, _("Read-only")), (run.debug, _("Debug")))
    return [word for on, word in flags if on]


def notes_of(run: Run) -> list[str]:
    """What the person is told beside the answer (H8), and why it ended as it did."""
    notices = [
        error_message(notice["code"], notice.get("params")) for notice in run.notices
    ]
    return [*notices, *filter(None, [how_ended(run.ended_by)])]


def how_ended(code: str) -> str:
    """``ended_by`` of a run or a conversation in words; empty for an ordinary end."""
    kind, _separator, which = code.partition(":")
    if kind == "limit":
        return {
            "handoffs": _("The limit of handovers was reached: it is your turn."),
            "autonomous_turns": _("The limit of turns was reached: it is your turn."),
            "budget": _("The budget of the agent is used up: it is your turn."),
            "repeated_reply": _("The agent repeated itself: it is your turn."),
        }.get(which, _("A limit was reached: it is your turn."))
    if kind == "condition":
        return _by_condition(which)
    return {
        "user": _("Ended by its owner."),
        "operator": _("Ended by an operator."),
    }.get(code, "")


def _by_condition(which: str) -> str:
    """Which of the team's conditions has ended the conversation (H6)."""
    kind, _separator, name = which.partition(":")
    if kind == "predicate":
        text = _("The team's condition for the end was met: %(name)s.")
        return text % {"name": name}
    return {
        "contains": _("The team's condition for the end was met: a text contains it."),
        "regex": _("The team's condition for the end was met: a text matches it."),
    }.get(kind, _("The team's condition for the end was met."))

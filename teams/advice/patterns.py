"""Which pattern fits when (S16): said where a team is built."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from teams.choices import Pattern

FITS = {
    Pattern.SUPERVISOR: _(
        "A supervisor decides from request to request who works, and gives one answer: "
        "for requests of many kinds, or such that need several workers."
    ),
    Pattern.SEQUENTIAL: _(
        "A fixed order always takes the same steps, each with the result of one "
        "before; with one agent alone, it is how you talk to that agent."
    ),
    Pattern.HANDOFF: _(
        "With handover, agents pass the conversation itself on: for long talks in "
        "which one specialist after the other speaks with the person."
    ),
}

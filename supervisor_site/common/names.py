"""Names of objects: identifiers in any script, and what a model sees of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

NAME_MAX_LENGTH = 125
FUNCTION_NAME_MAX_LENGTH = 64


def normal_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def name_key(name: str) -> str:
    """What makes a name unique: its compatibility form without case."""
    return normal_name(normal_name(name).casefold())


def validate_name(name: str) -> None:
    """Letters and marks of any script, digits, ``_`` and ``-``; at most 125."""
    if not name:
        raise ValidationError(_("A name is needed."))
    if len(name) > NAME_MAX_LENGTH:
        raise ValidationError(
            _("The name has %(length)d characters; at most %(limit)d are allowed.")
            % {"length": len(name), "limit": NAME_MAX_LENGTH}
        )
    wrong = sorted(
        {c for c in name if not (c in "_-" or unicodedata.category(c)[0] in "LMN")}
    )
    if wrong:
        raise ValidationError(
            _("A name has letters, digits, “_” and “-” only; remove: %(wrong)s")
            % {"wrong": " ".join(repr(c) if c.isspace() else c for c in wrong)}
        )


def function_name(name: str, *, prefix: str = "", taken: Iterable[str] = ()) -> str:
    """The name a model sees: ASCII, at most 64, unlike all of ``taken``.

    A name of another script keeps what is ASCII in it and gets a number; the
    model reads the real name in the description.
    """
    used = set(taken)
    ascii_part = re.sub(
        r"[^A-Za-z0-9_-]+", "_", unicodedata.normalize("NFKD", name)
    ).strip("_")
    stem = f"{prefix}{ascii_part or 'tool'}"[:FUNCTION_NAME_MAX_LENGTH]
    if not stem[0].isalpha() and stem[0] != "_":
        stem = f"_{stem}"[:FUNCTION_NAME_MAX_LENGTH]
    candidate, number = stem, 1
    while candidate in used:
        number += 1
        ending = f"_{number}"
        candidate = stem[: FUNCTION_NAME_MAX_LENGTH - len(ending)] + ending
    return candidate

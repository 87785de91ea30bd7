"""Readers of single values: each takes where the value stands and the value.

They answer what is stored and raise ``Invalid`` for the place otherwise. JSON types
are taken at their word: ``"5"`` is no number and ``1`` is not true.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid, invalid
from supervisor_site.common.names import NAME_MAX_LENGTH
from teams.rules.objects import TEXT_MAX, json_problem

Reader = Callable[[str, Any], Any]

LIST_MAX = 200
STARTERS_MAX = 10
STARTER_LENGTH = 500


def text(field: str, value: Any) -> str:
    """A text; null is the empty one."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise invalid(field, _("Give a text."))
    if len(value) > TEXT_MAX:
        raise invalid(
            field,
            _("Shorten it to %(limit)d characters at most.") % {"limit": TEXT_MAX},
        )
    if problem := json_problem(value):
        raise invalid(field, problem)
    return value


def line(field: str, value: Any) -> str:
    """A text without blanks around it."""
    return text(field, value).strip()


def name(field: str, value: Any) -> str:
    """The name of an object, not yet checked for its alphabet."""
    given = line(field, value)
    if not given:
        raise invalid(field, _("Give a name."))
    if len(given) > NAME_MAX_LENGTH * 4:
        raise invalid(
            field,
            _("Shorten the name to %(limit)d characters at most.")
            % {"limit": NAME_MAX_LENGTH},
        )
    return given


def flag(field: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise invalid(field, _("Give true or false."))
    return value


def flag_or_null(field: str, value: Any) -> bool | None:
    return None if value is None else flag(field, value)


def number(field: str, value: Any) -> int:
    """A whole number; the field's own validators know its range."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise invalid(field, _("Give a whole number."))
    if not 0 <= value < 2**31:
        raise invalid(field, _("Give a number from 0 to 2147483647."))
    return value


def number_or_null(field: str, value: Any) -> int | None:
    return None if value is None else number(field, value)


def price_or_null(field: str, value: Any) -> Decimal | None:
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise InvalidOperation
        price = Decimal(str(value).strip())
    except InvalidOperation as error:
        raise invalid(field, _("Give a number, such as 0.15, or null.")) from error
    if not price.is_finite():
        raise invalid(field, _("Give a number, such as 0.15, or null."))
    return price


def one_of(choices: Collection[str], *, upper: bool = False) -> Reader:
    """A reader of a closed set; ``upper`` takes small letters as well."""

    def read(field: str, value: Any) -> str:
        given = line(field, value)
        given = given.upper() if upper else given
        if given not in choices:
            raise invalid(
                field,
                _("“%(value)s” is not supported; choose one of: %(known)s.")
                % {"value": given[:50], "known": ", ".join(choices)},
            )
        return given

    return read


def as_given(field: str, value: Any) -> Any:
    """A JSON value; the rules of its object say what it may be."""
    if problem := json_problem(value):
        raise invalid(field, problem)
    return value


def json_object(field: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise invalid(field, _("Give a JSON object, such as {}."))
    given: dict[str, Any] = as_given(field, value)
    return given


def json_object_or_null(field: str, value: Any) -> dict[str, Any] | None:
    return None if value is None else json_object(field, value)


def as_given_or_null(field: str, value: Any) -> Any:
    return None if value is None else as_given(field, value)


def some_of(choices: Collection[str]) -> Reader:
    """A reader of a list from a closed set, each entry once."""

    def read(field: str, value: Any) -> list[str]:
        return list(dict.fromkeys(list_of(one_of(choices), field, value)))

    return read


def list_of(read: Reader, field: str, value: Any) -> list[Any]:
    """Each entry read for itself, so that one answer names all that is wrong."""
    if not isinstance(value, list):
        raise invalid(field, _("Give a list, such as []."))
    if len(value) > LIST_MAX:
        raise invalid(field, _("Give at most %(limit)d entries.") % {"limit": LIST_MAX})
    found: list[Any] = []
    errors: list[FieldError] = []
    for position, entry in enumerate(value):
        try:
            found.append(read(f"{field}.{position}", entry))
        except Invalid as error:
            errors.extend(error.errors)
    if errors:
        raise Invalid(errors)
    return found


def starters(field: str, value: Any) -> list[str]:
    """Prompts that the chat offers for a new conversation."""
    prompts: list[str] = list_of(line, field, value)
    if len(prompts) > STARTERS_MAX:
        raise invalid(
            field, _("Give at most %(limit)d prompts.") % {"limit": STARTERS_MAX}
        )
    for position, prompt in enumerate(prompts):
        if not 0 < len(prompt) <= STARTER_LENGTH:
            raise invalid(
                f"{field}.{position}",
                _("Give a prompt of 1 to %(limit)d characters.")
                % {"limit": STARTER_LENGTH},
            )
    return prompts

"""Errors that people and programs get: each says who must act, and what to change.

Services raise them; the REST API turns them into problem+json, views into a
message beside the field, commands into a line on standard error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldError:
    """One refused value: ``field`` is a path such as ``agents.1.task``."""

    field: str
    message: str


class AppError(Exception):
    """A request that cannot be done as asked; nothing was changed.

    ``code`` is stable and listed in docs/api.md, ``status`` the HTTP status,
    ``message`` a translated sentence for a person, ``extra`` further members
    of the problem object (for example the run that is in the way).
    """

    status = 400
    code = "bad_request"

    def __init__(self, message: str, *, code: str = "", **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.extra = extra


class NotFound(AppError):
    """No such object, or not one that this person may see: the same answer."""

    status = 404
    code = "not_found"


class Forbidden(AppError):
    """The person sees the object but lacks the right for this action."""

    status = 403
    code = "forbidden"


class Conflict(AppError):
    """Not now: the object's state does not allow it. Trying again later may work."""

    status = 409
    code = "conflict"


class Invalid(AppError):
    """Refused values, one error a field."""

    status = 422
    code = "invalid"

    def __init__(
        self,
        errors: Iterable[FieldError],
        *,
        message: str = "",
        code: str = "",
        **extra: Any,
    ) -> None:
        self.errors = tuple(errors)
        text = message or " ".join(error.message for error in self.errors)
        super().__init__(text, code=code, **extra)


def invalid(field: str, message: str, *, code: str = "") -> Invalid:
    return Invalid([FieldError(field, message)], code=code)

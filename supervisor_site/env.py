"""Strict readers of the environment: a bad value stops the start with its name."""

from __future__ import annotations

import os
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def env_text(name: str, default: str = "") -> str:
    """The variable's text, trimmed; ``default`` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool) -> bool:
    value = env_text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")


def env_int(name: str, default: int, *, at_least: int = 1) -> int:
    value = env_text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be a whole number, not {value!r}."
        ) from None
    if number < at_least:
        raise ImproperlyConfigured(f"{name} must be at least {at_least}, not {number}.")
    return number


def env_list(name: str, default: Sequence[str] = ()) -> list[str]:
    """A comma-separated list, empty parts left out."""
    value = env_text(name)
    if not value:
        return list(default)
    return [part.strip() for part in value.split(",") if part.strip()]


def env_choice(name: str, default: str, choices: Sequence[str]) -> str:
    value = env_text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(
            f"{name} must be one of {', '.join(choices)}, not {value!r}."
        )
    return value

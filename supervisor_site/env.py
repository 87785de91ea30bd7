"""Strict readers of the environment: a bad value stops the start with its name and why.

A value that may hold a secret is never repeated in the message.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import dj_email_url
from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}

HOST = re.compile(r"(\*\.|\.)?[^\s/:*@\[\]]+|\[[0-9a-fA-F:.]+\]|\*")
HOST_AND_PORT = re.compile(r"((\*\.)?[^\s/:*@\[\]]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?")


def bad(name: str, why: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} {why}")


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
    raise bad(name, f"must be true or false, not {value!r}.")


def env_int(name: str, default: int, *, at_least: int = 1, at_most: int = 0) -> int:
    """A whole number from ``at_least`` to ``at_most`` (0: no upper bound)."""
    value = env_text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise bad(name, f"must be a whole number, not {value!r}.") from None
    if number < at_least:
        raise bad(name, f"must be at least {at_least}, not {number}.")
    if at_most and number > at_most:
        raise bad(name, f"must be at most {at_most}, not {number}.")
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
        raise bad(name, f"must be one of {', '.join(choices)}, not {value!r}.")
    return value


def env_url(name: str, default: str, schemes: Sequence[str]) -> str:
    """An address with one of the schemes; a web address without a slash at its end.

    A user and password inside are allowed where the scheme is not a web one
    (Redis takes them there); the message names neither.
    """
    value = env_text(name, default)
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError as error:
        raise bad(name, f"is not an address: {error}") from None
    if parts.scheme not in schemes:
        wanted = " or ".join(f"{scheme}://" for scheme in schemes)
        raise bad(name, f"must start with {wanted}")
    if not parts.hostname and parts.scheme not in {"unix", "memory"}:
        raise bad(name, "names no host.")
    if parts.scheme in {"http", "https"}:
        if parts.username is not None:
            raise bad(name, "must not hold a user name or password.")
        if parts.query or parts.fragment:
            raise bad(name, "must end with its path: no '?' and no '#'.")
        return value.rstrip("/")
    return value


def env_hosts(name: str, default: Sequence[str] = (), *, ports: bool) -> list[str]:
    """Host names as they stand in an address: no scheme, no path."""
    hosts = env_list(name, default)
    pattern = HOST_AND_PORT if ports else HOST
    for host in hosts:
        if not pattern.fullmatch(host):
            like = "example.com, *.example.com or example.com:8443" if ports else ""
            raise bad(
                name,
                f"holds {host!r}: a host looks like {like or 'example.com'}, "
                "without scheme and path.",
            )
    return hosts


def env_key(name: str) -> str:
    """A credential sent in a header: printable ASCII without spaces."""
    value = env_text(name)
    if value and not re.fullmatch(r"[\x21-\x7e]+", value):
        raise bad(name, "holds a space, a line break or a letter outside ASCII.")
    return value


def env_fernet_keys(name: str) -> list[str]:
    keys = env_list(name)
    for place, key in enumerate(keys, start=1):
        if not is_fernet_key(key):
            raise bad(
                name,
                f"holds no Fernet key at place {place}: a key is 32 bytes in "
                "URL-safe base64, as Fernet.generate_key() makes it.",
            )
    return keys


def is_fernet_key(key: str) -> bool:
    """Checked by hand: loading the library costs each process memory and time that
    most never use."""
    try:
        return len(base64.b64decode(key, altchars=b"-_", validate=True)) == 32
    except ValueError:
        return False


def env_email(name: str, default: str) -> dict[str, Any]:
    """Django's EMAIL_… settings for an address such as submission://user:pw@host."""
    value = env_text(name, default)
    try:
        config: dict[str, Any] = dict(dj_email_url.parse(value))
    except ValueError as error:
        raise bad(name, f"cannot be read: {error}") from None
    if "EMAIL_BACKEND" not in config:
        known = ", ".join(sorted(dj_email_url.SCHEMES))
        raise bad(name, f"has no known scheme; known are {known}.")
    return config

"""Secrets at rest: encrypted with the newest key, readable with any listed one.

The library is loaded when the first secret is written or read: it is large, and most
processes never meet one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


class SecretUnreadable(Exception):
    """The stored secret was encrypted with a key that is no longer listed."""


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(f"FIELD_ENCRYPTION_KEYS: {error}") from error


def _current() -> MultiFernet:
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS))


def encrypt(secret: str) -> str:
    return _current().encrypt(secret.encode()).decode() if secret else ""


def decrypt(token: str) -> str:
    if not token:
        return ""
    from cryptography.fernet import InvalidToken

    try:
        return _current().decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise SecretUnreadable from error


def rotate(token: str) -> str:
    """The same secret under the newest key."""
    if not token:
        return ""
    from cryptography.fernet import InvalidToken

    try:
        return _current().rotate(token.encode()).decode()
    except InvalidToken as error:
        raise SecretUnreadable from error

"""The secrets of development mode: made once, kept in ``var/secrets.json`` (0600)."""

from __future__ import annotations

import base64
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import TypedDict


class Secrets(TypedDict):
    secret_key: str
    encryption_key: str
    demo_password: str


def make_secrets() -> Secrets:
    return {
        "secret_key": secrets.token_urlsafe(50),
        # A Fernet key, made by hand: 32 bytes in URL-safe base64.
        "encryption_key": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "demo_password": secrets.token_urlsafe(9),
    }


def development_secrets(path: Path) -> Secrets:
    """Read the file, or make it. Two processes that start at once agree on one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # The draft is readable by its owner alone from its first byte on.
        handle, draft = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        with os.fdopen(handle, "w") as file:
            json.dump(make_secrets(), file)
        try:
            # Linking fails where another process was first; its file then counts.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    loaded: Secrets = json.loads(path.read_text())
    return loaded

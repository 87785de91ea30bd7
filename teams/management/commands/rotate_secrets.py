"""``rotate_secrets``: encrypt every stored key anew with the newest encryption key."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from teams.services.secrets import rotate_secrets


class Command(BaseCommand):
    help = (
        "Encrypt the stored keys anew with the first of FIELD_ENCRYPTION_KEYS, so "
        "that the others can be taken out of it."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = rotate_secrets()
        noun = "secret is" if done == 1 else "secrets are"
        self.stdout.write(f"{done} {noun} encrypted with the newest key.")
        if unreadable:
            self.stderr.write(
                "No listed key reads the secret of: "
                + ", ".join(unreadable)
                + ". List the key it was encrypted with, or give a new API key."
            )
            sys.exit(1)

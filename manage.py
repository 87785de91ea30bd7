#!/usr/bin/env python
"""Django's command line for Supervisor Site."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "supervisor_site.settings")
    try:
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit(
            "Django is not installed here: run `make install`, then .venv/bin/python."
        )
    try:
        settings.DEBUG  # noqa: B018 - the first access reads the environment
    except ImproperlyConfigured as error:
        sys.exit(f"Cannot start: {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

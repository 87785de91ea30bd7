"""Settings of a product process that tests start: the product's own, and slow tools."""

from __future__ import annotations

from supervisor_site.settings import *  # noqa: F403
from supervisor_site.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.support.slow_tools"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

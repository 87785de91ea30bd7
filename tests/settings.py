"""Settings of the tests: the product's own, on a database of their own, no network."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("DEBUG", "true")
_folder = Path(
    os.environ.get("TEST_FOLDER") or tempfile.mkdtemp(prefix="supervisor-tests-")
)
os.environ.setdefault("DATABASE_URL", f"sqlite:///{_folder / 'db.sqlite3'}")
for _name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "EMAIL_URL"):
    os.environ.pop(_name, None)

from supervisor_site.settings import *  # noqa: E402, F403
from supervisor_site.settings import DATABASES  # noqa: E402

if "sqlite" in DATABASES["default"]["ENGINE"]:
    # A file, so that threads and other processes see the same rows.
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# Tool and profile hosts: the scripted model server listens on loopback.
TOOL_ALLOWED_HOSTS = ["127.0.0.1"]

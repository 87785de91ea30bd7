"""The Celery app, for ``RUN_DISPATCHER=celery``: workers run with ``-P threads``."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "supervisor_site.settings")

app = Celery("supervisor_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

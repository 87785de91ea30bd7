"""The product on PostgreSQL, as another process sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.services


def manage(url: str, *arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "supervisor_site.settings",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_all_migrations_run_and_leave_nothing_open(postgres_url: str) -> None:
    manage(postgres_url, "migrate", "--verbosity", "0")

    assert "[ ]" not in manage(postgres_url, "showmigrations")
    with psycopg.connect(postgres_url) as connection:
        rows = connection.execute(
            "SELECT indexdef FROM pg_indexes WHERE tablename = 'conversations_run'"
        ).fetchall()
    # One run at work a conversation: the rule is the database's own.
    assert any("UNIQUE" in row[0] and "WHERE" in row[0] for row in rows)

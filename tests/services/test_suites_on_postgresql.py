"""The engine, the rules and the tool threads keep their promises on PostgreSQL too.

The same tests as on SQLite, once more in a process of their own with that database;
what speaks of PostgreSQL only runs here and nowhere else.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.product import ROOT

pytestmark = [pytest.mark.services, pytest.mark.timeout(900)]


@pytest.mark.parametrize(
    "suite",
    [
        "tests/conversations/engine",
        "tests/conversations/services",
        "tests/teams/services",
        "tests/teams/toolbox/test_workers.py",
    ],
)
def test_the_suite_passes_on_postgresql(suite: str, postgres_url: str) -> None:
    # A worker of the outer run must not lend its name to the inner one.
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(  # noqa: PLW1510 - the assertion shows what it printed
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", suite],
        cwd=ROOT,
        env={**inherited, "DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
        timeout=880,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "speaks of PostgreSQL" not in done.stdout

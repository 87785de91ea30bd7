"""docs/api.md names every code that the API can answer with."""

from __future__ import annotations

import re

import pytest

from conversations import error_texts
from tests.support.product import ROOT

DOCUMENTED = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs/api.md").read_text()))
# What is raised by name; a code is also the second argument of problem().
RAISED = re.compile(r'(?:\bcode(?:: str)? ?= ?|problem\(\s*\d+, )"([a-z_]+)"')
# Advice of the team check and stored codes have tables of their own.
ELSEWHERE = {"check.py", "migrations", "advice"}


def raised() -> dict[str, str]:
    found: dict[str, str] = {}
    for app in ("conversations", "teams", "supervisor_site"):
        for path in sorted((ROOT / app).rglob("*.py")):
            if not ELSEWHERE & set(path.parts):
                for code in RAISED.findall(path.read_text()):
                    found.setdefault(code, str(path.relative_to(ROOT)))
    return found


def test_every_code_of_a_problem_is_documented() -> None:
    missing = {code: path for code, path in raised().items() if code not in DOCUMENTED}
    assert missing == {}


@pytest.mark.parametrize("code", sorted(error_texts._TEXTS))
def test_every_stored_code_is_documented(code: str) -> None:
    if not code.startswith("active_agent_"):  # notices, not errors
        assert code in DOCUMENTED

"""The rules must not have seen the teams they are shown with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import teams.providers.rehearsal

# Of the demo team, and of the teams made for these tests.
DOMAINS = re.compile(
    r"\b(?:accounts?|payments?|customers?|plans?|invoices?|support|subscriptions?"
    r"|rooms?|cater\w*|lunch|tickets?|repairs?|kitchen|technicians?|projector"
    r"|holidays?|employees?|loans?|readers?|refunds?|revenue|sellers?|tutors?"
    r"|homework|derivatives?|wars?|plants?|flowers?|tours?|stocks?|warehouses?"
    r"|suppliers?|handbooks?|samples?)\b|假期|借阅|员工|读者|续借|图书",
    re.IGNORECASE,
)
PACKAGE = Path(teams.providers.rehearsal.__file__).parent


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda p: p.name)
def test_no_rule_speaks_of_a_domain(path: Path) -> None:
    assert DOMAINS.findall(path.read_text().replace("_", " ")) == []


def test_the_words_are_looked_for() -> None:
    assert DOMAINS.findall("list payments of Customer 假期") == [
        "payments",
        "Customer",
        "假期",
    ]

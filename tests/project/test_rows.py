"""What ``docs/rows.md`` names as proof is there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.product import ROOT

NAMED = re.compile(r"`([\w/]+/(?:\w+\.py)?)(?:::(\w+))?`")


def place(path: str) -> Path:
    inside = path.removeprefix("tests/")
    if inside.startswith("engine/"):
        inside = f"conversations/{inside}"
    return ROOT / "tests" / inside


def is_there(path: str, test: str) -> bool:
    file = place(path)
    return file.exists() and (not test or f"def {test}(" in file.read_text())


def test_every_test_that_is_named_as_proof_exists() -> None:
    named = NAMED.findall((ROOT / "docs" / "rows.md").read_text())
    assert len(named) > 150
    assert [each for each in named if not is_there(*each)] == []

"""The README, the example and the code name the same variables and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
# Read by servers themselves; SERVER_PROCESSES stands for it in the example.
FOREIGN = {"WEB_CONCURRENCY"}


def variables() -> set[str]:
    read: set[str] = set()
    for name in ("settings.py", "database.py"):
        code = (ROOT / "supervisor_site" / name).read_text()
        read |= set(re.findall(r'env_\w+\(\s*"([A-Z_]+)"', code))
    return read


def test_the_readme_lists_every_variable_and_no_other() -> None:
    section = README.split("## Environment", 1)[1]
    table = re.findall(r"^\| `([A-Z_]+)` \|", section, re.MULTILINE)

    assert sorted(table) == sorted(variables() - FOREIGN)


def test_the_example_names_every_variable_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text()
    named = re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)

    assert sorted(named) == sorted(variables() - FOREIGN)


def test_the_readme_begins_with_the_two_commands() -> None:
    assert "`make demo`" in README
    assert README.index("`make demo`") < README.index("`make test`")
    assert README.index("`make test`") < 1500


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_to_files_that_exist(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
        assert (document.parent / target).exists(), target


def test_the_decisions_are_all_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\((\d{4}-[^)]+\.md)\)", (folder / "README.md").read_text())

    assert sorted(listed) == sorted(path.name for path in folder.glob("0*.md"))

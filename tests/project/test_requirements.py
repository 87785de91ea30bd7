"""The pinned files: exact versions, hashes, one set, no registry named."""

from __future__ import annotations

import re
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ["requirements.txt", "requirements-test.txt", "requirements-dev.txt"]
PIN = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?==([^\s;\\]+)(.*)$", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text()
    return {match[1].lower(): match[2] for match in PIN.finditer(text)}


def asked_for(name: str) -> list[str]:
    asked = (ROOT / name.replace(".txt", ".in")).read_text().splitlines()
    names = [re.split(r"[\[<>=!~ ]", line)[0].lower() for line in asked if line]
    return [each for each in names if each != "-r"]


@pytest.mark.parametrize("name", FILES)
def test_every_line_is_a_pin_with_hashes(name: str) -> None:
    text = (ROOT / name).read_text().replace("\\\n", " ")

    for line in text.splitlines():
        assert re.match(r"[a-z0-9][A-Za-z0-9_.\[\],-]*==\S+ ", line), line
        assert "--hash=sha256:" in line, line


@pytest.mark.parametrize("name", FILES)
def test_no_registry_is_named(name: str) -> None:
    text = (ROOT / name).read_text()

    assert "index-url" not in text
    assert "find-links" not in text
    assert "://" not in text


def test_the_files_hold_the_same_versions_each_more_than_the_one_before() -> None:
    demo, test, dev = (pins(name) for name in FILES)

    assert demo
    assert demo.items() < test.items()
    assert test.items() < dev.items()


@pytest.mark.parametrize("name", FILES)
def test_what_is_asked_for_is_pinned(name: str) -> None:
    assert set(asked_for(name)) <= pins(name).keys()


def test_every_library_that_is_asked_for_is_used() -> None:
    modules: dict[str, list[str]] = {}
    for module, owners in packages_distributions().items():
        for owner in owners:
            modules.setdefault(owner.lower().replace("_", "-"), []).append(module)
    code = "\n".join(
        path.read_text()
        for app in ("supervisor_site", "teams", "conversations")
        for path in (ROOT / app).rglob("*.py")
    )

    unused = [
        name
        for name in asked_for("requirements.txt")
        if not any(
            re.search(rf"""(?:import |from |["']){re.escape(module)}\b""", code)
            for module in modules[name]
        )
    ]

    # Django's own backend loads it.
    assert unused == ["psycopg"]

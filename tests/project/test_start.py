"""What a person sees at the terminal when the start cannot go on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_bad_variable_ends_the_command_with_one_line() -> None:
    ended = run(
        sys.executable,
        "manage.py",
        "check",
        RUN_THREADS="many",
        DJANGO_SETTINGS_MODULE="supervisor_site.settings",
    )

    assert ended.returncode == 1
    assert (
        ended.stderr
        == "Cannot start: RUN_THREADS must be a whole number, not 'many'.\n"
    )


def fake_python(folder: Path, *, version: str, has_venv: bool) -> None:
    """A Python of that version, as far as the installer asks."""
    body = f"""#!/bin/sh
case "$*" in
  *version_info*) [ "{version}" = new ] ;;
  *ensurepip*) [ "{has_venv}" = True ] ;;
  --version) echo "Python {version}" ;;
esac
"""
    for name in ("python3.13", "python3.12", "python3.11", "python3", "python"):
        (folder / name).write_text(body)
        (folder / name).chmod(0o755)


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A folder of programs with a shell and no Python."""
    for name in ("sh", "make"):
        found = shutil.which(name)
        assert found, f"{name} is missing"
        (tmp_path / name).symlink_to(found)
    return tmp_path


def install(path: Path) -> subprocess.CompletedProcess[str]:
    return run(
        "scripts/install",
        "requirements.txt",
        PATH=str(path),
        VENV=str(path / "venv"),
        PYTHON="",
    )


def test_a_machine_without_python_is_told_what_to_install(bare_path: Path) -> None:
    ended = install(bare_path)

    assert ended.returncode == 1
    assert "Python 3.11 or newer is needed" in ended.stderr


def test_a_python_that_is_too_old_counts_as_none(bare_path: Path) -> None:
    fake_python(bare_path, version="old", has_venv=True)

    ended = install(bare_path)

    assert ended.returncode == 1
    assert "Python 3.11 or newer is needed" in ended.stderr


def test_a_python_without_venv_is_told_which_package_has_it(bare_path: Path) -> None:
    fake_python(bare_path, version="new", has_venv=False)

    ended = install(bare_path)

    assert ended.returncode == 1
    assert "apt install python3-venv" in ended.stderr


def test_make_alone_lists_the_targets() -> None:
    listed = run("make").stdout

    for target in ("demo", "test", "check", "bench", "soak", "install", "format"):
        assert f"make {target} " in listed

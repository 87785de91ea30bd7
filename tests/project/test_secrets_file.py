"""The secrets of development: made once, readable by their owner alone."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from supervisor_site.secrets_file import Secrets, development_secrets


def test_they_are_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secrets.json"

    first = development_secrets(path)

    assert development_secrets(path) == first
    assert json.loads(path.read_text()) == first


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"

    development_secrets(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_that_start_at_once_agree(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    gate = threading.Barrier(8)
    seen: list[Secrets] = []

    def start() -> None:
        gate.wait()
        seen.append(development_secrets(path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(seen) == 8
    assert all(secrets == seen[0] for secrets in seen)
    assert list(tmp_path.iterdir()) == [path]

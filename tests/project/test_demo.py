"""The demo in one command, as a person at a terminal sees it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 90


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    database = tmp_path_factory.mktemp("demo") / "db.sqlite3"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "supervisor_site.settings",
        "DATABASE_URL": f"sqlite:///{database}",
        "DEMO_PASSWORD": "a-password-for-tests",
        "PYTHONUNBUFFERED": "1",
    }


def command(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", "demo", *arguments]


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            code: int = answer.status
            return code
    except urllib.error.HTTPError as error:
        return error.code


def prepared(environment: dict[str, str], **variables: str) -> str:
    return subprocess.run(
        command("--no-serve"),
        cwd=ROOT,
        env={**environment, **variables},
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS,
        check=True,
    ).stdout


def test_it_says_model_and_log_ins_each_time(environment: dict[str, str]) -> None:
    first = prepared(environment)

    assert "Model:   rehearsal (offline" in first
    for name in ("admin", "agent", "alice"):
        assert re.search(rf"\b{name}\b", first)
    assert "password for each: a-password-for-tests" in first
    assert prepared(environment) == first


def test_it_names_the_model_server_and_not_its_key(
    environment: dict[str, str],
) -> None:
    said = prepared(
        environment,
        OPENAI_BASE_URL="http://127.0.0.1:11434/v1",
        OPENAI_API_KEY="sk-hush",
        OPENAI_MODEL="qwen3",
    )

    assert "Model:   qwen3 at http://127.0.0.1:11434/v1, with a key" in said
    assert "sk-hush" not in said


def test_it_serves_until_ctrl_c(environment: dict[str, str], port: int) -> None:
    with subprocess.Popen(
        command("--port", str(port)),
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout
        lines = []
        for line in server.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        assert f"Serving http://127.0.0.1:{port}/" in lines[-1]
        assert status(f"http://127.0.0.1:{port}/healthz") == 200
        assert status(f"http://127.0.0.1:{port}/accounts/login/") == 200

        server.send_signal(signal.SIGINT)
        asked = time.monotonic()
        rest = server.stdout.read()

        assert server.wait(SECONDS) == 0
        # Five seconds on a machine of one's own; tests share theirs.
        assert time.monotonic() - asked < 15
    assert rest == ""


def test_a_port_that_is_taken_is_said_before_anything_else(
    environment: dict[str, str],
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]

        ended = subprocess.run(
            command("--port", str(taken)),
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    assert ended.returncode == 1
    assert f"Port {taken} cannot be used" in ended.stderr
    assert f"PORT={taken + 1}" in ended.stderr
    assert ended.stdout == ""

"""The product in processes of its own: started, asked over HTTP, killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

TOKEN_SCRIPT = """
from django.contrib.auth.models import User
from django.test import Client
from teams.models import ApiToken
admin = User.objects.get(username="admin")
client = Client()
client.force_login(admin)
print("TOKEN", ApiToken.issue(user=admin, name="t")[1])
print("SESSION", client.cookies["sessionid"].value)
"""
ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


@dataclass
class Process:
    """A program of the product, with its output in a file; killed, paused, ended."""

    name: str
    command: list[str]
    environment: dict[str, str]
    folder: Path
    popen: subprocess.Popen[bytes] | None = None

    @property
    def log_file(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        with self.log_file.open("ab") as log:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", *self.command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    @property
    def alive(self) -> bool:
        return self.popen is not None and self.popen.poll() is None

    def send(self, number: signal.Signals) -> None:
        assert self.popen is not None
        self.popen.send_signal(number)

    def kill(self) -> None:
        """SIGKILL: nothing is cleaned up."""
        if self.alive and self.popen is not None:
            self.send(signal.SIGKILL)
            self.popen.wait(10)

    def stop(
        self, number: signal.Signals = signal.SIGINT, seconds: float = 20
    ) -> float:
        """End it by a signal; returns the seconds it took."""
        if not self.alive or self.popen is None:
            return 0.0
        started = time.monotonic()
        self.send(number)
        try:
            self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            raise
        return time.monotonic() - started

    def log(self) -> str:
        return self.log_file.read_text() if self.log_file.exists() else ""


@dataclass
class Product:
    """One installation: a folder with its database, and a server process or none."""

    folder: Path
    model_url: str = ""
    port: int = field(default_factory=free_port)
    settings: dict[str, str] = field(default_factory=dict)
    server: Process | None = None
    token: str = ""
    session: str = ""
    name: str = "server"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def effects(self) -> list[str]:
        path = self.folder / "effects"
        return path.read_text().splitlines() if path.exists() else []

    def open_gate(self) -> None:
        (self.folder / "effects.gate").touch()

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.product_settings",
            "DEBUG": "true",
            "DATABASE_URL": f"sqlite:///{self.folder / 'db.sqlite3'}",
            "OPENAI_BASE_URL": self.model_url,
            "OPENAI_API_KEY": "sk-test" if self.model_url else "",
            "EMAIL_URL": f"file:///{self.folder}/mails",
            "EFFECTS_FILE": str(self.folder / "effects"),
            "TOOL_ALLOWED_HOSTS": "127.0.0.1",
            "DEMO_PASSWORD": "demo-password",
            "PYTHONUNBUFFERED": "1",
            **self.settings,
        }

    def manage(self, *args: str, stdin: str = "", check: bool = True) -> str:
        done = subprocess.run(  # noqa: PLW1510 - the assertion shows what it printed
            [sys.executable, "manage.py", *args],
            cwd=ROOT,
            env=self.environment(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def set_up(self) -> None:
        """Migrate, load the demo, make a token for ``admin``."""
        self.manage("migrate", "-v0")
        self.manage("seed_demo")
        out = self.manage("shell", "-v0", "-c", TOKEN_SCRIPT)
        self.token = out.split("TOKEN", 1)[1].split()[0]
        self.session = out.split("SESSION", 1)[1].split()[0]

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = ["uvicorn", "supervisor_site.asgi:application"]
        command += ["--port", str(self.port), "--lifespan", "on"]
        command += ["--log-level", "warning", "--timeout-graceful-shutdown", "3"]
        self.server = self.process(self.name, *command)
        self.server.start()
        self.wait_for(self.answers, 90)

    def process(self, name: str, *command: str, **settings: str) -> Process:
        # The database's own list of connections names the process.
        environment = {**self.environment(), "PGAPPNAME": name, **settings}
        return Process(name, list(command), environment, self.folder)

    def answers(self) -> bool:
        assert self.server is not None
        assert self.server.alive, self.server.log()
        try:
            return httpx2.get(f"{self.url}/healthz").status_code == 200
        except httpx2.TransportError:
            return False

    def kill(self) -> None:
        """SIGKILL: nothing is cleaned up."""
        assert self.server is not None
        self.server.kill()

    def stop(self) -> float:
        """Ctrl-C; returns the seconds it took."""
        return self.server.stop() if self.server else 0.0

    def call(self, method: str, path: str, body: Any = None, status: int = 0) -> Any:
        """One REST call as ``admin``; fails on another status than the one named."""
        answer = httpx2.request(
            method,
            f"{self.url}/api{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=70,
        )
        if status:
            assert answer.status_code == status, answer.text
        else:
            assert answer.is_success, f"{answer.status_code}: {answer.text}"
        return answer.json() if answer.content else None

    def run(self, run_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("GET", f"/runs/{run_id}")
        return found

    def wait_for(self, condition: Callable[[], Any], seconds: float) -> Any:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"not within {seconds} s: {self.log()}")

    def wait_for_state(
        self, run_id: str, *states: str, seconds: float = 30
    ) -> dict[str, Any]:
        def reached() -> dict[str, Any] | None:
            run = self.run(run_id)
            return run if run["state"] in states else None

        found: dict[str, Any] = self.wait_for(reached, seconds)
        return found

    def log(self) -> str:
        return self.server.log()[-3000:] if self.server else ""

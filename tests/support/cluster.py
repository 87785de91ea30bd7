"""The product as it runs on many machines: two servers, two workers, beat, PostgreSQL
and Valkey, each a process of its own that a test may kill, pause and start again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg

from tests.support import services
from tests.support.product import Process, Product, free_port

# Short, so that what is lost is found soon.
TIMES = {"RUN_LEASE_SECONDS": "3", "RUN_SWEEP_SECONDS": "1", "RUN_GRACE_SECONDS": "1"}


@dataclass
class Installation:
    """Several processes behind one database. ``servers`` share their token."""

    folder: Path
    postgres: services.Cluster
    redis: Any
    servers: list[Product] = field(default_factory=list)
    workers: list[Process] = field(default_factory=list)
    beat: Process | None = None

    @property
    def first(self) -> Product:
        return self.servers[0]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The answer of the database itself."""
        with psycopg.connect(self.postgres.url) as connection:
            return connection.execute(query.encode()).fetchall()

    def start_worker(self, worker: Process) -> None:
        ready = worker.log().count(" ready.")
        worker.start()
        self.first.wait_for(lambda: worker.log().count(" ready.") > ready, 90)

    def start_redis(self) -> None:
        deadline = time.monotonic() + 10
        while True:
            try:
                self.redis.start()
                return
            except Exception:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def processes(self) -> list[Process]:
        servers = [server.server for server in self.servers if server.server]
        return [*servers, *self.workers, *([self.beat] if self.beat else [])]

    def revive(self) -> None:
        """Start again whatever a test has left dead."""
        for server in self.servers:
            if not (server.server and server.server.alive):
                server.start()
        for worker in self.workers:
            if not worker.alive:
                self.start_worker(worker)
        if self.beat and not self.beat.alive:
            self.beat.start()


def worker_of(
    product: Product, name: str, *, threads: int = 16, **settings: str
) -> Process:
    return product.process(
        name,
        *("celery", "-A", "supervisor_site", "worker", "-P", "threads"),
        *("-c", str(threads), "-n", f"{name}@%h", "-l", "INFO"),
        *("--without-gossip", "--without-mingle"),
        # Far fewer connections than runs: waiting for a model must hold none.
        **{"DATABASE_POOL": "2", **settings},
    )


def beat_of(product: Product) -> Process:
    schedule = str(product.folder / "beat-schedule")
    command = ("celery", "-A", "supervisor_site", "beat", "-s", schedule, "--pidfile=")
    return product.process("beat", *command)


@contextlib.contextmanager
def installation(folder: Path, model_url: str) -> Iterator[Installation]:
    """All of it, set up and started; raises ``ServiceMissing`` as the services do."""
    with (
        services.postgres_cluster(keeps_commits=True) as postgres,
        services.redis_server() as redis,
    ):
        settings = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.connection_url,
            "RUN_DISPATCHER": "celery",
            "SERVER_PROCESSES": "2",
            **TIMES,
        }
        made = Installation(folder, postgres, redis)
        first = Product(folder, model_url=model_url, settings=settings, name="server-a")
        first.set_up()
        made.servers = [first, replace(first, port=free_port(), name="server-b")]
        made.workers = [worker_of(first, "worker-1"), worker_of(first, "worker-2")]
        made.beat = beat_of(first)
        try:
            for process in [*made.workers, made.beat]:
                process.start()
            for server in made.servers:
                server.start()
            first.wait_for(
                lambda: all(" ready." in worker.log() for worker in made.workers), 90
            )
            yield made
        finally:
            for process in made.processes():
                process.kill()

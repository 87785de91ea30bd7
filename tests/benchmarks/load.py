"""How much one machine carries: `make load`.

    python -m tests.benchmarks.load [--only streams|idle|jobs] [--steps 20,40,80]

Streams: so many conversations at once, each with an open page, on a model that
writes 30 tokens a second; the delay is from the model's write to the page's read.
Idle: 1,000 open pages on which nothing happens. Jobs: requests a second of the job of
`make bench` where the model takes no time. Model, pages, server, worker, PostgreSQL
and Valkey all run on this machine.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.fernet import Fernet

from tests.benchmarks.table import machine
from tests.support import services
from tests.support.cluster import worker_of
from tests.support.product import ROOT, Process, Product

LIMIT_MS = 250.0
WATCH_SECONDS = 8.0
REPLY_SECONDS = 30.0
STEPS = "20,40,60,80,100,120,160,200,240"
IDLE_PAGES = 1000
WAYS = ("SQLite, threads", "PostgreSQL, threads", "PostgreSQL, Celery")


@dataclass
class Setup:
    """One installation under load: a server, and a worker where Celery is used."""

    product: Product
    workers: list[Process] = field(default_factory=list)

    def memory(self) -> dict[str, float]:
        """Resident megabytes of each process."""
        server = self.product.server
        assert server is not None
        return {each.name: resident(each) for each in (server, *self.workers)}

    def cpu(self) -> dict[str, float]:
        """CPU seconds that each process has used."""
        server = self.product.server
        assert server is not None
        return {each.name: cpu_seconds(each) for each in (server, *self.workers)}


def resident(process: Process) -> float:
    assert process.popen is not None
    status = Path(f"/proc/{process.popen.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1000


def cpu_seconds(process: Process) -> float:
    assert process.popen is not None
    stat = Path(f"/proc/{process.popen.pid}/stat").read_text()
    ticks = stat.rsplit(")", 1)[1].split()
    return (int(ticks[11]) + int(ticks[12])) / 100


@contextlib.contextmanager
def model(name: str, *arguments: str) -> Iterator[str]:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.terminate()
        server.wait(10)


@contextlib.contextmanager
def setup(way: str, model_url: str) -> Iterator[Setup]:
    settings = {
        "DEBUG": "false",
        "SECRET_KEY": "load" * 15,
        "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
        "RUN_THREADS": "400",
        "OPENAI_MODEL": "load",
    }
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load-")))
        if way != WAYS[0]:
            settings["DATABASE_URL"] = stack.enter_context(services.postgres())
        if way == WAYS[2]:
            settings["REDIS_URL"] = stack.enter_context(services.redis())
            settings["RUN_DISPATCHER"] = "celery"
        product = Product(folder, model_url=model_url, settings=settings)
        made = Setup(product)
        product.set_up()
        product.start()
        stack.callback(product.kill)
        if way == WAYS[2]:
            worker = worker_of(product, "worker-1", threads=400, DATABASE_POOL="16")
            worker.start()
            stack.callback(worker.kill)
            made.workers.append(worker)
            product.wait_for(lambda: " ready." in worker.log(), 90)
        yield made


def begin(product: Product, count: int) -> tuple[list[str], list[str]]:
    """Runs and their conversations."""

    def one(_number: int) -> dict[str, str]:
        run: dict[str, str] = product.call(
            "POST", "/runs", {"team": "SUPPORT_TEAM", "prompt": "Talk"}
        )
        return run

    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(one, range(count)))
    return [run["id"] for run in runs], [run["conversation_id"] for run in runs]


def pages(
    product: Product, conversations: list[str], seconds: float
) -> subprocess.Popen[str]:
    watching = subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.benchmarks.load_pages"),
            *(str(product.port), product.session, str(seconds)),
        ],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdin
    watching.stdin.write("\n".join(conversations))
    watching.stdin.close()
    return watching


def streams(way: str, steps: list[int]) -> None:
    print(f"\n{way}\n")
    print(
        "| at once | tokens/s | p50 ms | p95 ms | p99 ms | memory MB "
        "| CPU ms a second of each | refused |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with model("load_model", str(REPLY_SECONDS)) as url, setup(way, url) as made:
        begin_and_wait(made.product)
        before = made.memory()
        for count in steps:
            late = stream_step(made, count, before)
            if late > LIMIT_MS:
                return


def begin_and_wait(product: Product) -> None:
    """One run beforehand: what is loaded once is not counted."""
    (run,), _conversations = begin(product, 1)
    product.wait_for_state(run, "SUCCEEDED", seconds=REPLY_SECONDS + 30)


def stream_step(made: Setup, count: int, before: dict[str, float]) -> float:
    runs, conversations = begin(made.product, count)
    watching = pages(made.product, conversations, WATCH_SECONDS)
    assert watching.stdout
    assert watching.stdout.readline() == "connected\n"
    cpu, then = made.cpu(), time.monotonic()
    time.sleep(WATCH_SECONDS * 0.8)
    more = {name: now - before[name] for name, now in made.memory().items()}
    passed = time.monotonic() - then
    used = {n: (now - cpu[n]) / passed / count * 1000 for n, now in made.cpu().items()}
    found = json.loads(watching.stdout.readline())
    memory = ", ".join(f"{name} +{value:.0f}" for name, value in more.items())
    work = ", ".join(f"{name} {value:.1f}" for name, value in used.items())
    print(
        f"| {count} | {found['tokens_a_second']:.0f} | {found['p50']:.0f} "
        f"| {found['p95']:.0f} | {found['p99']:.0f} | {memory} "
        f"| {work} | {found['refused']} |",
        flush=True,
    )
    for run in runs:
        made.product.wait_for_state(run, "SUCCEEDED", "FAILED", seconds=120)
    return float(found["p95"])


def idle(way: str) -> None:
    with model("load_model", "0.2") as url, setup(way, url) as made:
        server = made.product.server
        assert server is not None
        runs, conversations = begin(made.product, 50)
        for run in runs:
            made.product.wait_for_state(run, "SUCCEEDED", seconds=60)
        before = made.memory()["server"]
        many = [conversations[n % len(conversations)] for n in range(IDLE_PAGES)]
        watching = pages(made.product, many, 20)
        assert watching.stdout
        assert watching.stdout.readline() == "connected\n"
        cpu = cpu_seconds(server)
        time.sleep(15)
        used = (cpu_seconds(server) - cpu) / 15
        more = made.memory()["server"] - before
        found = json.loads(watching.stdout.readline())
        print(
            f"\n{way}: {found['pages']} idle pages: +{more:.0f} MB "
            f"({more * 1000 / IDLE_PAGES:.0f} kB each), {used * 100:.1f} % of a core, "
            f"{found['refused']} refused",
            flush=True,
        )


def jobs(way: str) -> None:
    with model("model_server") as url, setup(way, url) as made:
        made.product.kill()
        counted = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.load_jobs"],
            cwd=ROOT,
            env=made.product.environment(),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        print(f"{way}: {float(counted.stdout):.1f} jobs/s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("streams", "idle", "jobs"))
    parser.add_argument("--steps", default=STEPS)
    chosen = parser.parse_args()
    now = dt.datetime.now(dt.UTC)
    print(f"{now:%Y-%m-%d %H:%M} UTC, {machine()}")
    if chosen.only in (None, "streams"):
        for way in (WAYS[0], WAYS[2]):
            streams(way, [int(step) for step in chosen.steps.split(",")])
    if chosen.only in (None, "idle"):
        for way in (WAYS[0], WAYS[2]):
            idle(way)
    if chosen.only in (None, "jobs"):
        for way in WAYS:
            jobs(way)


if __name__ == "__main__":
    main()

"""Measure the product against a bare loop of the same model calls (`make bench`).

Both do the same request against the same model server, in turns, each in a process of
its own. Of the turns the median counts.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measure import Figures
from tests.benchmarks.table import machine, table

ROOT = Path(__file__).parents[2]


def module(name: str) -> list[str]:
    return [sys.executable, "-m", f"tests.benchmarks.{name}"]


@contextlib.contextmanager
def model_server() -> Iterator[str]:
    server = subprocess.Popen(
        module("model_server"), cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.terminate()
        server.wait(10)


def figures(subject: str, server: str) -> Figures:
    ended = subprocess.run(
        [*module(subject), server],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )
    return Figures(**json.loads(ended.stdout.splitlines()[-1]))


def median(turns: list[Figures]) -> Figures:
    return Figures(
        **{
            name: statistics.median(getattr(turn, name) for turn in turns)
            for name in Figures.__dataclass_fields__
        }
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    turns = parser.parse_args().turns
    bare, product = [], []
    with model_server() as server:
        for _turn in range(turns):
            bare.append(figures("bare", server))
            product.append(figures("product", server))
    now = dt.datetime.now(dt.UTC)
    print(f"{now:%Y-%m-%d %H:%M} UTC, {machine()}")
    print("One request: seven streamed model calls, two tools, 420 tokens.\n")
    print(table(median(bare), median(product)))


if __name__ == "__main__":
    main()

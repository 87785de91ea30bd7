"""What is measured of a subject: the same for the bare loop and for the product."""

from __future__ import annotations

import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ONE_BY_ONE = 20
PACED = 5
IN_FLIGHT = 16
MANY = 64


@dataclass(frozen=True)
class Figures:
    """Milliseconds a request, requests a second, megabytes."""

    wall: float
    cpu: float
    first_text: float
    per_second: float
    memory: float
    errors: int


@dataclass(frozen=True)
class Subject:
    """``one`` does a request; ``paced`` returns the seconds to the first text;
    ``many`` does that many requests with so many in flight, and returns how many
    of them failed."""

    one: Callable[[], None]
    paced: Callable[[], float]
    many: Callable[[int, int], int]


def measure(subject: Subject) -> Figures:
    # Until every thread of a pool has its connection, as in a server that has served.
    subject.many(MANY, MANY)
    walls, cpus = [], []
    for _time in range(ONE_BY_ONE):
        wall, cpu = time.perf_counter(), time.process_time()
        subject.one()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    first = [subject.paced() for _time in range(PACED)]
    started = time.perf_counter()
    errors = subject.many(IN_FLIGHT * 4, IN_FLIGHT)
    per_second = IN_FLIGHT * 4 / (time.perf_counter() - started)
    errors += subject.many(MANY, MANY)
    return Figures(
        wall=statistics.median(walls) * 1000,
        cpu=statistics.fmean(cpus) * 1000,
        first_text=statistics.median(first) * 1000,
        per_second=per_second,
        memory=peak_memory(),
        errors=errors,
    )


def peak_memory() -> float:
    """The most this process ever held, in MB of 1,048,576 bytes."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    # The kernel's other figure also counts the process that started this one.
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


def report(subject: Subject) -> None:
    print(json.dumps(asdict(measure(subject))))

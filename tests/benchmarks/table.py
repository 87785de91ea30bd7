"""The benchmark's table: both subjects, what lies between them, and what we aim at."""

from __future__ import annotations

import os
import platform
from dataclasses import astuple, dataclass
from pathlib import Path

from tests.benchmarks.measure import IN_FLIGHT, MANY, Figures


@dataclass(frozen=True)
class Row:
    name: str
    bare: str
    product: str
    between: str = ""
    aim: str = ""


def table(bare: Figures, product: Figures) -> str:
    later = product.first_text - bare.first_text
    ratio = product.cpu / bare.cpu
    rows = [
        Row("", "bare loop", "product", "", "aim"),
        row(
            "CPU a request, ms",
            bare.cpu,
            product.cpu,
            f"{ratio:.2f} x",
            at_most(1, ratio),
        ),
        row("wall a request, ms", bare.wall, product.wall, _times(bare, product)),
        row(
            "first text, ms (2 ms a token)",
            bare.first_text,
            product.first_text,
            f"{later:+.1f} ms",
            at_most(20, later),
        ),
        row(
            f"requests/s, {IN_FLIGHT} in flight",
            bare.per_second,
            product.per_second,
            "",
            f"at least 12: {met(product.per_second >= 12)}",
        ),
        row(
            f"peak memory, MB, {MANY} in flight",
            bare.memory,
            product.memory,
            "",
            at_most(120, product.memory),
        ),
        row("requests that failed", bare.errors, product.errors),
    ]
    return "\n".join(aligned(rows))


def row(
    name: str, bare: float, product: float, between: str = "", aim: str = ""
) -> Row:
    return Row(name, f"{bare:.1f}", f"{product:.1f}", between, aim)


def at_most(limit: float, value: float) -> str:
    return f"at most {limit:g}: {met(value <= limit)}"


def met(reached: bool) -> str:
    return "met" if reached else "MISSED"


def _times(bare: Figures, product: Figures) -> str:
    return f"{product.wall / bare.wall:.2f} x"


def aligned(rows: list[Row]) -> list[str]:
    cells: list[tuple[str, ...]] = [astuple(each) for each in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            [
                name.ljust(widths[0]),
                *(
                    text.rjust(width)
                    for text, width in zip(rest, widths[1:], strict=True)
                ),
            ]
        ).rstrip()
        for name, *rest in cells
    ]


def machine() -> str:
    """The machine in a line: system, processor, cores, Python."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    for line in lines:
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
    python = platform.python_version()
    return f"{platform.system()}, {processor}, {os.cpu_count()} cores, Python {python}"

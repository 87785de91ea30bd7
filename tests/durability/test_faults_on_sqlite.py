"""The same faults on one machine: one process, SQLite, nothing else."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.cluster import TIMES
from tests.support.faults import Figures, Round, make_office, seeds
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel

pytestmark = [pytest.mark.durability, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def alone(
    tmp_path_factory: pytest.TempPathFactory, office_model: ScriptedModel
) -> Iterator[Product]:
    folder = tmp_path_factory.mktemp("alone")
    product = Product(folder, model_url=office_model.base_url, settings={**TIMES})
    product.set_up()
    product.start()
    make_office(product)
    yield product
    product.stop()


def rounds(product: Product, times: int) -> Figures:
    def rows(query: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(
            sqlite3.connect(product.folder / "db.sqlite3", timeout=20)
        ) as connection:
            return connection.execute(query).fetchall()

    figures = Figures("the only process killed, SQLite")
    for seed in seeds(times):
        round_ = Round([product], rows, seed)
        round_.begin()
        round_.wait_a_moment()
        started = time.monotonic()
        product.kill()
        time.sleep(round_.rng.random())
        product.start()
        round_.settle()
        seconds = time.monotonic() - started
        figures.add(round_, seconds, round_.check())
    return figures


def test_nothing_is_lost_and_nothing_doubled(alone: Product) -> None:
    print(rounds(alone, 2))  # noqa: T201


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_nothing_is_lost_and_nothing_doubled_twenty_times(
    alone: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = rounds(alone, 20)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201

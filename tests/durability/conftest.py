"""A product in its own processes, on a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel


@pytest.fixture
def product(tmp_path: Path, scripted_model: ScriptedModel) -> Iterator[Product]:
    product = Product(tmp_path, model_url=scripted_model.base_url)
    product.set_up()
    product.start()
    yield product
    product.stop()

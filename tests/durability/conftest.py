"""A product in its own processes on a scripted model: alone, or as on many machines."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import faults, services
from tests.support.cluster import Installation, installation
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel


@pytest.fixture(scope="session")
def set_up_once(tmp_path_factory: pytest.TempPathFactory) -> Product:
    """A product that is set up and never started: tests copy its database."""
    product = Product(tmp_path_factory.mktemp("set-up"))
    product.set_up()
    return product


@pytest.fixture
def product(
    tmp_path: Path, scripted_model: ScriptedModel, set_up_once: Product
) -> Iterator[Product]:
    shutil.copy(set_up_once.folder / "db.sqlite3", tmp_path)
    product = Product(tmp_path, model_url=scripted_model.base_url)
    product.token = set_up_once.token
    product.start()
    yield product
    product.stop()


@pytest.fixture(scope="session")
def office_model() -> Iterator[ScriptedModel]:
    """Answers by what it is asked, for as long as the installation lives."""
    with ScriptedModel() as model:
        yield model.answer_with(faults.answer)


@pytest.fixture(scope="session")
def shared_installation(
    tmp_path_factory: pytest.TempPathFactory, office_model: ScriptedModel
) -> Iterator[Installation]:
    try:
        with installation(
            tmp_path_factory.mktemp("installation"), office_model.base_url
        ) as made:
            faults.make_office(made.first)
            yield made
    except services.ServiceMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def installed(shared_installation: Installation) -> Installation:
    """The installation with all its processes alive; it takes long to start, so that
    all tests share it."""
    shared_installation.revive()
    return shared_installation

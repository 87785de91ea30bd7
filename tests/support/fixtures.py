"""Fixtures shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.scripted_model import ScriptedModel


@pytest.fixture
def scripted_model() -> Iterator[ScriptedModel]:
    """A scripted model server; the test fails on extra and on unused replies."""
    with ScriptedModel() as model:
        yield model
        model.finish()

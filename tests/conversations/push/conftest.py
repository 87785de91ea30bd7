"""A conversation whose rows every thread sees."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from conversations.models import Run
from tests.conversations.factories import make_run_tree


@pytest.fixture
def run(transactional_db: None, owner: User) -> Run:
    return make_run_tree(owner, "done")


@pytest.fixture
def waiting_run(transactional_db: None, owner: User) -> Run:
    return make_run_tree(owner, "waiting")

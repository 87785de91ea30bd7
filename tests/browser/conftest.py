"""A real Chromium on a real server with the demo and the rehearsal model.

``visit`` opens a page as one of the demo's users. A test fails on anything its pages
write to the console as an error: broken scripts, refusals of the content policy.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel

EXECUTABLE = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PASSWORD = "demo-password"
# How long a page may take on a busy machine; what is right does not depend on it.
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS / 2)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]

Visit = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Package-wide, so that its loop does not run beside other tests."""
    path = shutil.which(EXECUTABLE)
    if path is None:
        pytest.skip("Chromium is missing: apt-get install chromium, or set CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The demo as ``make demo`` serves it, on the rehearsal model."""
    product = Product(tmp_path_factory.mktemp("site"))
    product.set_up()
    product.start()
    yield product
    product.stop()


@pytest.fixture(scope="package")
def scripted_site(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Product, ScriptedModel]]:
    """The demo on a model whose replies, and their pace, a test decides."""
    with ScriptedModel() as model:
        product = Product(tmp_path_factory.mktemp("scripted"), model_url=model.base_url)
        product.set_up()
        product.start()
        yield product, model
        product.stop()


@pytest.fixture(scope="package")
def sessions() -> dict[tuple[str, str], Any]:
    """Cookies of who has logged in already, by server and name."""
    return {}


@pytest.fixture
def visit(
    chromium: Browser, site: Product, sessions: dict[tuple[str, str], Any]
) -> Iterator[Visit]:
    """``visit("/", user="alice", at=site, **context options)`` gives a page."""
    contexts: list[Any] = []
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        # A refused request, or a server that is away, is for the page to show.
        expected = ("Failed to load resource", "net::ERR_")
        if message.type == "error" and not any(x in message.text for x in expected):
            errors.append(message.text)

    def open_page(
        path: str = "/",
        *,
        user: str = "alice",
        at: Product | None = None,
        **options: Any,
    ) -> Page:
        product = at or site
        key = (product.url, user)
        context = chromium.new_context(
            base_url=product.url, storage_state=sessions.get(key), **options
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        if user and key not in sessions:
            log_in(page, user)
            sessions[key] = context.storage_state()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def log_in(page: Page, user: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(user)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/")

"""The page of the API: drawn and tried out under the strict content policy."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

RUN = {"team": "SUPPORT_TEAM", "prompt": "Hello", "wait": 30}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_shows_all_operations_in_the_pages_own_colours(
    visit: Visit, scheme: str
) -> None:
    page = visit("/api/docs", color_scheme=scheme)
    expect(page.locator("#operations-runs-create_run")).to_be_visible()
    expect(page.locator("#operations-teams-create_team")).to_be_visible()
    background = page.evaluate(
        "getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor"
    )
    body = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background in (body, "rgba(0, 0, 0, 0)")


def test_nothing_comes_from_elsewhere(visit: Visit) -> None:
    page = visit("/api/docs")
    expect(page.locator("#operations-runs-create_run")).to_be_visible()
    hosts = page.evaluate(
        "performance.getEntriesByType('resource').map(e => new URL(e.name).origin)"
    )
    assert set(hosts) == {page.evaluate("location.origin")}


def test_an_operation_is_tried_out_with_ones_own_session(visit: Visit) -> None:
    page = visit("/api/docs")
    operation = page.locator("#operations-runs-create_run")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.locator("textarea").fill(json.dumps(RUN))
    operation.get_by_role("button", name="Execute").click()
    status = operation.locator(".live-responses-table .response-col_status").last
    expect(status).to_contain_text("200", timeout=30_000)
    answer = operation.locator(".live-responses-table .highlight-code").first
    expect(answer).to_contain_text("SUCCEEDED")

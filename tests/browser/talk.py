"""How a person uses a conversation's page, by the names a screen reader tells."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

SLOW_MS = 20_000
TEAM = "SUPPORT_TEAM"


def ask(page: Page, text: str) -> None:
    """Write and send; on the start page that opens a conversation."""
    starting = "/c/" not in page.url
    if starting:
        page.get_by_role("combobox", name="Team").select_option(TEAM)
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()
    if starting:
        page.wait_for_url("**/c/**")


def status(page: Page) -> Locator:
    return page.get_by_role("status")


def wait_for(page: Page, word: str) -> None:
    expect(status(page)).to_contain_text(word, timeout=SLOW_MS)


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Conversation")


def workers(page: Page) -> list[str]:
    """The names of the workers' parts, in the order of the page."""
    groups = page.get_by_role("group", name=" / ")
    return [str(g.get_attribute("aria-label")) for g in groups.all()]


def worker(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


def answer(page: Page) -> Locator:
    """The supervisor's last text."""
    return log(page).get_by_role("article", name="SUPPORT_SUPERVISOR", exact=True).last


def open_fold(group: Locator) -> None:
    toggle = group.get_by_role("button").first
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()

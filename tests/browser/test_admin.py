"""The admin in a browser: clean under the content policy, readable, one theme."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.talk import ask, wait_for

PAGES = [
    "/admin/",
    "/admin/conversations/run/",
    "/admin/conversations/toolcall/",
    "/admin/conversations/humanrequest/",
    "/admin/teams/team/",
    "/admin/teams/team/1/change/",
    "/admin/teams/team/import/",
    "/admin/teams/agent/add/",
    "/admin/teams/tool/1/try/",
    "/admin/teams/profile/1/try/",
    "/admin/auth/user/",
    "/admin/password_change/",
]


def overflow(page: Page) -> int:
    root = page.locator(":root")
    return int(root.evaluate("e => e.scrollWidth - e.clientWidth"))


@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_fits_and_breaks_no_policy(visit: Visit, width: int) -> None:
    page = visit("/admin/", user="admin", viewport={"width": width, "height": 800})
    for path in PAGES:
        response = page.goto(path)
        assert response is not None
        assert response.status == 200, path
        assert overflow(page) == 0, path


def test_a_run_is_found_and_read(visit: Visit) -> None:
    chat = visit("/?team=SUPPORT_TEAM")
    ask(chat, "What plan is customer C-9999 on?")
    wait_for(chat, "Done")
    page = visit("/admin/", user="admin")
    page.get_by_role("link", name="All runs").click()
    page.get_by_role("textbox", name="Search").fill("C-9999")
    page.get_by_role("button", name="Search").click()
    page.locator("summary", has_text="State").click()
    page.get_by_role("link", name="Done", exact=True).click()
    page.get_by_role("link", name="What plan is customer C-9999 on?").first.click()
    page.locator(".line-link", has_text="lookup_account").last.click()
    expect(page.locator("#trace-detail")).to_contain_text("There is no customer C-9999")


def test_a_filter_closes_on_escape_and_keeps_the_focus(visit: Visit) -> None:
    page = visit("/admin/conversations/run/", user="admin")
    summary = page.locator(".filter-menu > summary").first
    summary.click()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".filter-menu").first).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()


def test_the_form_of_a_team_shows_what_belongs_to_its_pattern(visit: Visit) -> None:
    page = visit("/admin/teams/team/add/", user="admin")
    leader, rules = (
        page.locator("#id_supervisor_agent"),
        page.locator("#handoffs-group"),
    )
    expect(leader).to_be_visible()
    expect(rules).to_be_hidden()
    page.locator("[name=pattern][value=handoff]").check()
    expect(rules).to_be_visible()
    expect(page.locator("#id_start_agent")).to_be_visible()
    # What is hidden is not sent.
    expect(leader).to_be_hidden()
    expect(leader).to_be_disabled()
    page.locator("[name=pattern][value=supervisor]").check()
    expect(leader).to_be_enabled()


def test_only_participants_are_offered_for_what_is_said_of_them(visit: Visit) -> None:
    page = visit("/admin/teams/team/?q=HOMEWORK_HANDOFF", user="admin")
    page.get_by_role("link", name="HOMEWORK_HANDOFF", exact=True).click()
    for fold in page.locator("fieldset details:not([open]) > summary").all():
        fold.click()
    offered = page.locator("#id_step_agents label").filter(visible=True)
    expect(offered).to_have_text(["HISTORY_TUTOR", "HOMEWORK_TRIAGE", "MATH_TUTOR"])


def test_a_tool_is_tried_by_hand(visit: Visit) -> None:
    page = visit("/admin/teams/tool/?q=lookup_account", user="admin")
    page.get_by_role("link", name="lookup_account", exact=True).click()
    page.get_by_role("link", name="Try it").click()
    page.get_by_label("customer_id").fill("C-1001")
    page.get_by_role("button", name="Run the tool").click()
    expect(page.get_by_role("status")).to_contain_text("Fibre 250")


def test_the_theme_is_one_for_the_admin_and_the_site(visit: Visit) -> None:
    page = visit("/admin/", user="admin", color_scheme="light")
    page.locator(".theme-switch").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/inbox/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ground = page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == "rgb(22, 24, 27)"

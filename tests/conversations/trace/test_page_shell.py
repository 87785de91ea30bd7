"""The shell around every page: bar, theme, log-in, error pages, strict content."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse

from conversations.templatetags import look
from tests.conversations.factories import make_run_tree


def test_the_log_in_page_names_its_fields_and_its_button(client, db):
    text = client.get(reverse("login")).content.decode()
    assert '<label for="id_username">User name</label>' in text
    assert '<label for="id_password">Password</label>' in text
    assert re.search(r'<button[^>]*type="submit">Log in</button>', text)


def test_a_refused_log_in_says_so_and_keeps_the_name(client, owner):
    text = client.post(
        reverse("login"), {"username": "alice", "password": "wrong"}
    ).content.decode()
    assert 'role="alert"' in text
    assert 'value="alice"' in text


def test_too_many_refused_log_ins_are_paused_in_our_words(client, owner):
    wrong = {"username": "alice", "password": "wrong"}
    for _attempt in range(10):
        response = client.post(reverse("login"), wrong)
    assert response.status_code == 429
    assert "Log-in paused" in response.content.decode()


@pytest.mark.parametrize(
    ("cookie", "theme"),
    [("dark", "dark"), ("light", "light"), ("auto", "auto"), ('"><b>', "auto")],
)
def test_the_chosen_theme_is_served_with_the_page(client, db, cookie, theme):
    client.cookies["theme"] = cookie
    text = client.get(reverse("login")).content.decode()
    assert f'data-theme="{theme}"' in text


def test_staff_find_the_admin_in_the_bar_and_others_do_not(
    client, administrator, owner
):
    client.force_login(owner)
    url = reverse("admin:index")
    assert f'href="{url}"' not in client.get(reverse("inbox")).content.decode()
    client.force_login(administrator)
    assert f'href="{url}"' in client.get(reverse("inbox")).content.decode()


def test_the_bar_counts_what_waits_for_the_reader(client, owner, stranger):
    make_run_tree(owner, "waiting")
    client.force_login(stranger)
    text = client.get(reverse("inbox")).content.decode()
    assert '<span class="count" id="inbox-count"></span>' in text
    client.force_login(owner)
    text = client.get(reverse("inbox")).content.decode()
    assert '<span class="count" id="inbox-count">1<' in text


def test_one_can_log_out_from_every_page(client, administrator):
    client.force_login(administrator)
    for name in ("inbox", "admin:index"):
        text = client.get(reverse(name)).content.decode()
        assert f'action="{reverse("logout")}"' in text


def test_the_admin_uses_the_same_theme_switch(client, administrator):
    client.force_login(administrator)
    text = client.get(reverse("admin:index")).content.decode()
    assert "js/theme.js" in text
    assert "admin/js/theme.js" not in text


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500"])
def test_error_pages_need_neither_a_request_nor_a_database(name):
    text = render_to_string(f"{name}.html")
    assert "<h1>" in text
    assert " style=" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)


def test_a_missing_page_is_told_in_our_words(client, owner):
    client.force_login(owner)
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_a_form_without_its_token_is_told_in_our_words(owner):
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("login"), {"username": "alice"})
    assert response.status_code == 403
    assert "The page was open for too long" in response.content.decode()


def test_every_htmx_request_carries_the_csrf_token():
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    text = render_to_string("base.html", request=request)
    assert re.search(r"hx-headers='\{\"X-CSRFToken\": \"\w{64}\"\}'", text)


class Waiting:
    state = "WAITING_FOR_HUMAN"

    def get_state_display(self) -> str:
        return "Waiting for you"


def test_a_wait_is_yours_or_somebodys():
    assert look.state(Waiting()) == (
        '<span class="state state-waiting">Waiting for you</span>'
    )
    assert "Waiting for a person" in look.state(Waiting(), mine=False)
    assert look.state_short(Waiting()) == (
        '<span class="state state-waiting">Waiting</span>'
    )
    assert '<span class="visually-hidden">Waiting for you</span>' in look.state_sign(
        Waiting()
    )

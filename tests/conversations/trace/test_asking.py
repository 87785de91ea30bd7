"""A waiting run says who asked what, whom it waits for and how to go on (S16)."""

from __future__ import annotations

import re

from django.contrib.auth.models import Permission
from django.urls import reverse

from conversations.models import HumanRequest
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree


def asking(client, run) -> str:
    """The words above the steps, without markup."""
    text = client.get(reverse("run_trace", args=[run.pk])).content.decode()
    found = re.search(
        r'<div class="notice notice-waiting trace-asking">.*?</div>', text, re.S
    )
    words = re.sub(r"<[^>]+>", "", found[0]) if found else ""
    return " ".join(words.split())


def test_it_names_agent_tool_and_person_and_leads_to_the_card(client, owner):
    client.force_login(owner)
    run = make_run_tree(owner, "waiting")
    words = asking(client, run)
    assert words.startswith(
        "NOTIFICATION_AGENT/NOTIFICATION_TASK · Approval: send_email"
    )
    assert "Waits for alice" in words
    assert "Answer in the conversation" in words
    card = f"{reverse('conversation', args=[run.conversation_id])}#request-"
    page = client.get(reverse("run_trace", args=[run.pk])).content.decode()
    assert f"{card}{HumanRequest.objects.get().pk}" in page


def test_who_may_only_read_is_not_told_to_answer(client, owner):
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    client.force_login(auditor)
    words = asking(client, make_run_tree(owner, "waiting"))
    assert "See it in the conversation" in words
    assert "Answer" not in words


def test_a_question_is_told_in_its_own_words(client, owner):
    client.force_login(owner)
    run = make_run_tree(owner, "waiting")
    HumanRequest.objects.update(kind="question", prompt="Which customer?")
    assert "Question: Which customer?" in asking(client, run)


def test_nothing_is_said_once_it_is_decided(client, owner):
    client.force_login(owner)
    assert asking(client, make_run_tree(owner, "sent")) == ""

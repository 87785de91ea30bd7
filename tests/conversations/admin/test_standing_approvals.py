"""Approvals for the rest of a conversation, and operators taking them back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from conversations.models import Event, StandingApproval
from conversations.services.approvals import revoke
from supervisor_site.common.errors import Forbidden
from teams.models import Tool
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

LIST = "admin:conversations_standingapproval_changelist"


@pytest.fixture
def approval(owner: User) -> StandingApproval:
    run = make_run_tree(owner)
    return StandingApproval.objects.create(
        conversation=run.conversation,
        tool_uid=Tool.objects.get(name="send_email").uid,
        given_by=owner,
    )


def staff(*rights: str) -> User:
    user = make_user("clerk", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


def test_the_list_names_tool_conversation_and_person(
    client: Client, administrator: User, approval: StandingApproval
) -> None:
    client.force_login(administrator)
    text = client.get(reverse(LIST)).content.decode()
    assert "send_email" in text
    assert str(approval.conversation.title) in text


def test_an_operator_takes_one_back(client: Client, approval: StandingApproval) -> None:
    operator = staff("view_standingapproval", "view_all", "answer_any")
    client.force_login(operator)
    chosen = {"action": "take_back", "_selected_action": [str(approval.pk)]}
    page = client.post(reverse(LIST), chosen, follow=True)
    assert "1 approval taken back." in page.content.decode()
    assert not StandingApproval.objects.exists()
    event = Event.objects.filter(kind="conversation").latest("number")
    assert event.data == {"revoked": str(approval.tool_uid), "by": "clerk"}


def test_an_operator_deletes_one_on_its_page(
    client: Client, approval: StandingApproval
) -> None:
    client.force_login(staff("view_standingapproval", "view_all", "answer_any"))
    place = "admin:conversations_standingapproval"
    page = client.get(reverse(f"{place}_change", args=[approval.pk]))
    assert page.status_code == 200
    assert "deletelink" in page.content.decode()
    client.post(reverse(f"{place}_delete", args=[approval.pk]), {"post": "yes"})
    assert not StandingApproval.objects.exists()


def test_who_may_only_look_takes_nothing_back(
    client: Client, approval: StandingApproval
) -> None:
    client.force_login(staff("view_standingapproval", "view_all"))
    assert "send_email" in client.get(reverse(LIST)).content.decode()
    chosen = {"action": "take_back", "_selected_action": [str(approval.pk)]}
    client.post(reverse(LIST), chosen)
    delete = reverse("admin:conversations_standingapproval_delete", args=[approval.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403
    assert StandingApproval.objects.exists()


def test_the_owner_may_and_a_stranger_may_not(
    owner: User, stranger: User, approval: StandingApproval
) -> None:
    with pytest.raises(Forbidden):
        revoke(user=stranger, approval=approval)
    assert StandingApproval.objects.exists()
    revoke(user=owner, approval=approval)
    assert not StandingApproval.objects.exists()

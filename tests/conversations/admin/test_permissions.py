"""Staff read what their rights say, and whose runs those are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

LISTS = [
    "conversation",
    "run",
    "taskrun",
    "toolcall",
    "modelcall",
    "humanrequest",
    "event",
]


@pytest.fixture
def clerk(db):
    """A staff member who may look at rows of every kind, and no further right."""
    user = make_user("clerk", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(
            content_type__app_label="conversations", codename__startswith="view_"
        ).exclude(codename="view_all")
    )
    return user


def ids(client, model) -> set[str]:
    url = reverse(f"admin:conversations_{model}_changelist")
    return {str(row.pk) for row in client.get(url).context["cl"].result_list}


@pytest.mark.parametrize("model", LISTS)
def test_staff_without_the_right_to_a_kind_are_refused(client, owner, model):
    client.force_login(make_user("other", is_staff=True))
    make_run_tree(owner)
    url = reverse(f"admin:conversations_{model}_changelist")
    assert client.get(url).status_code == 403


def test_staff_see_their_own_runs_only(client, clerk, owner):
    own = make_run_tree(clerk, "done")
    others = make_run_tree(owner, "waiting")
    client.force_login(clerk)
    assert ids(client, "run") == {str(own.pk)}
    assert ids(client, "humanrequest") == set()
    assert len(ids(client, "taskrun")) == 3
    assert len(ids(client, "modelcall")) == 7
    assert ids(client, "conversation") == {str(own.conversation_id)}
    url = reverse("admin:conversations_run_change", args=[others.pk])
    assert client.get(url).status_code == 302
    assert client.get(url)["Location"] == reverse("admin:index")


def test_staff_who_may_read_everything_see_all_runs(client, clerk, owner):
    clerk.user_permissions.add(Permission.objects.get(codename="view_all"))
    run = make_run_tree(owner, "waiting")
    client.force_login(clerk)
    assert ids(client, "run") == {str(run.pk)}
    assert (
        client.get(reverse("admin:conversations_run_change", args=[run.pk])).status_code
        == 200
    )


def test_stopping_and_retrying_are_offered_to_operators_only(
    client, clerk, administrator
):
    make_run_tree(clerk, "waiting")
    url = reverse("admin:conversations_run_changelist")
    client.force_login(clerk)
    assert "Stop the selected runs" not in client.get(url).content.decode()
    client.force_login(administrator)
    assert "Stop the selected runs" in client.get(url).content.decode()

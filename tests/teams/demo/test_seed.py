"""The demo: loaded once, loaded again without a trace, never over somebody's edits."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command

from teams.demo.models import Customer, Order, Payment
from teams.models import Agent, Profile, Task, Team, Tool
from teams.permissions import can_build, can_run
from teams.services import definitions
from teams.services.versions import build_definition

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _password(settings) -> None:
    settings.DEBUG = True
    settings.DEMO_PASSWORD = "a-demo-password"


def seed() -> str:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    return out.getvalue()


def test_the_team_is_the_one_of_the_contract() -> None:
    seed()
    frozen = build_definition(Team.objects.get(name="SUPPORT_TEAM"))
    assert frozen.supervisor is not None
    assert frozen.agents[frozen.supervisor].name == "SUPPORT_SUPERVISOR"
    assert [
        (
            frozen.label(member),
            [tool.function_name for tool in frozen.tools_of(member.agent, member.task)],
        )
        for member in frozen.members
    ] == [
        ("ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK", ["lookup_account"]),
        ("PAYMENT_AGENT/PAYMENT_LOOKUP_TASK", ["list_payments"]),
        ("NOTIFICATION_AGENT/NOTIFICATION_TASK", ["send_email"]),
    ]
    approvals = {tool.name: tool.approval for tool in frozen.tools.values()}
    assert approvals == {
        "lookup_account": "never",
        "list_payments": "never",
        "send_email": "always",
    }
    profile = Profile.objects.get(name="DEFAULT")
    assert (profile.provider, profile.has_key) == ("env", False)


def test_there_are_three_starters_to_begin_with() -> None:
    seed()
    starters = Team.objects.get(name="SUPPORT_TEAM").starters
    assert len(starters) == 3
    assert starters[0] == "What plan is customer C-1001 on?"


def test_customers_and_payments_are_the_same_everywhere() -> None:
    seed()
    assert Customer.objects.count() == 24
    assert Payment.objects.count() == 120
    first = Customer.objects.get(customer_id="C-1001")
    assert (first.name, first.plan, first.status) == (
        "Maya Lindholm",
        "Fibre 250",
        "active",
    )
    assert [
        (str(each.paid_on), str(each.amount), each.reference)
        for each in first.payments.all()[:3]
    ] == [
        ("2026-09-09", "44.67", "P-09-1001"),
        ("2026-08-07", "39.90", "P-08-1001"),
        ("2026-07-05", "39.90", "P-07-1001"),
    ]
    assert Customer.objects.get(customer_id="C-1024").payments.count() == 5
    assert not Payment.objects.exclude(paid_on__year=2026).exists()


def test_the_people_have_their_rights_and_an_address() -> None:
    seed()
    admin, agent, alice = (
        User.objects.get(username=name) for name in ("admin", "agent", "alice")
    )
    assert [user.email for user in (admin, agent, alice)] == [
        "admin@example.com",
        "agent@example.com",
        "alice@example.com",
    ]
    assert all(user.check_password("a-demo-password") for user in (admin, agent, alice))
    assert (admin.is_superuser, agent.is_superuser, alice.is_superuser) == (
        True,
        False,
        False,
    )
    assert (agent.is_staff, alice.is_staff) == (True, False)
    assert agent.has_perms(["conversations.view_all", "conversations.answer_any"])
    assert not alice.user_permissions.exists()
    assert all(can_run(alice, team) for team in Team.objects.all())
    assert not can_build(alice)
    assert not can_build(agent)


def test_a_second_time_changes_nothing() -> None:
    seed()
    models = (User, Customer, Payment, Order, Profile, Tool, Agent, Task, Team)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    out = seed()
    assert [list(model.objects.order_by("pk").values()) for model in models] == before
    assert "Made" not in out


def test_what_an_administrator_edited_stays() -> None:
    seed()
    definitions.update("agent", "ACCOUNT_AGENT", {"role": "Mine."}, user=None)
    Customer.objects.filter(customer_id="C-1001").update(plan="Gold")
    seed()
    assert Agent.objects.get(name="ACCOUNT_AGENT").role == "Mine."
    assert Customer.objects.get(customer_id="C-1001").plan == "Gold"


def test_what_was_dropped_comes_back() -> None:
    seed()
    definitions.drop("team", "SUPPORT_TEAM", user=None)
    assert "Made the team SUPPORT_TEAM" in seed()
    assert Team.objects.live().filter(name="SUPPORT_TEAM").count() == 1


def test_in_production_an_account_keeps_its_password(settings) -> None:
    seed()
    alice = User.objects.get(username="alice")
    alice.set_password("her own")
    alice.save()
    settings.DEBUG = False
    seed()
    alice.refresh_from_db()
    assert alice.check_password("her own")


def test_without_a_password_it_says_what_to_set(settings) -> None:
    settings.DEMO_PASSWORD = ""
    with pytest.raises(CommandError, match="DEMO_PASSWORD"):
        seed()


def test_without_the_rights_it_fails_and_makes_nothing() -> None:
    Permission.objects.filter(codename="answer_any").delete()
    with pytest.raises(CommandError, match="answer_any"):
        seed()
    assert not User.objects.exists()
    assert not Team.objects.exists()

"""The other teams of the demo: handing over, delegating, and a fixed order."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from teams.check import check_team
from teams.definition import TeamDefinition
from teams.demo import orders, seed
from teams.demo.agent_tools import best_sellers, count_orders, order_revenue
from teams.demo.models import Order
from teams.demo.orders import span
from teams.models import Team
from teams.services.versions import build_definition

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def seeded(settings) -> None:
    settings.DEBUG = True
    seed.seed("a-demo-password")


def frozen(name: str) -> TeamDefinition:
    return build_definition(Team.objects.get(name=name))


def test_in_support_only_returns_hand_over_to_refunds() -> None:
    team = frozen("HANDOFF_SUPPORT")
    names = {uid: agent.name for uid, agent in team.agents.items()}
    assert team.start_agent is not None
    assert names[team.start_agent] == "TRIAGE_AGENT"
    assert [names[uid] for uid in team.participants] == [
        "TRIAGE_AGENT",
        "ORDER_AGENT",
        "RETURN_AGENT",
        "REFUND_AGENT",
    ]
    assert sorted(
        (names[rule.source], names[rule.target]) for rule in team.handoffs
    ) == [
        ("ORDER_AGENT", "TRIAGE_AGENT"),
        ("REFUND_AGENT", "TRIAGE_AGENT"),
        ("RETURN_AGENT", "REFUND_AGENT"),
        ("RETURN_AGENT", "TRIAGE_AGENT"),
        ("TRIAGE_AGENT", "ORDER_AGENT"),
        ("TRIAGE_AGENT", "RETURN_AGENT"),
    ]
    assert {tool.name: tool.approval for tool in team.tools.values()} == {
        "check_order_status": "never",
        "process_return": "never",
        "process_refund": "always",
    }


def test_the_tutors_have_no_rules_so_everyone_hands_to_everyone() -> None:
    team = frozen("HOMEWORK_HANDOFF")
    assert (team.pattern, team.handoffs) == ("handoff", ())
    assert all(len(team.targets_of(uid)) == 2 for uid in team.participants)


def test_the_help_desk_is_one_agent_with_a_delegate() -> None:
    team = frozen("HELP_DESK")
    (member,) = team.members
    desk = team.agents[member.agent]
    (delegate,) = (team.agents[uid] for uid in desk.delegates)
    assert (desk.name, desk.tools) == ("HELP_DESK_AGENT", ())
    assert delegate.function_name == "DATA_SPECIALIST"
    assert [team.tools[uid].name for uid in delegate.tools] == [
        "best_sellers",
        "count_orders",
        "order_revenue",
    ]


def test_the_last_step_of_the_report_takes_the_result_of_the_first() -> None:
    team = frozen("REPORT_LINE")
    tasks = [team.tasks[m.task] for m in team.members if m.task]
    assert [task.name for task in tasks] == [
        "COLLECT_FIGURES_TASK",
        "FILE_FIGURES_TASK",
        "WRITE_REPORT_TASK",
    ]
    assert [task.input for task in tasks] == [None, None, tasks[0].uid]


@pytest.mark.parametrize(
    "name",
    ["SUPPORT_TEAM", "HANDOFF_SUPPORT", "HOMEWORK_HANDOFF", "HELP_DESK", "REPORT_LINE"],
)
def test_the_team_check_warns_of_nothing(name: str) -> None:
    found = check_team(Team.objects.get(name=name))
    assert [each for each in found if each.severity != "hint"] == []


def test_every_period_has_orders_up_to_today() -> None:
    today = timezone.localdate()
    counted = {
        period: count_orders(period)
        for period in ("today", "last week", "this week", "last month")
    }
    assert counted["today"]["orders"] >= 2
    monday = today - timedelta(days=today.weekday())
    assert counted["last week"]["from"] == monday - timedelta(days=7)
    assert counted["last week"]["to"] == monday - timedelta(days=1)
    assert 14 <= counted["last week"]["orders"] <= 43
    assert counted["last month"]["orders"] > counted["last week"]["orders"]


def test_figures_of_a_period_agree_with_its_orders() -> None:
    first, last = span("last week", timezone.localdate())
    rows = list(Order.objects.filter(ordered_on__range=(first, last)))
    assert count_orders("last week")["orders"] == len(rows)
    assert order_revenue("last week")["revenue"] == sum(row.amount for row in rows)
    best = best_sellers("last week", 1)["items"][0]
    names = [row.item for row in rows]
    assert best["orders"] == max(map(names.count, names))


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("today", date(2026, 3, 1), date(2026, 3, 1)),
        ("yesterday", date(2026, 2, 28), date(2026, 2, 28)),
        ("this week", date(2026, 2, 23), date(2026, 3, 1)),
        ("last week", date(2026, 2, 16), date(2026, 2, 22)),
        ("this month", date(2026, 3, 1), date(2026, 3, 1)),
        ("last month", date(2026, 2, 1), date(2026, 2, 28)),
    ],
)
def test_a_period_goes_from_its_first_day_to_its_last(period, first, last) -> None:
    # A Sunday, and the first of a month.
    assert span(period, date(2026, 3, 1)) == (first, last)


def test_a_later_start_adds_the_days_since(monkeypatch) -> None:
    before = set(Order.objects.values_list("number", flat=True))
    tomorrow = timezone.localdate() + timedelta(days=1)
    monkeypatch.setattr(timezone, "localdate", lambda: tomorrow)
    orders.load()
    new = Order.objects.exclude(number__in=before)
    assert {row.ordered_on for row in new} == {tomorrow}

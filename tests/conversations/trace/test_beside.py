"""The trace beside a conversation: the fragments of the page, links of their own."""

from __future__ import annotations

import re
from uuid import uuid4

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from conversations.models import Run, TaskRun
from tests.conversations.factories import make_run_tree


def beside(client: Client, run: Run) -> str:
    answer = client.get(reverse("run_trace_beside", args=[run.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_has_a_line_for_each_step_of_the_page(client: Client, owner: User) -> None:
    run = make_run_tree(owner, "sent")
    client.force_login(owner)
    page = client.get(reverse("run_trace", args=[run.pk])).content.decode()
    steps = re.compile(r'id="step-([0-9a-f-]{36})"')

    assert steps.findall(beside(client, run)) == steps.findall(page) != []


def test_its_links_lead_to_the_page_and_leave_the_address_alone(
    client: Client, owner: User
) -> None:
    run = make_run_tree(owner)
    client.force_login(owner)

    html = beside(client, run)

    task = TaskRun.objects.get(run=run, depth=0)
    assert f'href="/runs/{run.pk}/?step={task.pk}"' in html
    assert f'hx-get="/runs/{run.pk}/steps/{task.pk}/?beside=1"' in html
    assert "hx-replace-url" not in html
    assert 'role="status"' not in html


def test_what_it_asks_for_later_stays_beside(client: Client, owner: User) -> None:
    run = make_run_tree(owner, "running")
    client.force_login(owner)
    step = TaskRun.objects.filter(run=run, depth=1).first()
    assert step is not None

    live = client.get(reverse("run_trace_live", args=[run.pk]), {"beside": 1})
    detail = client.get(
        reverse("run_trace_step", args=[run.pk, step.pk]), {"beside": 1}
    )

    assert '<div id="trace-live" class="trace-live" data-open="1">' in (
        live.content.decode()
    )
    assert f'href="/runs/{run.pk}/?step={step.pk}"' in detail.content.decode()
    assert 'href="?step' not in detail.content.decode()


def test_a_stranger_finds_nothing(client: Client, owner: User, stranger: User) -> None:
    run = make_run_tree(owner)
    client.force_login(stranger)
    for run_id in (run.pk, uuid4()):
        url = reverse("run_trace_beside", args=[run_id])
        assert client.get(url).status_code == 404

"""The run page, and the fragments it asks for while it is open."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from conversations.choices import RUN_RETRYABLE, RunState
from conversations.error_texts import error_message
from conversations.models import ModelCall, Run
from conversations.permissions import may_operate, run_for
from conversations.selectors.budgets import spent_by_run
from conversations.selectors.notes import modes, notes_of
from conversations.selectors.private import kept_from_run
from conversations.services import runs
from conversations.trace.chart import chart_of
from conversations.trace.details import detail_of, events_of
from conversations.trace.prompts import kept_back, rebuilt
from supervisor_site.common.errors import AppError, NotFound


def _run(request: HttpRequest, run_id: UUID) -> Run:
    try:
        return run_for(request.user, run_id)
    except NotFound as error:
        raise Http404(error.message) from error


def _is_mine(request: HttpRequest, run: Run) -> bool:
    return run.conversation.owner_id == request.user.pk


def _kept_from(request: HttpRequest, run: Run) -> set[UUID]:
    return kept_from_run(request.user, run)


def _detail(request: HttpRequest, run: Run, step_id: UUID) -> dict[str, Any] | None:
    full, without = "full" in request.GET, _kept_from(request, run)
    return detail_of(run, step_id, full=full, without=without)


def live_context(
    request: HttpRequest, run: Run, selected: UUID | None
) -> dict[str, Any]:
    """What ``trace/_live.html`` shows: the part that changes while a run works."""
    operates = may_operate(request.user, run)
    return {
        "run": run,
        "version": run.team_version,
        "chart": chart_of(run, without=_kept_from(request, run)),
        "spent": spent_by_run(run),
        "notes": notes_of(run),
        "modes": modes(run),
        "selected": selected,
        "mine": _is_mine(request, run),
        "error": error_message(run.error_code, run.error_params),
        "may_stop": operates and run.is_open,
        "may_retry": operates and run.state in RUN_RETRYABLE,
    }


def trace_context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What ``trace/_trace.html`` shows: the live part, the selected step, events."""
    context = live_context(request, run, _step_id(request.GET.get("step", "")))
    if context["selected"] is None and context["chart"].lines:
        # The first task run: the whole request and its answer.
        context["selected"] = context["chart"].lines[0].step.id
    selected = context["selected"]
    events, events_total = events_of(run)
    return {
        **context,
        "detail": _detail(request, run, selected) if selected else None,
        "events": events,
        "events_total": events_total,
    }


def _step_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@login_required
@require_GET
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = _run(request, run_id)
    return render(request, "trace/page.html", trace_context(request, run))


@login_required
@require_GET
def beside(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The trace as it stands beside a conversation: the tree and a place for a step."""
    run = _run(request, run_id)
    context = live_context(request, run, None)
    return render(request, "trace/_beside.html", context | {"beside": _own_page(run)})


@login_required
@require_GET
def live(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The live part alone, as the open page asks for it every few seconds."""
    run = _run(request, run_id)
    unchanged = request.GET.get("seen") == str(run.conversation.last_number)
    if unchanged and run.state == RunState.WAITING_FOR_HUMAN:
        return HttpResponse(status=204)
    query = parse_qs(urlsplit(request.headers.get("HX-Current-URL", "")).query)
    selected = _step_id(query.get("step", [""])[0])
    context = live_context(request, run, selected) | _where(request, run)
    name = "trace/_beside_live.html" if context["beside"] else "trace/_live.html"
    response = render(request, name, context)
    if not run.is_open:
        # The page stops asking, and its detail is read once more.
        trigger_client_event(response, "run-ended")
    return response


@login_required
@require_GET
def step(request: HttpRequest, run_id: UUID, step_id: UUID) -> HttpResponse:
    """The payloads of one step."""
    run = _run(request, run_id)
    detail = _detail(request, run, step_id)
    if detail is None:
        raise Http404
    context = {"detail": detail, "run": run, "mine": _is_mine(request, run)}
    return render(request, "trace/_detail.html", context | _where(request, run))


def _where(request: HttpRequest, run: Run) -> dict[str, str]:
    """``beside``: the address of the run's page, in front of links that are shown
    elsewhere than there; empty on the page itself, and in the admin."""
    return {"beside": _own_page(run) if "beside" in request.GET else ""}


def _own_page(run: Run) -> str:
    return reverse("run_trace", args=[run.pk])


@login_required
@require_GET
def prompt(request: HttpRequest, run_id: UUID, step_id: UUID) -> HttpResponse:
    """The exact body of a model call as JSON."""
    run = _run(request, run_id)
    call = ModelCall.objects.filter(task_run__run=run, pk=step_id).first()
    if call is None:
        raise Http404
    found = kept_back().problem if _kept_from(request, run) else rebuilt(call)
    if isinstance(found, str):
        return HttpResponse(found, status=409, content_type="text/plain; charset=utf-8")
    text = json.dumps(found.body, ensure_ascii=False, indent=2, default=str)
    return HttpResponse(text, content_type="application/json; charset=utf-8")


@login_required
@require_POST
def cancel(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _act(request, run_id, runs.cancel_run)


@login_required
@require_POST
def retry(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _act(request, run_id, runs.retry_run)


def _act(request: HttpRequest, run_id: UUID, service: Any) -> HttpResponse:
    run = _run(request, run_id)
    try:
        run = service(user=request.user, run=run)
    except AppError as error:
        messages.error(request, error.message)
    return redirect(_page_of(request, run))


def _page_of(request: HttpRequest, run: Run) -> str:
    """The run's page in the admin if the button stood there, else its own."""
    in_admin = reverse("admin:conversations_run_change", args=[run.pk])
    came_from = urlsplit(request.headers.get("Referer", "")).path
    return in_admin if came_from == in_admin else _own_page(run)

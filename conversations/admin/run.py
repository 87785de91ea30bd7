"""Runs: what ran, what waits, what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from conversations.admin.base import (
    Question,
    ReadOnlyAdmin,
    StateFilter,
    first_line,
    with_second,
)
from conversations.choices import (
    RUN_CLAIMABLE,
    RUN_OPEN,
    RUN_RETRYABLE,
    RequestState,
    RunState,
)
from conversations.error_texts import error_message
from conversations.models import HumanRequest, Run, TaskRun
from conversations.permissions import answers_all
from conversations.selectors.notes import how_ended
from conversations.services import runs
from conversations.templatetags import look
from conversations.trace import figures
from conversations.trace.views import trace_context
from supervisor_site.common.errors import AppError
from teams.choices import Pattern

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

PATH_AT_MOST = 4
PATTERN_WORDS = {
    Pattern.SUPERVISOR: _("Supervisor"),
    Pattern.SEQUENTIAL: _("Fixed order"),
    Pattern.HANDOFF: _("Handoff"),
}


class EndFilter(admin.SimpleListFilter):
    """Why a run ended, where it was neither an answer nor an error."""

    title = _("end")
    parameter_name = "ended"

    def lookups(
        self, request: HttpRequest, model_admin: Any
    ) -> list[tuple[str, StrPromise]]:
        return [
            ("condition", _("By a condition")),
            ("limit", _("At a limit")),
            ("user", _("By its owner")),
            ("operator", _("By an operator")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Run]) -> QuerySet[Run]:
        value = self.value()
        return queryset.filter(ended_by__startswith=value) if value else queryset


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    run_path = "pk"
    id_fields = ("id", "conversation_id", "retry_of_id")
    change_form_template = "admin/conversations/run/change_form.html"
    list_display = [
        "prompt",
        "state_word",
        "team",
        "path",
        "asked",
        "took",
        "cost_amount",
        "tokens",
    ]
    list_display_links = None
    questions = (
        Question(_("working"), "working", RUN_CLAIMABLE),
        Question(_("waiting"), "waiting", (RunState.WAITING_FOR_HUMAN,)),
        Question(
            _("failed in seven days"), "failed", (RunState.FAILED,), since="created_at"
        ),
    )
    empty_words = _(
        "Nobody has asked anything yet. Start in the chat; each request is listed here."
    )
    list_filter = [
        ("state", StateFilter),
        ("team_version__team", admin.RelatedOnlyFieldListFilter),
        "team_version__team__pattern",
        EndFilter,
        ("requested_by", admin.RelatedOnlyFieldListFilter),
        "created_at",
        "error_code",
        "read_only",
        "debug",
    ]
    search_fields = [
        "request__text",
        "answer",
        "requested_by__username",
        "team_version__team__name",
        "task_runs__agent_name",
        "task_runs__task_name",
    ]
    search_help_text = _("Prompt, answer, person, team, agent, task or an id")
    date_hierarchy = "created_at"
    ordering = ["-created_at"]
    actions = ["stop", "retry"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        pending = HumanRequest.objects.filter(state=RequestState.PENDING)
        return (
            super()
            .get_queryset(request)
            .select_related("request", "team_version__team", "requested_by")
            .defer("team_version__definition", "tool_state", "variables")
            .prefetch_related(
                Prefetch("task_runs", TaskRun.objects.defer("request", "result")),
                Prefetch(
                    "human_requests",
                    pending.select_related("call", "task_run"),
                    to_attr="open_requests",
                ),
            )
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Stopping and retrying are for who may answer for everyone."""
        return super().get_actions(request) if answers_all(request.user) else {}

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The trace, with the admin around it."""
        run = self.get_object(request, object_id)
        if run is None or not self.has_view_permission(request, run):
            return super().change_view(request, object_id, form_url, extra_context)
        context = {
            **self.admin_site.each_context(request),
            **trace_context(request, run),
            "title": first_line(run.request.text),
            "opts": self.opts,
            "original": run,
            **(extra_context or {}),
        }
        return TemplateResponse(request, self.change_form_template, context)

    # --- Columns ------------------------------------------------------------------

    @admin.display(description=_("request"), ordering="request__text")
    def prompt(self, run: Run) -> SafeString:
        """With what it waits for, failed on or was ended by in a second line."""
        url = reverse("admin:conversations_run_change", args=[run.pk])
        error = error_message(run.error_code, run.error_params)
        waits = "; ".join(waits_for(request) for request in run.open_requests)  # type: ignore[attr-defined]
        link = format_html('<a href="{}">{}</a>', url, first_line(run.request.text))
        below = error or waits or how_ended(run.ended_by)
        return with_second(link, below, error=bool(error))

    @admin.display(description=_("state"), ordering="state")
    def state_word(self, run: Run) -> SafeString:
        return look.state_short(run)

    @admin.display(description=_("team"), ordering="team_version__team__name_key")
    def team(self, run: Run) -> SafeString:
        """With its pattern, and how often control changed hands, in a second line."""
        team = run.team_version.team
        words = [str(PATTERN_WORDS.get(Pattern(team.pattern), ""))]
        if run.handoffs:
            text = ngettext("%(n)d handover", "%(n)d handovers", run.handoffs)
            words.append(text % {"n": run.handoffs})
        return with_second(team.title, " · ".join(words))

    @admin.display(description=_("worked on by"))
    def path(self, run: Run) -> SafeString:
        """The agents in the order they began, as their marks; named on hover."""
        tasks = sorted(run.task_runs.all(), key=lambda task: task.started_at)
        marks = (
            (task.label, look.agent_mark(task.agent_name, task.leads), task.label)
            for task in tasks[:PATH_AT_MOST]
        )
        shown = format_html_join(
            "",
            '<span title="{}">{}<span class="visually-hidden">{}, </span></span>',
            marks,
        )
        rest = len(tasks) - PATH_AT_MOST
        more = format_html(" +{}", rest) if rest > 0 else ""
        return format_html('<span class="list-path">{}{}</span>', shown, more)

    @admin.display(description=_("asked"), ordering="created_at")
    def asked(self, run: Run) -> SafeString:
        """And by whom."""
        return with_second(look.ago(run.created_at), run.requested_by.get_username())

    @admin.display(description=_("took"))
    def took(self, run: Run) -> str:
        return figures.duration(figures.elapsed(run.created_at, run.finished_at))

    @admin.display(description=_("tokens"))
    def tokens(self, run: Run) -> str:
        return figures.count(run.input_tokens + run.output_tokens)

    @admin.display(description=_("cost"), ordering="cost")
    def cost_amount(self, run: Run) -> str:
        return figures.cost(run.cost) if run.cost else ""

    # --- Actions ------------------------------------------------------------------

    @admin.action(description=_("Stop the selected runs"), permissions=["view"])
    def stop(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        working = queryset.filter(state__in=RUN_OPEN)
        stopped = self._each(request, working, runs.cancel_run)
        text = ngettext("%(n)d run stopped.", "%(n)d runs stopped.", stopped)
        self.message_user(request, text % {"n": stopped})

    @admin.action(description=_("Retry the selected runs"), permissions=["view"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        ended = queryset.filter(state__in=RUN_RETRYABLE)
        again = self._each(request, ended, runs.retry_run)
        text = ngettext("%(n)d run goes on.", "%(n)d runs go on.", again)
        self.message_user(request, text % {"n": again})

    def _each(self, request: HttpRequest, queryset: QuerySet[Run], service: Any) -> int:
        """Do it for each run; say for which it could not be done, and why."""
        done = 0
        for run in queryset.select_related("conversation__team"):
            try:
                service(user=request.user, run=run)
            except AppError as error:
                words = f"{first_line(run.request.text, 40)}: {error.message}"
                self.message_user(request, words, messages.ERROR)
            else:
                done += 1
        return done


def waits_for(request: HumanRequest) -> str:
    """Who asked what, in a line."""
    what = request.prompt or request.call.tool_name or request.call.name
    kind = request.get_kind_display()
    return f"{request.task_run.agent_name}: {kind}: {first_line(what, 60)}"

"""What agents did: task runs, model calls, tool calls, events."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.admin.base import (
    Question,
    ReadOnlyAdmin,
    StateFilter,
    first_line,
    with_second,
)
from conversations.choices import (
    ModelCallState,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.error_texts import error_message
from conversations.models import Event, ModelCall, TaskRun, ToolCall
from conversations.templatetags import look
from conversations.trace import figures
from conversations.trace.chart import brief_arguments

PERSON = ("run__requested_by", admin.RelatedOnlyFieldListFilter)
TEAM = ("run__team_version__team", admin.RelatedOnlyFieldListFilter)
PERSON_OF_CALL = ("task_run__run__requested_by", admin.RelatedOnlyFieldListFilter)
TEAM_OF_CALL = ("task_run__run__team_version__team", admin.RelatedOnlyFieldListFilter)


# What a person reads instead of the codes that events hold.
STATE_WORDS = {
    str(state): state.label
    for states in (RequestState, RunState, TaskRunState, ToolCallState)
    for state in states
} | {RunState.WAITING_FOR_HUMAN.value: _("Waiting")}


class _Step(ReadOnlyAdmin):
    """Columns that task runs and calls share. No hierarchy of dates: its days are
    found by reading the whole table, and these are the large ones."""

    @admin.display(description=_("state"), ordering="state")
    def state_word(self, row: Any) -> SafeString:
        return look.state_short(row)

    @admin.display(description=_("took"))
    def took(self, row: Any) -> str:
        return figures.duration(figures.elapsed(row.started_at, row.finished_at))

    def error(self, row: Any) -> str:
        return error_message(row.error_code, row.error_params)


class _Call(_Step):
    run_path = "task_run__run"
    list_select_related = ["task_run__run__requested_by"]

    def run_id_of(self, row: Any) -> UUID:
        found: UUID = row.task_run.run_id
        return found

    def person(self, row: Any) -> str:
        return str(row.task_run.run.requested_by.get_username())


@admin.register(TaskRun)
class TaskRunAdmin(_Step):
    id_fields = ("id", "run_id", "thread_id")
    list_display = ["agent", "state_word", "asked_for", "began", "took", "rounds"]
    questions = (
        Question(_("waiting"), "waiting", (TaskRunState.WAITING_FOR_HUMAN,)),
        Question(
            _("failed in seven days"),
            "failed",
            (TaskRunState.FAILED,),
            since="started_at",
        ),
    )
    empty_words = _("Nothing yet: each piece of work of an agent is listed here.")
    list_filter = [
        ("state", StateFilter),
        "agent_name",
        TEAM,
        PERSON,
        "started_at",
        "error_code",
    ]
    search_fields = ["request", "result", "agent_name", "task_name"]
    search_help_text = _("Request, result, agent, task or an id")
    list_select_related = ["run__requested_by", "parent"]
    ordering = ["-started_at"]

    @admin.display(description=_("agent / task"), ordering="agent_name")
    def agent(self, task: TaskRun) -> SafeString | str:
        """And who delegated it."""
        parent = task.parent
        below = _("asked by %(agent)s") % {"agent": parent.label} if parent else ""
        return with_second(task.label, below)

    @admin.display(description=_("request"))
    def asked_for(self, task: TaskRun) -> SafeString | str:
        return with_second(first_line(task.request), self.error(task), error=True)

    @admin.display(description=_("began"), ordering="started_at")
    def began(self, task: TaskRun) -> SafeString:
        """And for whom."""
        return with_second(
            look.ago(task.started_at), task.run.requested_by.get_username()
        )


@admin.register(ToolCall)
class ToolCallAdmin(_Call):
    id_fields = ("id", "task_run__run_id", "task_run_id")
    list_display = ["tool", "state_word", "given", "outcome", "when", "took"]
    questions = (
        Question(_("waiting"), "waiting", (ToolCallState.WAITING_FOR_HUMAN,)),
        Question(
            _("failed in seven days"),
            "failed",
            (ToolCallState.FAILED, ToolCallState.UNKNOWN),
            since="created_at",
        ),
    )
    empty_words = _("Nothing yet: each call of a tool or an agent is listed here.")
    list_filter = [
        ("state", StateFilter),
        "kind",
        "tool_name",
        "task_run__agent_name",
        TEAM_OF_CALL,
        PERSON_OF_CALL,
        "created_at",
    ]
    search_fields = ["name", "tool_name", "asked", "result", "provider_id"]
    search_help_text = _("Tool, arguments, result or an id")
    ordering = ["-created_at"]

    @admin.display(description=_("tool"), ordering="tool_name")
    def tool(self, call: ToolCall) -> SafeString:
        """And whose call it is."""
        return with_second(call.tool_name or call.name, call.task_run.label)

    @admin.display(description=_("arguments"))
    def given(self, call: ToolCall) -> str:
        """Of a delegation what was asked, and of whom."""
        given = call.arguments
        if call.kind == ToolCallKind.DELEGATE and given.get("worker"):
            return first_line(f"{given['worker']}: {given.get('request', '')}")
        return first_line(brief_arguments(given))

    @admin.display(description=_("result"))
    def outcome(self, call: ToolCall) -> str:
        return first_line(call.result, 60)

    @admin.display(description=_("asked for"), ordering="created_at")
    def when(self, call: ToolCall) -> SafeString:
        """And for whom."""
        return with_second(look.ago(call.created_at), self.person(call))


@admin.register(ModelCall)
class ModelCallAdmin(_Call):
    id_fields = ("id", "task_run__run_id", "task_run_id")
    list_display = [
        "agent",
        "round",
        "state_word",
        "server",
        "began",
        "first_token",
        "took",
        "tokens_in",
        "tokens_out",
        "cost_amount",
    ]
    questions = (
        Question(_("working"), "working", (ModelCallState.RUNNING,)),
        Question(
            _("failed in seven days"),
            "failed",
            (ModelCallState.FAILED,),
            since="started_at",
        ),
    )
    empty_words = _("Nothing yet: each call of a model is listed here.")
    list_filter = [
        ("state", StateFilter),
        "profile_name",
        "model",
        "task_run__agent_name",
        TEAM_OF_CALL,
        "started_at",
        "error_code",
        "finish_reason",
    ]
    search_fields = [
        "model",
        "profile_name",
        "task_run__agent_name",
        "message__text",
        "system__text",
    ]
    search_help_text = _("Model, profile, agent, prompt, reply or an id")
    ordering = ["-started_at"]

    @admin.display(description=_("agent / task"), ordering="task_run__agent_name")
    def agent(self, call: ModelCall) -> SafeString | str:
        return with_second(call.task_run.label, self.error(call), error=True)

    @admin.display(description=_("model"), ordering="model")
    def server(self, call: ModelCall) -> SafeString:
        """And the profile that names it."""
        return with_second(call.model or "–", call.profile_name)

    @admin.display(description=_("began"), ordering="started_at")
    def began(self, call: ModelCall) -> SafeString:
        """And for whom."""
        return with_second(look.ago(call.started_at), self.person(call))

    @admin.display(description=_("first token"))
    def first_token(self, call: ModelCall) -> str:
        if call.first_token_at is None:
            return ""
        return figures.duration(figures.elapsed(call.started_at, call.first_token_at))

    @admin.display(description=_("tokens in"), ordering="input_tokens")
    def tokens_in(self, call: ModelCall) -> str:
        return figures.count(call.input_tokens)

    @admin.display(description=_("tokens out"), ordering="output_tokens")
    def tokens_out(self, call: ModelCall) -> str:
        return figures.count(call.output_tokens)

    @admin.display(description=_("cost"), ordering="cost")
    def cost_amount(self, call: ModelCall) -> str:
        return figures.cost(call.cost) if call.cost else ""


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    id_fields = ("row", "run_id", "conversation_id")
    list_display = ["number", "kind", "change", "talk", "moment"]
    list_filter = ["kind", "created_at"]
    search_fields = ["conversation__title"]
    search_help_text = _("Title of the conversation, or an id")
    list_select_related = ["conversation", "run"]
    # As they were written; their moments have no index.
    ordering = ["-pk"]
    empty_words = _("Nothing yet: whatever changes is listed here, in its order.")

    @admin.display(description=_("conversation"), ordering="conversation__title")
    def talk(self, event: Event) -> str:
        return first_line(str(event.conversation), 60)

    @admin.display(description=_("change"))
    def change(self, event: Event) -> str:
        """Of a state the words of before and after, else what was recorded."""
        data = event.data
        if "new" in data:
            codes = [data[key] for key in ("old", "new") if data.get(key)]
            return " → ".join(str(STATE_WORDS.get(code, code)) for code in codes)
        return ", ".join(f"{name}: {value}" for name, value in data.items())

    @admin.display(description=_("time"), ordering="created_at")
    def moment(self, event: Event) -> SafeString | str:
        return look.moment(event.created_at)

"""``/runs``: start, follow, stop and retry requests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from conversations import describe
from conversations.api import filters as lists
from conversations.api.bodies import RunFilters, RunIn
from conversations.api.schemas import PromptOut, RunOut, RunPage, TraceOut
from conversations.choices import RUN_ENDED, RunState
from conversations.models import Conversation, ModelCall, Run
from conversations.permissions import conversation_for, run_for, visible_runs
from conversations.selectors.private import kept_from_run
from conversations.services.checks import check_prompt
from conversations.services.runs import (
    RunOptions,
    cancel_run,
    retry_run,
    start_run,
    wait_for,
)
from conversations.trace.prompts import rebuilt
from supervisor_site.api_base import ApiRequest, Paging, page
from supervisor_site.common.errors import Conflict, Invalid, NotFound, invalid
from teams.models import Team
from teams.selectors import team_for_run
from teams.services import overrides

router = Router(tags=["runs"])

SETTLED = (*RUN_ENDED, RunState.WAITING_FOR_HUMAN)


@router.post(
    "",
    response={200: RunOut, 202: RunOut},
    summary="Start a run",
    operation_id="create_run",
)
def create_run(request: ApiRequest, body: RunIn) -> Status[Any]:
    """202, or 200 if within ``wait`` seconds it ended or waits for a person."""
    prompt = check_prompt(body.prompt, field="prompt")
    team, conversation = target(request, body)
    try:
        run = start_run(
            user=request.user,
            prompt=prompt,
            team=team,
            conversation=conversation,
            options=options_of(body),
        )
    except Invalid as error:
        raise as_sent(error) from error
    if body.wait and run.state not in SETTLED:
        run = wait_for(run.pk, body.wait)
    settled = body.wait and run.state in SETTLED
    return Status(200 if settled else 202, run_answer(run.pk))


def options_of(body: RunIn) -> RunOptions:
    return RunOptions(
        read_only=body.read_only,
        debug=body.debug,
        variables={**body.variables, **body.instruction_variables},
        overrides=body.attribute_variables,
        tool_state=body.state_variables,
        client_id=body.client_id,
        output_schema=body.output_schema,
    )


def as_sent(error: Invalid) -> Invalid:
    """With the names that the caller knows the refused values by."""
    known = f"{overrides.FIELD}."
    renamed = [
        replace(one, field=one.field.replace(known, "attribute_variables.", 1))
        if one.field.startswith(known)
        else one
        for one in error.errors
    ]
    return Invalid(renamed, code=error.code)


def target(request: ApiRequest, body: RunIn) -> tuple[Team | None, Conversation | None]:
    """The team and the conversation of a new run; one of them is enough."""
    if body.conversation_id is None:
        if body.team is None:
            raise invalid("team", _("Name a team or a conversation."))
        return team_for_run(request.user, body.team), None
    conversation = conversation_for(request.user, body.conversation_id)
    if body.team is None:
        return None, conversation
    return team_for_run(request.user, body.team), conversation


@router.get("", response=RunPage, summary="List runs", operation_id="list_runs")
def list_runs(
    request: ApiRequest, filters: Query[RunFilters], paging: Query[Paging]
) -> dict[str, Any]:
    """Those that one may read, newest first."""
    rows = describe.for_run_objects(lists.runs(request.user, filters))
    return page(rows, paging, describe.run_object)


@router.get(
    "/{uuid:run_id}", response=RunOut, summary="Read a run", operation_id="get_run"
)
def get_run(request: ApiRequest, run_id: UUID) -> dict[str, Any]:
    return run_answer(run_for(request.user, run_id).pk)


@router.get(
    "/{uuid:run_id}/trace",
    response=TraceOut,
    summary="Read what happened",
    operation_id="get_run_trace",
)
def get_trace(request: ApiRequest, run_id: UUID) -> dict[str, Any]:
    """With all its agents did; a team's hidden participants are left out, but for who
    may read every run."""
    run = run_for(request.user, run_id)
    rows = describe.for_traces(visible_runs(request.user))
    hidden = kept_from_run(request.user, run)
    return describe.trace_object(rows.get(pk=run.pk), without=hidden)


@router.get(
    "/{uuid:run_id}/model-calls/{uuid:call_id}/prompt",
    response=PromptOut,
    summary="Read the exact prompt of a model call",
    operation_id="get_prompt",
)
def get_prompt(request: ApiRequest, run_id: UUID, call_id: UUID) -> dict[str, Any]:
    """The body that was sent, made again from the rows; ``agrees`` says whether its
    hash is the one that was recorded then."""
    run = run_for(request.user, run_id)
    call = ModelCall.objects.filter(task_run__run=run, pk=call_id).first()
    if call is None:
        raise NotFound(_("There is no such model call."))
    if kept_from_run(request.user, run):
        # Any prompt of such a run may hold what hidden participants said.
        raise Conflict(
            _("The team hides some texts of this prompt from people."),
            code="prompt_unavailable",
        )
    found = rebuilt(call)
    if isinstance(found, str):
        raise Conflict(found, code="prompt_unavailable")
    return {"body": found.body, "agrees": found.agrees}


@router.post(
    "/{uuid:run_id}/cancel",
    response=RunOut,
    summary="Stop a run",
    operation_id="cancel_run",
)
def stop_run(request: ApiRequest, run_id: UUID) -> dict[str, Any]:
    """The model's call is ended; a tool that is running finishes first."""
    run = cancel_run(user=request.user, run=run_for(request.user, run_id))
    return run_answer(run.pk)


@router.post(
    "/{uuid:run_id}/retry",
    response={202: RunOut},
    summary="Retry a run",
    operation_id="retry_run",
)
def try_again(request: ApiRequest, run_id: UUID) -> Status[Any]:
    """Opens a failed, cancelled or expired run at the failed step; repeats one that
    succeeded as a new run."""
    run = retry_run(user=request.user, run=run_for(request.user, run_id))
    return Status(202, run_answer(run.pk))


def run_answer(run_id: UUID) -> dict[str, Any]:
    return describe.run_object(
        describe.for_run_objects(Run.objects.all()).get(pk=run_id)
    )

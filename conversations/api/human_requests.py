"""``/human-requests``: what waits for a person, and the person's word."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Query, Router

from conversations import describe
from conversations.api.bodies import ResponseIn
from conversations.api.schemas import HumanRequestOut, HumanRequestPage
from conversations.choices import RequestState
from conversations.models import HumanRequest
from conversations.permissions import request_for, visible_runs
from conversations.services.requests import answer_request
from supervisor_site.api_base import ApiRequest, Paging, page

router = Router(tags=["human requests"])


@router.get(
    "",
    response=HumanRequestPage,
    summary="List what waits for a person",
    operation_id="list_human_requests",
)
def list_requests(
    request: ApiRequest,
    paging: Query[Paging],
    state: RequestState | None = None,
    run_id: UUID | None = None,
) -> dict[str, Any]:
    """Oldest first: what has waited longest stands at the top."""
    rows = HumanRequest.objects.filter(run__in=visible_runs(request.user))
    if state:
        rows = rows.filter(state=state)
    if run_id:
        rows = rows.filter(run_id=run_id)
    rows = describe.for_human_request_objects(rows.order_by("created_at", "pk"))
    return page(rows, paging, describe.human_request_object)


@router.get(
    "/{uuid:request_id}",
    response=HumanRequestOut,
    summary="Read one",
    operation_id="get_human_request",
)
def get_request(request: ApiRequest, request_id: UUID) -> dict[str, Any]:
    return request_answer(request_for(request.user, request_id).pk)


@router.post(
    "/{uuid:request_id}/respond",
    response=HumanRequestOut,
    summary="Decide",
    operation_id="respond_to_human_request",
)
def respond(request: ApiRequest, request_id: UUID, body: ResponseIn) -> dict[str, Any]:
    """Single use: a second word gets 409 with the first one as ``request``."""
    settled = answer_request(
        user=request.user,
        request=request_for(request.user, request_id),
        answer=body.answer,
        decision=body.decision,
        reason=body.reason,
        arguments=body.arguments,
        remember=body.remember,
    )
    return request_answer(settled.pk)


def request_answer(request_id: UUID) -> dict[str, Any]:
    rows = describe.for_human_request_objects(HumanRequest.objects.all())
    return describe.human_request_object(rows.get(pk=request_id))

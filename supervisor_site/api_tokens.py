"""``/tokens``: one's own bearer tokens."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from ninja import Query, Router, Schema, Status
from pydantic import Field

from conversations.spoken import timestamp
from supervisor_site.api_base import ApiRequest, Body, Id, Paging, Timestamp, page
from supervisor_site.common.errors import NotFound
from teams.models import ApiToken

router = Router(tags=["tokens"])


class TokenIn(Body):
    name: str = Field(min_length=1, max_length=100)


class TokenOut(Schema):
    id: Id
    name: str
    created_at: Timestamp
    last_used_at: Timestamp | None


class TokenPage(Schema):
    items: list[TokenOut]
    count: int


class NewToken(Schema):
    id: Id
    name: str
    token: str


@router.get(
    "", response=TokenPage, summary="List one's tokens", operation_id="list_tokens"
)
def list_tokens(request: ApiRequest, paging: Query[Paging]) -> dict[str, Any]:
    tokens = ApiToken.objects.filter(user=request.user)
    return page(tokens.order_by("-created_at", "-pk"), paging, token_object)


@router.post(
    "", response={201: NewToken}, summary="Make a token", operation_id="create_token"
)
def create_token(request: ApiRequest, body: TokenIn) -> Status[Any]:
    """The token's text is in this answer and can never be shown again."""
    token, text = ApiToken.issue(user=request.user, name=body.name)
    return Status(201, {"id": str(token.pk), "name": token.name, "token": text})


@router.delete(
    "/{uuid:token_id}",
    response={204: None},
    summary="Revoke a token",
    operation_id="delete_token",
)
def delete_token(request: ApiRequest, token_id: UUID) -> Status[None]:
    deleted, _rows = ApiToken.objects.filter(user=request.user, pk=token_id).delete()
    if not deleted:
        raise NotFound(_("There is no such token."))
    return Status(204, None)


def token_object(token: ApiToken) -> dict[str, Any]:
    return {
        "id": str(token.pk),
        "name": token.name,
        "created_at": timestamp(token.created_at),
        "last_used_at": timestamp(token.last_used_at),
    }

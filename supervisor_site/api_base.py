"""What the routers of the API share: the request, strict bodies, paged lists."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from django.contrib.auth.models import User
from django.db import models
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from ninja import Schema
from ninja.parser import Parser
from ninja.renderers import JSONRenderer
from pydantic import ConfigDict, Field

from supervisor_site.api_auth import Caller
from supervisor_site.common.errors import invalid

Row = TypeVar("Row", bound=models.Model)

Id = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class ApiRequest(HttpRequest):
    """A request that has passed the authentication."""

    user: User
    auth: Caller


class Body(Schema):
    """A request body. A field it does not know is refused by its name."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """How every error is told."""

    model_config = ConfigDict(extra="allow")

    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldProblem] = []


class FieldProblem(Schema):
    field: str
    message: str


class Paging(Schema):
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0, le=10_000_000)


def page(
    rows: models.QuerySet[Row],
    paging: Paging,
    describe: Callable[[Row], dict[str, Any]],
) -> dict[str, Any]:
    """``{items, count}``: the described rows of this page, and how many there are."""
    start = paging.offset
    items = [describe(row) for row in rows[start : start + paging.limit]]
    return {"items": items, "count": rows.count()}


class ReadableRenderer(JSONRenderer):
    """JSON in UTF-8 with letters of any script as they are, not as escapes."""

    json_dumps_params = MappingProxyType({"ensure_ascii": False})


class StrictParser(Parser):
    """JSON as the standard has it: UTF-8, no NaN, no half surrogate pairs, no NUL.

    Python reads them all and PostgreSQL stores none of them.
    """

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        # Python would also take UTF-16, and halves of pairs that stand there bare.
        text = request.body.decode("utf-8-sig")
        data = json.loads(text, parse_constant=refuse_constant, parse_float=finite)
        if "\\u" in text:
            refuse_odd_text(data)
        return data  # type: ignore[no-any-return]

    def parse_querydict(
        self,
        data: MultiValueDict[str, Any],
        list_fields: list[str],
        request: HttpRequest,
    ) -> dict[str, Any]:
        for name, values in data.lists():
            if any("\0" in value for value in values if isinstance(value, str)):
                raise invalid(name, _("A text holds NUL."))
        return super().parse_querydict(data, list_fields, request)


def refuse_constant(name: str) -> None:
    raise ValueError(_("%(name)s is no JSON value.") % {"name": name})


def finite(number: str) -> float:
    """Python reads 1e999 as infinity, which JSON cannot say."""
    value = float(number)
    if math.isinf(value):
        raise ValueError(_("%(number)s is too large a number.") % {"number": number})
    return value


def refuse_odd_text(value: Any) -> None:
    if isinstance(value, str):
        if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value):
            raise ValueError(_("A text holds NUL or half of a surrogate pair."))
    elif isinstance(value, list):
        for item in value:
            refuse_odd_text(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            refuse_odd_text(key)
            refuse_odd_text(item)

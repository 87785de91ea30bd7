"""Every error of the API as ``application/problem+json``; codes in docs/api.md."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from conversations.describe import described
from supervisor_site.common.errors import AppError, FieldError, Invalid

logger = logging.getLogger("supervisor.api")

API_PREFIX = "/api/"
PROBLEM = "application/problem+json"


def register(api: NinjaAPI) -> None:
    """Answer every exception of the API's operations with a problem."""
    for kind in (Exception, Http404, HttpError, ValidationError):
        api.add_exception_handler(kind, answer)


def answer(request: HttpRequest, error: Any) -> HttpResponse:
    """The problem that tells of ``error``."""
    match error:
        case AppError():
            return app_error(error)
        case ValidationError():
            return validation_error(error)
        case HttpError():
            return http_error(error)
        case Http404():
            return not_found()
        case PermissionDenied():
            return problem(403, "forbidden", _("You may not do this."))
        case RequestDataTooBig():
            return too_large()
        case SuspiciousOperation():
            return problem(400, "bad_request", _("The request cannot be read."))
        case _:
            return unexpected(request, error)


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[FieldError] = (),
    **extra: Any,
) -> HttpResponse:
    """The answer to a request that failed; ``extra`` are further members."""
    body: dict[str, Any] = {
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
    }
    if errors:
        body["errors"] = [{"field": e.field, "message": e.message} for e in errors]
    text = json.dumps(body | extra, cls=DjangoJSONEncoder, ensure_ascii=False)
    response = HttpResponse(text, status=status, content_type=PROBLEM)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def not_found() -> HttpResponse:
    """One answer for "does not exist" and for "not yours"."""
    return problem(404, "not_found", _("There is no such object."))


def no_such_path() -> HttpResponse:
    return problem(404, "no_such_path", _("There is nothing under this path."))


def too_large() -> HttpResponse:
    return problem(413, "request_too_large", _("The request is too large."))


def app_error(error: AppError) -> HttpResponse:
    if error.status == HTTPStatus.NOT_FOUND:
        return not_found()
    errors = error.errors if isinstance(error, Invalid) else ()
    extra = {name: described(value) for name, value in error.extra.items()}
    return problem(error.status, error.code, error.message, errors=errors, **extra)


def validation_error(error: ValidationError) -> HttpResponse:
    errors = [FieldError(field_path(e["loc"]), sentence(e)) for e in error.errors]
    detail = " ".join(f"{e.field}: {e.message}" for e in errors)
    return problem(422, "invalid", detail, errors=errors)


def field_path(loc: Sequence[str | int]) -> str:
    """``("body", "payload", "agents", 1, "task")`` is ``agents.1.task``: where the
    value came from and the name of our parameter mean nothing to the caller."""
    source, *rest = loc
    path = [str(part) for part in rest]
    if source == "body":
        path = path[1:]
    elif source == "query":
        # Flat, whatever the schema that gathers them: the last name is the field.
        path = [part for part in path if not part.isdigit()][-1:]
    return ".".join(path) or str(source)


def sentence(error: dict[str, Any]) -> str:
    """Pydantic's finding in the reader's language, where it is a common one."""
    sentences = {
        "missing": _("This field is needed."),
        "extra_forbidden": _("There is no such field."),
        "string_too_long": _("At most %(max_length)s characters are allowed."),
        "string_too_short": _("At least %(min_length)s characters are needed."),
        "uuid_parsing": _("This is not a UUID."),
    }
    text = sentences.get(error["type"])
    return text % error.get("ctx", {}) if text else str(error["msg"])


def http_error(error: HttpError) -> HttpResponse:
    if isinstance(error, AuthenticationError):
        return problem(401, "not_authenticated", _("Log in or send a valid token."))
    cause = error.__cause__
    if error.status_code == HTTPStatus.BAD_REQUEST and cause is not None:
        # The body's parser is the only place where ninja chains an exception.
        detail = _("The body is not valid JSON: %(reason)s") % {"reason": cause}
        return problem(400, "invalid_json", detail)
    return plain(error.status_code, error.message)


def plain(status: int, detail: str = "") -> HttpResponse:
    """A problem of which no more is known than its status."""
    phrase = HTTPStatus(status).phrase
    return problem(status, phrase.lower().replace(" ", "_"), detail or phrase)


def unexpected(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Say nothing of the cause but a number that finds it in the log."""
    number = uuid.uuid4().hex[:12]
    logger.error(
        "%s %s failed (%s)", request.method, request.path, number, exc_info=error
    )
    detail = _("Something went wrong on our side. The log has it under %(number)s.")
    return problem(500, "internal_error", detail % {"number": number}, id=number)


class ProblemMiddleware(MiddlewareMixin):
    """Answers that no operation gave (no such path, wrong method) as problems too."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        # PostgreSQL refuses NUL in a text, so that no name can have one.
        if "\0" in request.path and request.path.startswith(API_PREFIX):
            return no_such_path()
        return None

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.status_code < 400 or not request.path.startswith(API_PREFIX):
            return response
        if response.headers.get("Content-Type", "").startswith(PROBLEM):
            return response
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return wrong_method(request, response)
        if response.status_code == HTTPStatus.NOT_FOUND:
            return no_such_path()
        if response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return too_large()
        return plain(response.status_code)


def wrong_method(request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
    detail = _("%(method)s is not possible here.") % {"method": request.method}
    answer = problem(405, "method_not_allowed", detail)
    answer["Allow"] = response.headers.get("Allow", "")
    return answer

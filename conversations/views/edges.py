"""Between requests and services: log-in, methods, and errors as people see them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse

from conversations.models import Conversation, Run
from conversations.permissions import run_for
from conversations.services.runs import RunOptions
from supervisor_site.common.errors import AppError, NotFound

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

CHANGED = "chat-changed"


def edge(*methods: str) -> Callable[[View[P]], View[P]]:
    """A view for people who are logged in; what they may not see is not found.

    Other errors of services become an answer of their own status: beside the form
    for a request of the page's script, else as a small page.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            if not request.user.is_authenticated:
                return log_in_first(request)
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            try:
                return view(request, *args, **kwargs)
            except NotFound as error:
                if by_script(request):
                    return refused(error)
                raise Http404(error.message) from error
            except AppError as error:
                return refused(error)

        return guarded

    return decorate


def options_of(request: HttpRequest) -> RunOptions:
    """How the composer asks for a request to be worked on."""
    return RunOptions(
        read_only=bool(request.POST.get("read_only")),
        debug=bool(request.POST.get("debug")),
        client_id=request.POST.get("client_id", "")[:100],
    )


def person(request: HttpRequest) -> User:
    """Who is logged in; ``edge`` let nobody else through."""
    return cast("User", request.user)


def by_script(request: HttpRequest) -> bool:
    """Whether the page's script asks, which puts the answer into the page."""
    return bool(getattr(request, "htmx", False))


def log_in_first(request: HttpRequest) -> HttpResponse:
    if by_script(request) or request.headers.get("Accept") == "application/json":
        return HttpResponse(status=401, headers={"HX-Redirect": reverse("login")})
    target = request.get_full_path() if request.method == "GET" else "/"
    return redirect_to_login(target)


def refused(error: AppError) -> HttpResponse:
    """The error as a line to stand beside what was asked."""
    text = render_to_string("_fragments/refused.html", {"error": error})
    return HttpResponse(text, status=error.status)


def done(request: HttpRequest, conversation: Conversation) -> HttpResponse:
    """The push shows what came of it; without the script the page is shown again."""
    if by_script(request):
        return HttpResponse(status=202, headers={"HX-Trigger": CHANGED})
    return see(conversation)


def see(conversation: Conversation) -> HttpResponse:
    response: Any = redirect("conversation", conversation.id)
    response.status_code = 303
    return cast("HttpResponse", response)


def run_of(user: User, conversation: Conversation, run_id: UUID) -> Run:
    """The run, where it belongs to this conversation."""
    run = run_for(user, run_id)
    if run.conversation_id != conversation.id:
        raise NotFound("")
    return run

"""The pages of the chat: start, conversation, a long text, what waits for me."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from conversations.models import Conversation
from conversations.permissions import conversation_for
from conversations.rendering import context_for
from conversations.selectors import texts, transcript
from conversations.selectors.approvals import standing_approvals
from conversations.selectors.lists import conversation_list, waiting_requests
from conversations.selectors.standing import standing_of
from conversations.selectors.starting import choice_for, rehearses
from conversations.services.runs import start_run
from conversations.views.edges import by_script, edge, options_of, person, see
from supervisor_site.common.errors import AppError
from teams.selectors import team_for_run

REQUESTS_A_PAGE = 50


@edge("GET", "POST")
def home(request: HttpRequest) -> HttpResponse:
    """The list, the teams to choose from, and the first message to one of them."""
    if request.method == "POST":
        return _start(request)
    name = request.GET.get("team", "")
    if by_script(request):
        context = {"choice": choice_for(person(request), name), "client_id": uuid4()}
        return render(request, "chat/team_panel.html", context)
    return _home(request, name)


def _start(request: HttpRequest) -> HttpResponse:
    content, name = request.POST.get("content", ""), request.POST.get("team", "")
    try:
        run = start_run(
            user=person(request),
            prompt=content,
            team=team_for_run(person(request), name),
            options=options_of(request),
        )
    except AppError as error:
        if by_script(request):
            raise
        return _home(request, name, error=error, text=content)
    if by_script(request):
        response = see(run.conversation)
        return HttpResponse(headers={"HX-Redirect": response["Location"]})
    return see(run.conversation)


def _home(
    request: HttpRequest,
    name: str,
    *,
    error: AppError | None = None,
    text: str = "",
) -> HttpResponse:
    context = _side(request) | {
        "choice": choice_for(person(request), name),
        "error": error,
        "text": text,
        "modes": options_of(request),
    }
    status = error.status if error else 200
    return render(request, "chat/home.html", context, status=status)


@edge("GET")
def conversation(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    found = conversation_for(person(request), conversation_id)
    return show(request, found, text=_to_edit(request, found))


def _to_edit(request: HttpRequest, conversation: Conversation) -> str:
    """The text of an earlier request, to be written anew (``?edit=<run>``)."""
    try:
        wanted = UUID(request.GET.get("edit", ""))
    except ValueError:
        return ""
    run = conversation.runs.select_related("request").filter(pk=wanted).first()
    return run.request.text if run else ""


def show(
    request: HttpRequest,
    conversation: Conversation,
    *,
    error: AppError | None = None,
    text: str = "",
) -> HttpResponse:
    """The conversation's page. ``conversation`` was read before its rows are, so that
    what happens meanwhile is pushed once more rather than missed."""
    before = whole_number(request.GET.get("before"))
    user = person(request)
    read = transcript.read(conversation, before=before)
    standing = standing_of(conversation, user)
    context = _side(request) | context_for(conversation, user, standing)
    context |= {
        "transcript": read,
        "before": before,
        "rehearsal": rehearses(conversation.team),
        "error": error,
        "text": text,
        # As they were for the last request; what was refused keeps its own.
        "modes": options_of(request) if error else standing.run,
        "allowed": standing_approvals(
            Conversation.objects.filter(pk=conversation.pk, owner=user)
        ),
    }
    status = error.status if error else 200
    return render(request, "chat/conversation.html", context, status=status)


def _side(request: HttpRequest) -> dict[str, Any]:
    """What stands beside every chat page."""
    items, more = conversation_list(person(request))
    return {
        "area": "chat",
        "items": items,
        "more_items": more,
        "items_offset": len(items),
        "client_id": uuid4(),
    }


@edge("GET")
def text(
    request: HttpRequest, conversation_id: UUID, kind: str, row_id: UUID
) -> HttpResponse:
    """A message or a tool call in full."""
    found = conversation_for(person(request), conversation_id)
    context = {
        "area": "chat",
        "conversation": found,
        "full": texts.full_text(found, kind, row_id),
    }
    return render(request, "chat/text.html", context)


@edge("GET")
def inbox(request: HttpRequest) -> HttpResponse:
    """What waits for me, the first to expire first."""
    pages = Paginator(waiting_requests(person(request)), REQUESTS_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "chat/inbox.html", {"area": "inbox", "page": page})


def whole_number(value: str | None) -> int | None:
    """A number from an address; nonsense counts as none."""
    if value is None or not value.isdecimal() or len(value) > 11:
        return None
    return int(value)

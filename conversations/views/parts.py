"""Parts of a page that its script asks for over HTTP."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from conversations import rendering
from conversations.permissions import conversation_for
from conversations.selectors import transcript
from conversations.selectors.lists import conversation_list
from conversations.selectors.standing import standing_of
from conversations.views.edges import edge, person
from conversations.views.pages import whole_number
from supervisor_site.common.errors import NotFound


@edge("GET")
def changes(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """What the socket would push after that number, while there is no socket."""
    conversation = conversation_for(person(request), conversation_id)
    after = whole_number(request.GET.get("after")) or 0
    frames = rendering.changes(conversation, after, person(request), set())
    return JsonResponse({"frames": frames}, json_dumps_params={"ensure_ascii": False})


@edge("GET")
def leaf(
    request: HttpRequest, conversation_id: UUID, run_id: UUID, row_id: UUID
) -> HttpResponse:
    """One leaf that was too large to be pushed."""
    conversation = conversation_for(person(request), conversation_id)
    found = transcript.one(conversation, run_id, row_id)
    if found is None:
        raise NotFound("")
    standing = standing_of(conversation, person(request))
    context = rendering.context_for(conversation, person(request), standing)
    return HttpResponse(rendering.render(found, context))


@edge("GET")
def earlier(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """The turns before that number, to be put above the others."""
    conversation = conversation_for(person(request), conversation_id)
    before = whole_number(request.GET.get("before")) or 0
    standing = standing_of(conversation, person(request))
    context = rendering.context_for(conversation, person(request), standing) | {
        "transcript": transcript.read(conversation, before=before)
    }
    return render(request, "chat/earlier.html", context)


@edge("GET")
def items(request: HttpRequest) -> HttpResponse:
    """The list of conversations, or what follows in it from ``offset`` on."""
    offset = whole_number(request.GET.get("offset")) or 0
    found, more = conversation_list(person(request), offset=offset)
    context = {
        "items": found,
        "more_items": more,
        "items_offset": offset + len(found),
        "current": request.GET.get("current", ""),
        "fresh": offset == 0,
    }
    return render(request, "chat/items.html", context)

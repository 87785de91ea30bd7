"""What the forms of a conversation post: each a few lines around one service."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from conversations.permissions import conversation_for, request_for
from conversations.services import conversations
from conversations.services.approvals import revoke
from conversations.services.messages import post_message
from conversations.services.requests import answer_request
from conversations.services.runs import cancel_run, retry_run
from conversations.views.edges import by_script, done, edge, options_of, person, run_of
from conversations.views.pages import show
from supervisor_site.common.errors import AppError, NotFound, invalid
from teams.toolbox.running import ArgumentProblem, parse_arguments


@edge("POST")
def send(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """A message; where it is refused the page keeps the text."""
    conversation = conversation_for(person(request), conversation_id)
    content = request.POST.get("content", "")
    options = options_of(request)
    try:
        post_message(
            user=person(request),
            conversation=conversation,
            content=content,
            options=options,
        )
    except AppError as error:
        if by_script(request):
            raise
        return show(request, conversation, error=error, text=content)
    return done(request, conversation)


@edge("POST")
def stop(request: HttpRequest, conversation_id: UUID, run_id: UUID) -> HttpResponse:
    conversation = conversation_for(person(request), conversation_id)
    run = run_of(person(request), conversation, run_id)
    cancel_run(user=person(request), run=run)
    return done(request, conversation)


@edge("POST")
def retry(request: HttpRequest, conversation_id: UUID, run_id: UUID) -> HttpResponse:
    conversation = conversation_for(person(request), conversation_id)
    run = run_of(person(request), conversation, run_id)
    try:
        retry_run(user=person(request), run=run)
    except AppError as error:
        if by_script(request):
            raise
        return show(request, conversation, error=error)
    return done(request, conversation)


@edge("POST")
def answer(
    request: HttpRequest, conversation_id: UUID, request_id: UUID
) -> HttpResponse:
    """An answer, a decision or a recovery choice; the second one is told the first."""
    conversation = conversation_for(person(request), conversation_id)
    asked = request_for(person(request), request_id)
    if asked.run.conversation_id != conversation.id:
        raise NotFound("")
    try:
        answer_request(
            user=person(request),
            request=asked,
            answer=request.POST.get("answer", ""),
            decision=request.POST.get("decision", ""),
            reason=request.POST.get("reason", ""),
            arguments=_arguments(request.POST.get("arguments", "")),
            remember=bool(request.POST.get("remember")),
        )
    except AppError as error:
        if by_script(request):
            raise
        return show(request, conversation, error=error)
    return done(request, conversation)


def _arguments(text: str) -> dict[str, Any] | None:
    """The changed arguments as a person wrote them; ``None`` where nothing is sent."""
    if not text.strip():
        return None
    read = parse_arguments(text)
    if isinstance(read, ArgumentProblem):
        raise invalid("arguments", _("The arguments must be one JSON object."))
    return read


@edge("POST")
def ask_again(
    request: HttpRequest, conversation_id: UUID, approval_id: int
) -> HttpResponse:
    """A tool that was allowed for the conversation needs an approval again."""
    conversation = conversation_for(person(request), conversation_id)
    found = conversation.standing_approvals.filter(pk=approval_id).first()
    if found is not None:
        revoke(user=person(request), approval=found)
    return redirect("conversation", conversation.id)


@edge("POST")
def end(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """End the conversation; what is at work in it is stopped."""
    conversation = conversation_for(person(request), conversation_id)
    conversations.end(user=person(request), conversation=conversation)
    return done(request, conversation)


@edge("POST")
def reopen(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    conversation = conversation_for(person(request), conversation_id)
    conversations.reopen(user=person(request), conversation=conversation)
    return done(request, conversation)


@edge("POST")
def rename(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    conversation = conversation_for(person(request), conversation_id)
    conversations.rename(
        user=person(request),
        conversation=conversation,
        title=request.POST.get("title", ""),
    )
    return done(request, conversation)


@edge("POST")
def delete(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    conversation = conversation_for(person(request), conversation_id)
    conversations.delete(user=person(request), conversation=conversation)
    if by_script(request):
        return HttpResponse(headers={"HX-Redirect": "/"})
    return redirect("chat")

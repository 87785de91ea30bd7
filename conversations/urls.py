"""Addresses of the chat."""

from __future__ import annotations

from django.urls import path

from conversations.views import commands, pages, parts

C = "c/<uuid:conversation_id>/"

urlpatterns = [
    path("", pages.home, name="chat"),
    path("inbox/", pages.inbox, name="inbox"),
    path("conversations/", parts.items, name="chat-items"),
    path(C, pages.conversation, name="conversation"),
    path(C + "changes/", parts.changes, name="chat-changes"),
    path(C + "earlier/", parts.earlier, name="chat-earlier"),
    path(C + "leaves/<uuid:run_id>/<uuid:row_id>/", parts.leaf, name="chat-leaf"),
    path(C + "text/<str:kind>/<uuid:row_id>/", pages.text, name="chat-text"),
    path(C + "messages/", commands.send, name="chat-send"),
    path(C + "runs/<uuid:run_id>/stop/", commands.stop, name="chat-stop"),
    path(C + "runs/<uuid:run_id>/retry/", commands.retry, name="chat-retry"),
    path(C + "requests/<uuid:request_id>/", commands.answer, name="chat-answer"),
    path(C + "end/", commands.end, name="chat-end"),
    path(C + "reopen/", commands.reopen, name="chat-reopen"),
    path(C + "approvals/<int:approval_id>/", commands.ask_again, name="chat-ask-again"),
    path(C + "rename/", commands.rename, name="chat-rename"),
    path(C + "delete/", commands.delete, name="chat-delete"),
]

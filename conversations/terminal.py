"""A run shown in a terminal: texts as they come, each with its speaker's name, and
what waits for a person asked at the prompt."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import TextIO
from uuid import UUID

from django.contrib.auth.models import User

from conversations import events
from conversations.choices import (
    RUN_ENDED,
    MessageRole,
    MessageState,
    RequestKind,
    RequestState,
    RunState,
)
from conversations.error_texts import error_message
from conversations.models import HumanRequest, Message, Run, ToolCall
from conversations.permissions import request_for
from conversations.services.requests import answer_request
from supervisor_site.common.errors import AppError

POLL_SECONDS = 0.3


@dataclass
class Terminal:
    """Where to write, and whether there is somebody to ask."""

    out: TextIO
    quiet: bool = False
    debug: bool = False
    ask: bool = True
    _news: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _shown: dict[UUID, int] = field(default_factory=dict)
    _tools: set[UUID] = field(default_factory=set)
    _speaker: UUID | None = None
    _run_id: UUID | None = None

    def follow(self, user: User, run: Run) -> Run:
        """Show the run until it ends, or waits and nobody is to be asked."""
        self._run_id = run.id
        events.on_delta(self._delta)
        events.on_wake(self._wake)
        try:
            while True:
                run = self._look(run)
                if run.state in RUN_ENDED:
                    self._ended(run)
                    return run
                if run.state == RunState.WAITING_FOR_HUMAN and not self._answered(
                    user, run
                ):
                    return run
                self._news.wait(POLL_SECONDS)
                self._news.clear()
        finally:
            events.off(self._delta)
            events.off(self._wake)

    def _look(self, run: Run) -> Run:
        """Read the run, and show what other processes have written meanwhile."""
        fresh = Run.objects.select_related(
            "conversation__team", "requested_by", "request"
        ).get(pk=run.pk)
        if not self.quiet:
            for message in Message.objects.filter(
                run=fresh, role=MessageRole.ASSISTANT
            ).exclude(state=MessageState.PARTIAL):
                self._show(message)
            if self.debug:
                self._show_tools(fresh)
        return fresh

    def _show(self, message: Message) -> None:
        with self._lock:
            seen = self._shown.get(message.id, 0)
            rest = message.text[seen:]
            if rest:
                self._speak(message.id, message.author, rest)
            self._shown[message.id] = len(message.text)

    def _show_tools(self, run: Run) -> None:
        for call in ToolCall.objects.filter(
            task_run__run=run, finished_at__isnull=False
        ):
            if call.id not in self._tools:
                self._tools.add(call.id)
                arguments = json.dumps(call.arguments, ensure_ascii=False)
                self._line(
                    f"  · {call.name}({arguments}) → {call.state}: {call.result[:200]}"
                )

    def _delta(self, delta: events.DraftDelta) -> None:
        if self.quiet or delta.run_id != self._run_id:
            return
        with self._lock:
            if delta.offset == 0 and self._shown.get(delta.message_id):
                # A new attempt starts over.
                self._shown[delta.message_id] = 0
                self._speaker = None
            if delta.offset == self._shown.get(delta.message_id, 0):
                self._speak(delta.message_id, delta.agent, delta.text)
                self._shown[delta.message_id] = delta.offset + len(delta.text)

    def _wake(self, conversation_id: UUID, number: int) -> None:
        self._news.set()

    def _speak(self, message_id: UUID, author: str, text: str) -> None:
        if self._speaker != message_id:
            self.out.write(f"\n{author}: ")
            self._speaker = message_id
        self.out.write(text)
        self.out.flush()

    def _line(self, text: str) -> None:
        if not self.quiet:
            with self._lock:
                self._speaker = None
                self.out.write(f"\n{text}")
                self.out.flush()

    def _ended(self, run: Run) -> None:
        if run.error_code:
            self._line(error_message(run.error_code, run.error_params))
        elif run.state == RunState.CANCELLED:
            self._line("Stopped.")
        if not self.quiet:
            self.out.write("\n")

    def _answered(self, user: User, run: Run) -> bool:
        """Ask at the prompt for each open request; ``False`` with nobody to ask."""
        waiting = HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
        if not self.ask:
            for request in waiting.select_related("call", "task_run"):
                self._line(f"Waiting for a person: {self._question(request)}")
            return False
        for request_id in waiting.order_by("created_at").values_list("id", flat=True):
            self._put(user, request_for(user, request_id))
        return True

    def _put(self, user: User, request: HumanRequest) -> None:
        self._line(self._question(request))
        self.out.write("\n> ")
        self.out.flush()
        text = input().strip()
        try:
            if request.kind == RequestKind.QUESTION:
                answer_request(user=user, request=request, answer=text)
            elif request.kind == RequestKind.APPROVAL:
                yes = text.lower() in ("y", "yes", "approve")
                reason = "" if text.lower() in ("n", "no", "deny") or yes else text
                decision = "approve" if yes else "deny"
                answer_request(
                    user=user, request=request, decision=decision, reason=reason
                )
            else:
                answer_request(user=user, request=request, decision=text.lower())
        except AppError as error:
            self._line(error.message)

    def _question(self, request: HumanRequest) -> str:
        who = request.task_run.label
        if request.kind == RequestKind.QUESTION:
            choices = f" ({' / '.join(request.choices)})" if request.choices else ""
            return f"{who} asks: {request.prompt}{choices}"
        arguments = json.dumps(request.call.arguments, ensure_ascii=False, indent=2)
        if request.kind == RequestKind.APPROVAL:
            tool = request.call.tool_name
            wish = f"{who} wants to call {tool} with {arguments}"
            return f"{wish}\nApprove? [yes/no, or a reason]"
        return f"{request.call.tool_name} was interrupted. Type retry, skip or fail."

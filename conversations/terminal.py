"""A run shown in a terminal: texts as they come, each with its speaker's name, who
delegates and hands over to whom, and what waits for a person asked at the prompt."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO
from uuid import UUID

from django.contrib.auth.models import User

from conversations import events, terminal_lines
from conversations.choices import (
    RUN_ENDED,
    EventKind,
    MessageRole,
    MessageState,
    RequestState,
    RunState,
)
from conversations.error_texts import error_message
from conversations.models import (
    Event,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.permissions import request_for
from conversations.selectors.private import hidden_tasks_of, is_said_to_people
from conversations.services.requests import answer_request
from conversations.terminal_lines import Answer, ending, question, read_answer
from supervisor_site.common.errors import AppError

POLL_SECONDS = 0.3


@dataclass
class Terminal:
    """Where to write, and whether there is somebody to ask. Where nobody reads any
    more the run goes on in silence."""

    out: TextIO
    quiet: bool = False
    debug: bool = False
    ask: bool = True
    _news: threading.Event = field(default_factory=threading.Event)
    _pieces: deque[events.DraftDelta] = field(default_factory=deque)
    _shown: dict[UUID, int] = field(default_factory=dict)
    _complete: set[UUID] = field(default_factory=set)
    _told: set[tuple[str, UUID]] = field(default_factory=set)
    _hidden: set[UUID] = field(default_factory=set)
    _number: int = 0
    _speaker: UUID | None = None
    _run_id: UUID | None = None
    _line_begins: bool = True

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
                    self._line(terminal_lines.go_on(run))
                    return run
                self._news.wait(POLL_SECONDS)
                self._news.clear()
        finally:
            events.off(self._delta)
            events.off(self._wake)

    def _look(self, run: Run) -> Run:
        """Read the run, and show what its events tell: this process may not be the
        one that works on it."""
        # Taken before the rows are read, which then have all that they follow.
        pieces = [self._pieces.popleft() for _ in range(len(self._pieces))]
        fresh = Run.objects.select_related(
            "conversation__team", "requested_by", "request"
        ).get(pk=run.pk)
        if self.quiet:
            return fresh
        self._hidden = hidden_tasks_of(fresh)
        news = Event.objects.filter(run=fresh, number__gt=self._number)
        for event in news.order_by("number"):
            self._number = event.number
            show = self._shows().get(event.kind)
            if show:
                show(event.row)
        for piece in pieces:
            self._piece(piece)
        return fresh

    def _shows(self) -> dict[str, Callable[[UUID], None]]:
        always: dict[str, Callable[[UUID], None]] = {
            EventKind.MESSAGE.value: self._message,
            EventKind.TASK_RUN_STATE.value: self._task,
        }
        if not self.debug:
            return always
        return always | {
            EventKind.TOOL_CALL_STATE.value: self._tool,
            EventKind.MODEL_CALL.value: self._model,
        }

    def _message(self, row: UUID) -> None:
        message = Message.objects.get(pk=row)
        said = message.role == MessageRole.ASSISTANT
        if message.state == MessageState.PARTIAL or not said:
            return
        if not is_said_to_people(message, self._hidden):
            return
        rest = message.text[self._shown.get(message.id, 0) :]
        if rest:
            self._speak(message.id, message.author, rest)
        self._complete.add(message.id)

    def _piece(self, delta: events.DraftDelta) -> None:
        if delta.message_id in self._complete:
            return
        if delta.offset == 0 and self._shown.get(delta.message_id):
            # A new attempt starts over.
            self._shown[delta.message_id] = 0
            self._speaker = None
        if delta.offset == self._shown.get(delta.message_id, 0):
            self._speak(delta.message_id, delta.agent, delta.text)
            self._shown[delta.message_id] = delta.offset + len(delta.text)

    def _task(self, row: UUID) -> None:
        """Who passed what on to whom, once, when the other begins."""
        task = TaskRun.objects.select_related("origin_call__task_run").get(pk=row)
        if task.origin_call and task.parent_id not in self._hidden:
            self._once("task", row, terminal_lines.passed_on(task))

    def _tool(self, row: UUID) -> None:
        call = ToolCall.objects.select_related("task_run").get(pk=row)
        if call.finished_at and call.task_run_id not in self._hidden:
            self._once("tool", row, terminal_lines.tool_call(call))

    def _model(self, row: UUID) -> None:
        call = ModelCall.objects.select_related("task_run").get(pk=row)
        if call.finished_at and call.task_run_id not in self._hidden:
            self._once("model", row, terminal_lines.model_call(call))

    def _once(self, kind: str, row: UUID, text: str) -> None:
        if (kind, row) not in self._told:
            self._told.add((kind, row))
            self._line(text)

    def _delta(self, delta: events.DraftDelta) -> None:
        if delta.run_id == self._run_id:
            self._pieces.append(delta)
            self._news.set()

    def _wake(self, conversation_id: UUID, number: int) -> None:
        self._news.set()

    def _ended(self, run: Run) -> None:
        for notice in run.notices:
            self._line(error_message(notice["code"], notice.get("params")))
        if run.error_code:
            self._line(error_message(run.error_code, run.error_params))
        elif run.state == RunState.CANCELLED:
            self._line("Stopped.")
        if run.ended_by:
            self._line(ending(run.ended_by))
        self._line(terminal_lines.go_on(run))

    def _answered(self, user: User, run: Run) -> bool:
        """Ask at the prompt for each open request; ``False`` with nobody to ask."""
        waiting = HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
        if not self.ask:
            for request in waiting.select_related("call", "task_run", "run"):
                self._line(f"Waiting for a person: {question(request)}")
            return False
        order = waiting.order_by("call__created_at", "call__position")
        try:
            for request_id in order.values_list("id", flat=True):
                self._put(user, request_for(user, request_id))
        except EOFError:
            # Nobody is there after all.
            self.ask = False
        return self.ask

    def _put(self, user: User, request: HumanRequest) -> None:
        """What is asked is shown in any case: else nobody could answer it."""
        self._tell(question(request))
        self._write("> ")
        if not self.ask:
            raise EOFError
        given: Answer = read_answer(request, input())
        # The line that was typed ends this one, where it was typed here.
        self._line_begins = sys.stdin.isatty()
        try:
            answer_request(user=user, request=request, **given)
        except AppError as error:
            self._tell(error.message)

    def _speak(self, message_id: UUID, author: str, text: str) -> None:
        if self._speaker != message_id:
            self._begin_line()
            self._write(f"{author}: ")
            self._speaker = message_id
        self._write(text)

    def _line(self, text: str) -> None:
        if not self.quiet:
            self._tell(text)

    def _tell(self, text: str) -> None:
        self._speaker = None
        self._begin_line()
        self._write(f"{text}\n")

    def _begin_line(self) -> None:
        if not self._line_begins:
            self._write("\n")

    def _write(self, text: str) -> None:
        try:
            self.out.write(text)
            self.out.flush()
        except BrokenPipeError:
            self.quiet, self.ask = True, False
            write_into_nothing(self.out)
        self._line_begins = text.endswith("\n")


def write_into_nothing(out: TextIO) -> None:
    """Nobody reads this output any more; what is still written to it is lost without
    an error, at the end of the process too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())

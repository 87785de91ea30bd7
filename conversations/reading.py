"""What one open page has been sent, and what it is sent next.

Pieces of text are kept in order and merged; where some are missing (the page joined
late, or the layer dropped one) the text so far is read from its row, which the writer
flushes every second.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.utils.translation import override

from conversations.models import Conversation
from conversations.permissions import conversation_for
from conversations.push import in_thread
from conversations.rendering import Draft, Frame, changes, drafts, place_of
from supervisor_site.common.errors import NotFound

CHECK_SECONDS = 1.0
PIECE_CHARACTERS = 12_000
PIECES_KEPT = 500
TRIES = 5


class RefusedError(Exception):
    """Nobody is logged in there, or not anybody who may read this conversation."""


def person_of(session_key: str) -> User:
    """Who the session belongs to now; raises ``RefusedError`` for nobody."""
    request = HttpRequest()
    request.session = SessionStore(session_key or None)
    user = get_user(request)
    if not isinstance(user, User) or not user.is_active:
        raise RefusedError
    return user


@dataclass
class Feed:
    """``number``: all up to it was sent. ``wanted``: there is more, up to it.

    ``ends`` says how far each draft was sent, ``missing`` where pieces are lost and
    how often the row was looked at.
    """

    conversation_id: UUID
    session_key: str
    language: str = ""
    number: int = 0
    wanted: int = 0
    known: set[str] = field(default_factory=set)
    pieces: list[Frame] = field(default_factory=list)
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    places: dict[str, Frame] = field(default_factory=dict)
    checked_at: float = 0.0

    def check(self) -> tuple[User, Conversation]:
        """Who reads what; raises ``RefusedError``. Reads the rows each time."""
        user = person_of(self.session_key)
        try:
            conversation = conversation_for(user, self.conversation_id)
        except NotFound as error:
            raise RefusedError from error
        self.checked_at = time.monotonic()
        return user, conversation

    def open(self, after: str) -> None:
        """Begin after the number that the page has; nonsense counts as nothing."""
        _user, conversation = self.check()
        if self.language not in dict(settings.LANGUAGES):
            self.language = settings.LANGUAGE_CODE
        seen = int(after) if after.isdecimal() and len(after) < 12 else 0
        self.number = min(seen, conversation.last_number)
        self.wanted = conversation.last_number

    def add(self, piece: dict[str, Any]) -> None:
        """A piece as it was published."""
        message = piece["message"]
        attempt, end = self.ends.get(message, (piece["attempt"], 0))
        if piece["offset"] == 0 or piece["attempt"] > attempt:
            # A new attempt, or after a crash the same call again from its beginning.
            end = 0
        elif piece["attempt"] < attempt:
            return
        if piece["offset"] > end or len(self.pieces) >= PIECES_KEPT:
            self.missing.setdefault(message, 0)
        if len(self.pieces) < PIECES_KEPT:
            self.pieces.append({k: v for k, v in piece.items() if k != "type"})
            end = max(end, piece["offset"] + len(piece["text"]))
        self.ends[message] = (piece["attempt"], end)

    def add_draft(self, draft: Draft) -> bool:
        """The text so far, from its row; false if it tells nothing new."""
        message = str(draft.message_id)
        attempt, end = self.ends.get(message, (draft.attempt, 0))
        if draft.attempt < attempt:
            return False
        start = end if draft.attempt == attempt and message not in self.missing else 0
        if len(draft.text) <= start:
            return False
        self.missing.pop(message, None)
        self.ends[message] = (draft.attempt, max(end, len(draft.text)))
        self.pieces.append(
            {
                "message": message,
                "task": str(draft.task_id),
                "run": str(draft.run_id),
                "agent": draft.agent,
                "attempt": draft.attempt,
                "offset": start,
                "text": draft.text[start:],
                "row": True,
            }
        )
        return True

    async def frames(self) -> AsyncIterator[Frame]:
        """All there is to send now: rows first, then text being written."""
        while self.wanted > self.number:
            frames = await in_thread(self._read)
            if not frames:
                self.wanted = self.number
            for frame in frames:
                yield frame
                self.number = frame.get("number", self.number)
        if self.missing:
            await in_thread(self._look)
        pieces, self.pieces = self.pieces, []
        if pieces and time.monotonic() - self.checked_at > CHECK_SECONDS:
            await in_thread(self.check)
        for piece in merged(pieces):
            if piece["task"] not in self.places:
                await in_thread(self._find_place, piece)
            yield {"delta": {**piece, **self.places[piece["task"]]}}

    def _read(self) -> list[Frame]:
        user, conversation = self.check()
        with override(self.language):
            frames = changes(conversation, self.number, user, self.known)
        if frames and not frames[-1]["open"]:
            self.ends.clear()
            self.missing.clear()
        return frames

    def _look(self) -> None:
        for draft in drafts([self.conversation_id]):
            self.add_draft(draft)
        tried = {message: tries + 1 for message, tries in self.missing.items()}
        self.missing = {m: tries for m, tries in tried.items() if tries < TRIES}

    def _find_place(self, piece: Frame) -> None:
        _user, conversation = self.check()
        task = UUID(piece["task"])
        self.places[piece["task"]] = place_of(conversation, UUID(piece["run"]), task)


def merged(pieces: list[Frame]) -> Iterator[Frame]:
    """Neighbouring pieces as one, long ones in parts."""
    joined: list[Frame] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is not None and _follows(last, piece):
            last["text"] += piece["text"]
        else:
            joined.append(dict(piece))
    for piece in joined:
        text = piece["text"]
        for start in range(0, len(text), PIECE_CHARACTERS):
            part = text[start : start + PIECE_CHARACTERS]
            yield {**piece, "offset": piece["offset"] + start, "text": part}


def _follows(last: Frame, piece: Frame) -> bool:
    return (
        last["message"] == piece["message"]
        and not (last.get("row") or piece.get("row"))
        and last["attempt"] == piece["attempt"]
        and last["offset"] + len(last["text"]) == piece["offset"]
    )

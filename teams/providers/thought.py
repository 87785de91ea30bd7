"""Keeps what a model thinks apart from what it says, where both come as one text."""

from __future__ import annotations

from enum import Enum, auto

TAGS = ("<think>", "<thinking>")


class _At(Enum):
    START = auto()
    THOUGHT = auto()
    AFTER = auto()
    TEXT = auto()


class LeadingThought:
    """Takes a ``<think>`` block from the beginning of a streamed text.

    ``mode``: ``auto`` (a block at the very beginning), ``prefilled`` (the text begins
    inside a block, as its opening tag was in the prompt) or ``off``. Blanks at the
    beginning are held back until something follows.
    """

    def __init__(self, mode: str = "auto") -> None:
        self._at = _At.THOUGHT if mode == "prefilled" else _At.START
        self._tags = TAGS if mode == "auto" else ()
        self._close = "</think>"
        self._held = ""

    @property
    def passing(self) -> bool:
        """Everything from now on is text."""
        return self._at is _At.TEXT

    def feed(self, piece: str) -> tuple[str, str]:
        """``(said, thought)`` of what is certain by now."""
        if self._at is _At.TEXT:
            return piece, ""
        self._held += piece
        if self._at is _At.START:
            self._start()
        thought = self._thought() if self._at is _At.THOUGHT else ""
        if self._at is _At.AFTER:
            self._held = self._held.lstrip()
            self._at = _At.TEXT if self._held else _At.AFTER
        if self._at is _At.TEXT:
            return self._take(len(self._held)), thought
        return "", thought

    def end(self) -> tuple[str, str]:
        """What was held back for a tag that never came."""
        rest = self._take(len(self._held))
        if self._at is _At.THOUGHT:
            return "", rest
        return (rest if rest.strip() else ""), ""

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        return taken

    def _start(self) -> None:
        begun = self._held.lstrip()
        for tag in self._tags:
            if begun.startswith(tag):
                self._held = begun[len(tag) :]
                self._close = f"</{tag[1:]}"
                self._at = _At.THOUGHT
                return
        if begun and not any(tag.startswith(begun) for tag in self._tags):
            self._at = _At.TEXT

    def _thought(self) -> str:
        before, found, after = self._held.partition(self._close)
        if found:
            self._held = after
            self._at = _At.AFTER
            return before
        # The end may be the beginning of the closing tag.
        longest = min(len(self._close) - 1, len(self._held))
        for length in range(longest, 0, -1):
            if self._close.startswith(self._held[-length:]):
                return self._take(len(self._held) - length)
        return self._take(len(self._held))

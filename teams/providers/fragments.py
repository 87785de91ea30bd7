"""Puts function calls together from the fragments that servers stream.

Servers disagree on everything: the index may be missing or always 0, the id late,
missing or new in each fragment, the name whole, repeated or split, the arguments
text, nothing or an object already. A fragment is taken as the start of a new call
only where nothing else makes sense of it; the place inside a chunk says little.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from teams.providers.types import FunctionCall

BLANKS = re.compile(r"[ \t\r\n]*")
SPLIT_AT_MOST = 64
DOUBTS_AT_MOST = 8


@dataclass(slots=True)
class Fragment:
    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(slots=True)
class OpenCall:
    """A call being put together; ``pieces`` are never empty texts."""

    id: str
    name: str
    pieces: list[str] = field(default_factory=list)
    doubts: int = 0

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)

    def complete(self) -> bool:
        """Whether the arguments are a finished JSON object."""
        ends = next((p for p in reversed(self.pieces) if p.strip()), "")
        if not ends.rstrip().endswith("}") or self.doubts == DOUBTS_AT_MOST:
            return False
        if is_object(self.arguments):
            return True
        # Reading a long text again and again would take for ever; what is missed
        # here is still split in the end.
        self.doubts += 1
        return False

    def opened_empty(self) -> bool:
        """Whether it was opened with ``{}``, which may stand for what is to come."""
        return len(self.pieces) == 1 and self.pieces[0].strip() == "{}"


def is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def read_fragment(raw: Any) -> Fragment | None:
    """What a server sent as one entry of ``tool_calls``; None if it says nothing."""
    if not isinstance(raw, dict):
        return None
    function = raw.get("function")
    function = function if isinstance(function, dict) else {}
    index, id_, name = raw.get("index"), raw.get("id"), function.get("name")
    arguments = function.get("arguments")
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return Fragment(
        index=index if type(index) is int else None,
        id=str(id_) if id_ or id_ == 0 else "",
        name=name.strip() if isinstance(name, str) else "",
        arguments=arguments,
    )


class CallAssembler:
    """Feed it fragments in order; ``calls()`` gives what was asked for.

    ``offered``: the function names of the request, which decide whether two names
    are two calls or two halves of one.
    """

    def __init__(self, offered: Iterable[str] = ()) -> None:
        self._offered = frozenset(offered)
        self._open: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}
        self._by_id: dict[str, OpenCall] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def add(self, raw: Any) -> None:
        fragment = read_fragment(raw)
        if fragment is None:
            return
        call = self._place(fragment)
        if call is None or self._starts_new(call, fragment):
            self._begin(fragment, call)
        else:
            self._continue(call, fragment)

    def _place(self, fragment: Fragment) -> OpenCall | None:
        """The open call a fragment may go on with."""
        if fragment.index is not None and fragment.index in self._by_index:
            return self._by_index[fragment.index]
        if fragment.id in self._by_id and not (
            fragment.name and fragment.index is not None
        ):
            return self._by_id[fragment.id]
        if fragment.name and (fragment.id or fragment.index is not None):
            return None
        return self._open[-1] if self._open else None

    def _starts_new(self, call: OpenCall, fragment: Fragment) -> bool:
        if not fragment.name and call.opened_empty():
            return False
        if fragment.arguments.lstrip().startswith("{") and call.complete():
            return True
        if not fragment.name:
            return False
        if fragment.id and call.id and fragment.id != call.id:
            # A new id in each fragment of one call, or a new call?
            return fragment.name != call.name or not call.pieces or call.complete()
        return self._other_name(call, fragment.name)

    def _other_name(self, call: OpenCall, name: str) -> bool:
        """Whether the name is another function's, not this one's or its second half."""
        if name == call.name or not call.name:
            return False
        if call.name + name in self._offered or call.name not in self._offered:
            return bool(call.pieces)
        return name in self._offered or bool(call.pieces)

    def _begin(self, fragment: Fragment, before: OpenCall | None) -> None:
        name = fragment.name or (before.name if before else "")
        call = OpenCall(fragment.id, name)
        self._open.append(call)
        self._take(call, fragment)

    def _continue(self, call: OpenCall, fragment: Fragment) -> None:
        call.id = call.id or fragment.id
        if fragment.name:
            call.name = self._joined(call.name, fragment.name)
        elif fragment.arguments and call.opened_empty():
            call.pieces.clear()
        self._take(call, fragment)

    def _take(self, call: OpenCall, fragment: Fragment) -> None:
        if fragment.arguments:
            call.pieces.append(fragment.arguments)
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        if fragment.id:
            self._by_id[fragment.id] = call

    def _joined(self, name: str, more: str) -> str:
        """A name that was split, sent again, or sent again with more of it."""
        if name + more in self._offered:
            return name + more
        return more if more.startswith(name) else name + more

    def calls(self, *, cut_off: bool = False) -> tuple[FunctionCall, ...]:
        """The calls in order, with ids made where they are missing or not unique.

        ``cut_off``: the token limit ended the reply, so that a last call without
        whole arguments is left out.
        """
        made = [whole for call in self._open for whole in _split(call)]
        if cut_off and made and not is_object(made[-1].arguments):
            made.pop()
        return tuple(_unique(made))


def _split(call: OpenCall) -> Iterator[FunctionCall]:
    """One call, or several where whole objects stand back to back."""
    text = call.arguments
    if not (call.name or text.strip()):
        return
    parts = _objects(text)
    if len(parts) < 2:
        yield FunctionCall(call.id, call.name, text)
        return
    for number, part in enumerate(parts):
        yield FunctionCall(call.id if number == 0 else "", call.name, part)


def _objects(text: str) -> list[str]:
    """The JSON objects that make up a text; nothing if it is anything else."""
    found: list[str] = []
    decoder = json.JSONDecoder()
    rest = text.rstrip()
    position = _after_blanks(rest, 0)
    while position < len(rest):
        start = position
        try:
            value, end = decoder.raw_decode(rest, start)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict) or len(found) == SPLIT_AT_MOST:
            return []
        found.append(rest[start:end])
        position = _after_blanks(rest, end)
    return found


def _after_blanks(text: str, position: int) -> int:
    found = BLANKS.match(text, position)
    return found.end() if found else position


def _unique(calls: list[FunctionCall]) -> Iterator[FunctionCall]:
    seen: set[str] = set()
    for call in calls:
        id_ = call.id or f"call_{uuid.uuid4().hex[:24]}"
        number = 2
        while id_ in seen:
            id_ = f"{call.id}_{number}"
            number += 1
        seen.add(id_)
        yield FunctionCall(id_, call.name, call.arguments)

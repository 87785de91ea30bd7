"""Calls through the adapter, waited for: what a test of a provider starts with."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from teams.providers.calls import RunningCall, start_call
from teams.providers.stream import EventDecoder, ReplyAssembler
from teams.providers.types import (
    Connection,
    Delta,
    ModelFailure,
    ModelReply,
    ModelRequest,
)
from tests.support.scripted_model import ScriptedModel

QUESTION = [{"role": "user", "content": "Hello?"}]


def connection_to(model: ScriptedModel, **fields: Any) -> Connection:
    given = {
        "provider": "openai",
        "base_url": model.base_url,
        "api_key": "sk-scripted-key",
        "model": "scripted",
        "parameters": {},
        "compat": {},
        "timeout": 5.0,
        "max_retries": 0,
    }
    return Connection(**{**given, **fields})


def offered(*names: str) -> list[dict[str, Any]]:
    return [
        {"type": "function", "function": {"name": name, "parameters": {}}}
        for name in names
    ]


@dataclass
class Call:
    """A started call and what it told."""

    running: RunningCall = field(init=False)
    deltas: list[Delta] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float = 20.0) -> ModelReply:
        assert self.ended.wait(seconds), "the call has not ended"
        reply = self.running.result()
        assert reply is not None
        return reply

    def failure(self, seconds: float = 20.0) -> ModelFailure:
        try:
            reply = self.wait(seconds)
        except ModelFailure as failure:
            return failure
        raise AssertionError(f"the call did not fail: {reply}")

    def published(self) -> dict[int, str]:
        """Text by attempt, put together from the deltas as a reader would."""
        texts: dict[int, str] = {}
        for delta in self.deltas:
            text = texts.get(delta.attempt, "")
            assert delta.offset == len(text)
            texts[delta.attempt] = text + delta.text
        return texts


def start(
    connection: Connection,
    messages: list[dict[str, Any]] | None = None,
    tools: list[dict[str, Any]] | None = None,
) -> Call:
    call = Call()
    call.running = start_call(
        connection,
        ModelRequest(messages or QUESTION, tools or []),
        on_delta=call.deltas.append,
        notify=call.ended.set,
    )
    return call


def assemble(
    *payloads: dict[str, Any], names: tuple[str, ...] = (), think_tag: str = "auto"
) -> ModelReply:
    """The reply of a stream of these payloads, ended by ``[DONE]``."""
    assembler = ReplyAssembler(offered=names, think_tag=think_tag)
    for payload in payloads:
        assembler.add(payload)
    assembler.end()
    return assembler.reply(done=True)


def decode(*pieces: bytes) -> ModelReply:
    """The reply of a stream that comes in these packets."""
    decoder, assembler = EventDecoder(), ReplyAssembler()
    for piece in pieces:
        for payload in decoder.feed(piece):
            assembler.add(payload)
    for payload in decoder.end():
        assembler.add(payload)
    assembler.end()
    return assembler.reply(done=decoder.done)

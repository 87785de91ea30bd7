"""Calling a model: start a call, look at it from any thread, stop it.

The call itself runs in the background loop. ``start_call`` returns at once; the
caller's thread waits on something of its own that ``notify`` wakes.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from supervisor_site.common.loop import submit
from teams.choices import Provider
from teams.definition import ProfileDefinition
from teams.models import Profile
from teams.providers.compat import digest, wire_body
from teams.providers.connection import connection_for, is_rehearsal
from teams.providers.draft import Draft
from teams.providers.errors import redacted
from teams.providers.retry import wait_before_retry
from teams.providers.types import (
    Connection,
    Delta,
    ModelFailure,
    ModelReply,
    ModelRequest,
)

__all__ = [
    "RunningCall",
    "digest",
    "start_call",
    "test_profile",
    "warm_up",
    "wire_body",
]

TRIAL_TOOL = "report_ready"
TRIAL_GRACE_SECONDS = 5.0
TRIAL_REQUEST = ModelRequest(
    messages=[
        {"role": "system", "content": "You test a connection. Be brief."},
        {"role": "user", "content": f"Call the function {TRIAL_TOOL} once."},
    ],
    tools=[
        {
            "type": "function",
            "function": {
                "name": TRIAL_TOOL,
                "description": "Reports that the connection is ready.",
                "parameters": {"type": "object", "properties": {}},
            },
        }
    ],
)

log = logging.getLogger("supervisor.models")


def warm_up() -> None:
    """Load what the first call needs, which takes a second or two."""
    from teams.providers import exchange  # noqa: F401


def start_call(
    connection: Connection,
    request: ModelRequest,
    *,
    on_delta: Callable[[Delta], None],
    notify: Callable[[], None],
) -> RunningCall:
    """Begin a model call in the background loop and return it.

    ``on_delta`` is called in that loop: the first text at once, then every 50 ms at
    most. ``notify`` is called once, in any thread, when the call has ended.
    """
    # In the caller's thread: the loop carries everybody's streams.
    warm_up()
    call = RunningCall(connection, request, on_delta=on_delta, notify=notify)
    call.begin()
    return call


class RunningCall:
    """A model call on its way, or ended.

    ``attempts``: HTTP requests made so far. ``first_token_at``: when anything of the
    reply came first, in the attempt that counts. ``body_digest``: SHA-256 of the
    body sent.
    """

    def __init__(
        self,
        connection: Connection,
        request: ModelRequest,
        *,
        on_delta: Callable[[Delta], None],
        notify: Callable[[], None],
    ) -> None:
        self.attempts = 0
        self.first_token_at: datetime | None = None
        self._connection = connection
        self._body = wire_body(connection, request)
        self.body_digest = digest(self._body)
        self._offered = tuple(_names(request))
        self._notify = notify
        self._draft = Draft(on_delta)
        self._lock = threading.Lock()
        self._outcome: ModelReply | ModelFailure | None = None
        self._future: Future[None] | None = None

    def begin(self) -> None:
        self._future = submit(self._run())

    def result(self) -> ModelReply | None:
        """The reply, or None while the call runs. Raises its ``ModelFailure``."""
        if isinstance(self._outcome, ModelFailure):
            raise self._outcome
        return self._outcome

    def cancel(self) -> None:
        """End the call now and close its connection; what came so far stays."""
        self._draft.close()
        self._settle(ModelFailure("model_cancelled"))
        if self._future is not None:
            self._future.cancel()

    def partial(self) -> tuple[int, str]:
        """The attempt and its text so far."""
        return self._draft.attempt, self._draft.text()

    async def _run(self) -> None:
        try:
            reply = await self._attempt_until_done()
            self._draft.flush()
            self._settle(reply)
        except ModelFailure as failure:
            self._draft.flush()
            self._settle(self._told(failure))
        except asyncio.CancelledError:
            self._settle(ModelFailure("model_cancelled"))
            raise
        except Exception as error:
            log.exception("A model call failed in an unknown way")
            self._settle(ModelFailure("model_server_error", detail=repr(type(error))))

    async def _attempt_until_done(self) -> ModelReply:
        from teams.providers.exchange import Exchange, encoded

        exchange = Exchange(
            connection=self._connection,
            content=encoded(self._body),
            offered=self._offered,
            on_text=self._draft.say,
            on_first=self._first_token,
        )
        while True:
            self.attempts += 1
            self.first_token_at = None
            self._draft.begin(self.attempts)
            try:
                return await exchange.run()
            except ModelFailure as failure:
                wait = wait_before_retry(
                    failure, self.attempts, self._connection.max_retries
                )
                if wait is None:
                    raise
                log.info(
                    "Model call failed with %s, next attempt in %.1f s",
                    failure.code,
                    wait,
                )
            await asyncio.sleep(wait)

    def _first_token(self) -> None:
        self.first_token_at = datetime.now(UTC)

    def _settle(self, outcome: ModelReply | ModelFailure) -> None:
        """Keep the first outcome and tell about it once."""
        with self._lock:
            if self._outcome is not None:
                return
            self._outcome = outcome
        self._notify()

    def _told(self, failure: ModelFailure) -> ModelFailure:
        """The failure with the host, its detail fit to be stored and shown."""
        if self._connection.provider != Provider.REHEARSAL:
            parts = urlsplit(self._connection.base_url)
            failure.params.setdefault("host", parts.netloc.rpartition("@")[2])
        if failure.code == "model_timeout":
            failure.params.setdefault("seconds", self._connection.timeout)
        if "detail" in failure.params:
            detail = str(failure.params["detail"])
            failure.params["detail"] = redacted(detail, self._connection.api_key)
        return failure


def _names(request: ModelRequest) -> list[str]:
    return [str(tool.get("function", {}).get("name", "")) for tool in request.tools]


def test_profile(profile: Profile) -> dict[str, Any]:
    """One small call, to see whether the profile works and its model calls tools.

    Gives ``{ok, rehearsal, model, latency_ms, first_token_ms, called_tool, text,
    usage, error}``; ``error`` is None or a ``ModelFailure``'s ``{code, params}``.
    """
    started = time.monotonic()
    begun_at = datetime.now(UTC)
    answer = dict.fromkeys(("model", "first_token_ms", "usage", "error"))
    answer |= {"ok": False, "rehearsal": is_rehearsal(profile.provider)}
    answer |= {"called_tool": False, "text": ""}
    try:
        connection = connection_for(_trial_definition(profile))
        answer["model"] = connection.model
        reply, call = _call_once(connection)
    except ModelFailure as failure:
        answer["error"] = {"code": failure.code, "params": failure.params}
    else:
        answer |= {"ok": True, "text": reply.text[:500]}
        answer["called_tool"] = any(c.name == TRIAL_TOOL for c in reply.calls)
        answer["usage"] = asdict(reply.usage) if reply.usage else None
        if call.first_token_at is not None:
            waited = call.first_token_at - begun_at
            answer["first_token_ms"] = round(waited.total_seconds() * 1000)
    answer["latency_ms"] = round((time.monotonic() - started) * 1000)
    return answer


# Its name is the product's word, not pytest's.
test_profile.__test__ = False  # type: ignore[attr-defined]


def _call_once(connection: Connection) -> tuple[ModelReply, RunningCall]:
    ended = threading.Event()
    call = start_call(
        connection, TRIAL_REQUEST, on_delta=lambda delta: None, notify=ended.set
    )
    if not ended.wait(connection.timeout + TRIAL_GRACE_SECONDS):
        call.cancel()
        raise ModelFailure("model_timeout", seconds=connection.timeout)
    reply = call.result()
    assert reply is not None
    return reply, call


def _trial_definition(profile: Profile) -> ProfileDefinition:
    return ProfileDefinition(
        uid=profile.uid,
        name=profile.name,
        provider=profile.provider,
        model=profile.model,
        parameters=profile.parameters,
        compat=profile.compat,
        timeout=profile.timeout,
        max_retries=0,
    )

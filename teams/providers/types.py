"""Our own small types of a model call. The engine knows nothing of wire formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Connection:
    """Where and how to call a model. Holds the key: never logged, never stored."""

    provider: str
    base_url: str
    api_key: str = field(repr=False)
    model: str
    parameters: dict[str, Any]
    compat: dict[str, Any]
    timeout: float
    max_retries: int


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Messages and tools in the chat-completions form, in their plainest shape:
    assistant messages with calls carry ``content: null``; ``compat`` adapts them."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call as the model asked for it; ``arguments`` is its raw text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One finished reply. ``cut_off`` says that the token limit ended it; a call cut
    in the middle is then left out of ``calls``."""

    text: str
    calls: tuple[FunctionCall, ...] = ()
    reasoning: str = ""
    finish_reason: str = ""
    usage: Usage | None = None
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the reply's text at ``offset`` characters of ``attempt`` (from 1).

    A higher attempt replaces all that an earlier one sent.
    """

    attempt: int
    offset: int
    text: str


class ModelFailure(Exception):
    """The model could not answer. ``code`` and ``params`` are stored; the sentence
    people read is made from them where it is shown.

    Codes: ``model_unreachable``, ``model_timeout``, ``model_rate_limited``,
    ``model_key_refused``, ``model_context_too_long``, ``model_bad_request``,
    ``model_server_error``, ``model_stream_broken``, ``model_empty_reply``,
    ``model_host_not_allowed``, ``model_not_configured``, ``model_filtered``,
    ``model_cancelled``. ``params`` may hold ``host``, ``status``, ``seconds``,
    ``detail`` (the server's own words, capped, without secrets), ``reason`` (why a
    host is not allowed: a code of ``supervisor_site.common.hosts``) and ``cut_off``
    (the token limit ended a reply that says nothing).
    """

    def __init__(
        self,
        code: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        **params: Any,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = retryable
        self.retry_after = retry_after
        self.params = params

"""Whether and when a failed model call is tried again."""

from __future__ import annotations

import random

from teams.providers.types import ModelFailure

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_ASKED_WAIT = 60.0
JITTER = 0.25
EMPTY_REPLIES = 2


def wait_before_retry(
    failure: ModelFailure, attempts: int, max_retries: int
) -> float | None:
    """Seconds until the next attempt; None to give up.

    ``attempts`` were made so far. A server's Retry-After is kept, but not a wait of
    more than a minute: the person is told at once instead.
    """
    if not failure.retryable or attempts > max_retries:
        return None
    if failure.code == "model_empty_reply" and attempts >= EMPTY_REPLIES:
        return None
    if failure.retry_after is not None:
        if failure.retry_after > LONGEST_ASKED_WAIT:
            return None
        return failure.retry_after * (1 + JITTER * random.random())  # noqa: S311
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempts - 1))
    return wait * (1 - JITTER * random.random())  # noqa: S311

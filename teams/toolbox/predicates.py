"""Termination predicates: registered functions from a text to yes or no (H6)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.utils.module_loading import autodiscover_modules

logger = logging.getLogger("supervisor.toolbox")

Predicate = Callable[[str], bool]

_predicates: dict[str, Predicate] = {}


def termination_predicate(function: Predicate) -> Predicate:
    """Register a function of any installed app's ``agent_tools.py`` under its name."""
    if function.__name__ in _predicates:
        raise TypeError(f"the predicate {function.__name__!r} is registered already")
    _predicates[function.__name__] = function
    return function


def registered_predicates() -> dict[str, Predicate]:
    autodiscover_modules("agent_tools")
    return dict(_predicates)


def predicate_holds(name: str, text: str) -> bool:
    """Whether it holds for the text. One that is gone or fails ends nothing."""
    predicate = registered_predicates().get(name)
    if predicate is None:
        logger.error("the termination predicate %r is not registered", name)
        return False
    try:
        return bool(predicate(text))
    except Exception:
        logger.exception("the termination predicate %r failed", name)
        return False

"""The Python functions that tools may call: registered names, never import paths.

A function in any installed app's ``agent_tools.py`` becomes callable with
``@agent_tool``; those modules are read when the registry is first asked. Its
signature and docstring say all that a model needs to know.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from django.utils.module_loading import autodiscover_modules

from teams.choices import Approval
from teams.sentences import LENGTH, unknown_places
from teams.toolbox.docstrings import read_docstring
from teams.toolbox.signature import Signature, SignatureUnfit, read_signature

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_TIMEOUT = 60
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,199}")

_functions: dict[str, RegisteredFunction] = {}


class RegistrationRefused(TypeError):
    """A function that cannot be registered; the message says why and where."""


@dataclass(frozen=True, slots=True)
class RegisteredFunction:
    """A function a tool may name, with the defaults its author gave it.

    ``parameters`` is the JSON Schema of its arguments, ``description`` its
    docstring without the sections, ``timeout`` in seconds. ``action`` and
    ``action_done`` are as in ``sentences``.
    """

    name: str
    function: Callable[..., Any]
    signature: Signature
    description: str
    read_only: bool
    replay_safe: bool
    approval: str
    timeout: int
    action: str
    action_done: str

    @property
    def parameters(self) -> dict[str, Any]:
        return self.signature.schema

    @property
    def path(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


@overload
def agent_tool(function: F, /) -> F: ...


@overload
def agent_tool(
    *,
    name: str = "",
    read_only: bool = False,
    replay_safe: bool = False,
    approval: str = "never",
    timeout: int = DEFAULT_TIMEOUT,
    action: str = "",
    action_done: str = "",
) -> Callable[[F], F]: ...


def agent_tool(function: Any = None, /, **options: Any) -> Any:
    """Register a function, plain or async, that agents may be given as a tool.

    ``read_only``: it changes nothing anywhere. ``replay_safe``: running it again
    after a crash does no harm. ``approval``: ``"never"`` or ``"always"`` ask a
    person first. ``timeout``: seconds. All four are the defaults of a tool made
    from it. ``action`` and ``action_done`` say to people what a call will do and
    has done: ``"Send an e-mail to {to}"``, ``"sent an e-mail to {to}"``. A parameter
    annotated ``ToolContext`` is filled in and never shown to the model. The function
    itself is returned unchanged.

    Raises RegistrationRefused for a name that is taken, a bad option or a
    signature that no model could fill.
    """

    def register(target: F) -> F:
        _register(target, **options)
        return target

    return register if function is None else register(function)


def _register(
    function: Callable[..., Any],
    *,
    name: str = "",
    read_only: bool = False,
    replay_safe: bool = False,
    approval: str = "never",
    timeout: int = DEFAULT_TIMEOUT,
    action: str = "",
    action_done: str = "",
) -> None:
    if not inspect.isroutine(function):
        raise RegistrationRefused(f"{function!r} is no function")
    name = name or function.__name__
    where = f"{function.__module__}.{function.__qualname__}"
    if problem := _unfit_options(name, approval, timeout):
        raise RegistrationRefused(f"{where}: {problem}")
    description, texts = read_docstring(function.__doc__)
    try:
        signature = read_signature(function, texts)
    except SignatureUnfit as error:
        raise RegistrationRefused(f"{where}: {error}") from error
    for template in (action, action_done):
        if problem := _unfit(template, signature.schema):
            raise RegistrationRefused(f"{where}: {template!r} {problem}")
    _functions[name] = RegisteredFunction(
        name=name,
        function=function,
        signature=signature,
        description=description,
        read_only=read_only,
        replay_safe=replay_safe,
        approval=approval,
        timeout=timeout,
        action=action,
        action_done=action_done,
    )


def _unfit_options(name: str, approval: str, timeout: Any) -> str:
    if not NAME.fullmatch(name):
        return f"{name!r} is no name for a function"
    if name in _functions:
        return f"the name {name!r} is taken by {_functions[name].path}"
    if approval not in Approval.values:
        return "approval is 'never' or 'always'"
    if not isinstance(timeout, int) or timeout < 1:
        return "timeout is in seconds, at least 1"
    return ""


def _unfit(template: str, schema: dict[str, Any]) -> str:
    if len(template) > LENGTH:
        return f"is longer than {LENGTH} characters"
    unknown = unknown_places(template, schema)
    return f"names {unknown[0]!r}, which is no argument" if unknown else ""


@functools.cache
def _discover() -> None:
    autodiscover_modules("agent_tools")


def registered(name: str) -> RegisteredFunction | None:
    """The function of that name, or None where no installed app has it."""
    if name not in _functions:
        _discover()
    return _functions.get(name)


def all_registered() -> list[RegisteredFunction]:
    """Every function that a tool may name, by name."""
    _discover()
    return [_functions[name] for name in sorted(_functions)]

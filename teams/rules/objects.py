"""What makes a profile, a tool, an agent or a task sound.

Ranges and lengths stand on the model's fields; here is what they cannot say. Each
function takes the object as it would be saved and asks no database.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from teams.choices import Approval, Provider, ToolType
from teams.models import Agent, Definition, Profile, Task, Tool
from teams.providers.compat import OWN, compat_problems

# A call of a model decides on these itself; in a profile they would be ignored.
OWN_PARAMETERS = OWN | {"functions", "function_call"}
TEXT_MAX = 100_000
# Not the six characters themselves, which begin with an escaped backslash.
ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def profile_errors(profile: Profile) -> list[FieldError]:
    """Fields: ``base_url``, ``model``, ``parameters``, ``compat``, the prices."""
    return [*_address(profile), *_model(profile), *_prices(profile)]


def _address(profile: Profile) -> Iterator[FieldError]:
    url = profile.base_url
    if profile.provider != Provider.OPENAI:
        if url:
            yield FieldError(
                "base_url",
                _("Leave the base URL empty: this provider does not use it."),
            )
        return
    if not url:
        # The OpenAI API itself.
        return
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        named = False
    if not named:
        yield FieldError("base_url", _("Give an address that begins with http(s)://."))
    elif parts.username or parts.password or parts.query or parts.fragment:
        yield FieldError(
            "base_url",
            _("Leave user, password and query out of the address; use the API key."),
        )


def _model(profile: Profile) -> Iterator[FieldError]:
    if profile.provider == Provider.OPENAI and not profile.model:
        yield FieldError("model", _("Name the model, as its server calls it."))
    for problem in compat_problems(profile.compat):
        yield FieldError("compat", problem)
    yield from object_value("parameters", profile.parameters)
    if isinstance(profile.parameters, dict):
        for key in sorted(OWN_PARAMETERS & profile.parameters.keys()):
            yield FieldError(
                "parameters",
                _("Remove “%(key)s”: each call sets it itself.") % {"key": key},
            )


def _prices(profile: Profile) -> Iterator[FieldError]:
    for field in ("input_price", "output_price"):
        price = getattr(profile, field)
        if price is not None and price < 0:
            yield FieldError(field, _("Give a price of zero or more."))


def object_value(field: str, value: Any) -> Iterator[FieldError]:
    """A JSON object that any database can store."""
    if not isinstance(value, dict):
        yield FieldError(field, _("Give a JSON object, such as {}."))
    elif problem := json_problem(value):
        yield FieldError(field, problem)


def json_problem(value: Any) -> str:
    """Why a value cannot be stored as JSON everywhere; empty if it can."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (ValueError, TypeError, RecursionError):
        return _("Remove what JSON cannot hold (NaN, Infinity, broken characters).")
    if ESCAPED_NUL.search(text):
        return _("Remove the NUL characters.")
    if len(text) > TEXT_MAX:
        return _("Shorten it to %(limit)d characters at most.") % {"limit": TEXT_MAX}
    return ""


def tool_errors(tool: Tool) -> list[FieldError]:
    """Fields: ``tool_type``, ``function``, ``approval``, ``parameters``,
    ``tool_params``."""
    return [*_function(tool), *_approval(tool), *_schema(tool)]


def _function(tool: Tool) -> Iterator[FieldError]:
    if tool.tool_type != ToolType.FUNCTION:
        if tool.function:
            yield FieldError(
                "function", _("Leave it empty: only a Python function has one.")
            )
        return
    # Finding the functions imports every app's agent_tools, which may import us.
    from teams.toolbox.registry import all_registered, registered

    if not tool.function:
        yield FieldError("function", _("Name the Python function that it calls."))
    elif registered(tool.function) is None:
        known = ", ".join(each.name for each in all_registered()) or _("none")
        yield FieldError(
            "function",
            _("No function “%(name)s” is registered; there are: %(known)s.")
            % {"name": tool.function, "known": known},
        )


def _approval(tool: Tool) -> Iterator[FieldError]:
    if tool.approval not in Approval.values:
        yield FieldError(
            "approval",
            _("Choose one of: %(known)s.") % {"known": ", ".join(Approval.values)},
        )


def _schema(tool: Tool) -> Iterator[FieldError]:
    yield from object_value("tool_params", tool.tool_params)
    errors = [*object_value("parameters", tool.parameters)]
    yield from errors
    if errors or not tool.parameters:
        return
    if tool.tool_type == ToolType.FUNCTION:
        from teams.toolbox.registry import registered

        function = registered(tool.function)
        if function is not None and function.parameters != tool.parameters:
            yield FieldError(
                "parameters", _("Leave it empty: a Python function brings its own.")
            )
        return
    yield from schema_errors(tool.parameters)


def schema_errors(schema: dict[str, Any]) -> Iterator[FieldError]:
    """A JSON Schema that describes a tool's arguments."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        yield FieldError(
            "parameters",
            _("This is no JSON Schema: %(problem)s") % {"problem": error.message[:300]},
        )
        return
    if schema.get("type") != "object":
        yield FieldError(
            "parameters",
            _("Describe an object: {“type”: “object”, “properties”: {…}}."),
        )


def agent_errors(agent: Agent) -> list[FieldError]:
    """Fields: ``role``, ``profile_name``."""
    errors = []
    if not agent.role.strip():
        errors.append(FieldError("role", _("Write who the agent is and what it does.")))
    if agent.profile_id is None:
        errors.append(
            FieldError("profile_name", _("Choose the profile it works with."))
        )
    return errors


def task_errors(task: Task) -> list[FieldError]:
    """Fields: ``instruction``."""
    if task.instruction.strip():
        return []
    return [
        FieldError(
            "instruction",
            _("Write what is to be done; {query} stands for the request."),
        )
    ]


_RULES: dict[type[Definition], Callable[[Any], list[FieldError]]] = {
    Profile: profile_errors,
    Tool: tool_errors,
    Agent: agent_errors,
    Task: task_errors,
}


def object_errors(definition: Definition) -> list[FieldError]:
    """The rules of the object's own kind; a team's are in ``teams.rules.team``."""
    rules = _RULES.get(type(definition))
    return rules(definition) if rules else []

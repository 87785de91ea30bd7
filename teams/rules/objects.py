"""What makes a profile, a tool, an agent or a task sound.

Ranges and lengths stand on the model's fields; here is what they cannot say. Each
function takes the object as it would be saved; only a task's chain of inputs is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from teams.choices import Approval, Provider, ToolType
from teams.models import Agent, Definition, Profile, Task, Team, Tool
from teams.providers.compat import OWN, compat_problems
from teams.rules.schemas import schema_errors
from teams.sentences import unknown_places

# A call of a model decides on these itself; in a profile they would be ignored.
OWN_PARAMETERS = OWN | {"functions", "function_call"}
TEXT_MAX = 100_000
# With user and password, which are refused in words of their own.
HOST = re.compile(r"(.*@)?([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?")
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
    parts = _parted(url)
    if parts is None:
        yield FieldError("base_url", _("Give an address that begins with http(s)://."))
    elif parts.username or parts.password or parts.query or parts.fragment:
        yield FieldError(
            "base_url",
            _("Leave user, password and query out of the address; use the API key."),
        )


def _parted(url: str) -> SplitResult | None:
    """The parts of an address with a host and a port that can be; else nothing. A
    host needs no dot: services in a private network have none."""
    try:
        parts = urlsplit(url)
        sound = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(parts.netloc):
        return None
    return parts if sound and not re.search(r"[\s\\]", url) else None


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
    """Fields: ``tool_type``, ``function``, ``read_only``, ``approval``,
    ``parameters``, ``tool_params``, ``action``, ``action_done``."""
    errors = [*_function(tool), *_care(tool), *_approval(tool), *_schema(tool)]
    return errors or [*_sentences(tool)]


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


def _care(tool: Tool) -> Iterator[FieldError]:
    """A function that may change something is not made harmless by saying so."""
    from teams.toolbox.registry import registered

    function = registered(tool.function) if tool.function else None
    if tool.read_only and function is not None and not function.read_only:
        yield FieldError(
            "read_only",
            _(
                "The function “%(name)s” may change something, as its author says: "
                "leave this off."
            )
            % {"name": tool.function},
        )


def _approval(tool: Tool) -> Iterator[FieldError]:
    given = tool.approval
    if isinstance(given, dict) and given.keys() == {"when"}:
        if given["when"] == {}:
            text = _("Describe the arguments that are to be approved, or write always.")
            yield FieldError("approval", text)
        else:
            yield from schema_errors("approval", given["when"])
    elif given not in Approval.values:
        yield FieldError(
            "approval",
            _(
                "Choose one of: %(known)s; or give {“when”: …} with a JSON Schema of "
                "the arguments that are to be approved."
            )
            % {"known": ", ".join(Approval.values)},
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
    found = [*schema_errors("parameters", tool.parameters)]
    yield from found
    if not found and tool.parameters.get("type") != "object":
        yield FieldError(
            "parameters",
            _("Describe an object: {“type”: “object”, “properties”: {…}}."),
        )


def _sentences(tool: Tool) -> Iterator[FieldError]:
    """Names in braces are arguments of the tool."""
    from teams.toolbox.registry import registered

    function = registered(tool.function) if tool.function else None
    parameters = function.parameters if function else tool.parameters
    for field in ("action", "action_done"):
        unknown = unknown_places(getattr(tool, field), parameters)
        if unknown:
            text = _("It has no argument “%(name)s”; there are: %(known)s.")
            known = ", ".join(parameters.get("properties", {})) or _("none")
            yield FieldError(field, text % {"name": unknown[0], "known": known})


def agent_errors(agent: Agent) -> list[FieldError]:
    """Fields: ``role``, ``profile_name``, ``output_schema``."""
    errors = []
    if not agent.role.strip():
        errors.append(FieldError("role", _("Write who the agent is and what it does.")))
    if agent.profile_id is None:
        errors.append(
            FieldError("profile_name", _("Choose the profile it works with."))
        )
    if agent.output_schema is not None:
        problem = json_problem(agent.output_schema)
        errors += (
            [FieldError("output_schema", problem)]
            if problem
            else schema_errors("output_schema", agent.output_schema)
        )
    return errors


def task_errors(task: Task) -> list[FieldError]:
    """Fields: ``instruction``, ``input``. Reads the chain of inputs."""
    errors = []
    if not task.instruction.strip():
        text = _("Write what is to be done; {query} stands for the request.")
        errors.append(FieldError("instruction", text))
    if task.pk is not None and _in_circle(task):
        text = _("A task cannot wait for its own result: choose another input.")
        errors.append(FieldError("input", text))
    return errors


def _in_circle(task: Task) -> bool:
    """Whether the inputs, and theirs, lead back to the task (S12)."""
    seen: set[int] = set()
    before = task.input
    while before is not None and before.pk not in seen:
        if before.pk == task.pk:
            return True
        seen.add(before.pk)
        before = before.input
    return False


def team_value_errors(team: Team) -> list[FieldError]:
    """Fields: ``run_cost_budget``. What stands on others is in ``teams.rules.team``."""
    if team.run_cost_budget is None or team.run_cost_budget > 0:
        return []
    return [FieldError("run_cost_budget", _("Give an amount above zero, or none."))]


_RULES: dict[type[Definition], Callable[[Any], list[FieldError]]] = {
    Profile: profile_errors,
    Tool: tool_errors,
    Agent: agent_errors,
    Task: task_errors,
    Team: team_value_errors,
}


def object_errors(definition: Definition) -> list[FieldError]:
    """The rules of the object's own kind; a team's are in ``teams.rules.team``."""
    rules = _RULES.get(type(definition))
    return rules(definition) if rules else []

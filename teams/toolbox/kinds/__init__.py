"""How each type of tool runs: one module a kind, all alike."""

from __future__ import annotations

from collections.abc import Mapping

from teams.choices import ToolType
from teams.toolbox.base import ToolKind
from teams.toolbox.kinds import function

KINDS: Mapping[str, ToolKind] = {
    ToolType.FUNCTION: function.KIND,
}


def kind_of(tool_type: str) -> ToolKind | None:
    """The kind, or None for a type that this version of the product has not."""
    return KINDS.get(tool_type)

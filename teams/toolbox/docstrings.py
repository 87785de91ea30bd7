"""What a function's docstring tells a model: the text, and a word per parameter."""

from __future__ import annotations

import inspect
import re

SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Returns|Return|Raises|Yields|Yield|Examples?"
    r"|Notes?|Attributes)\s*:\s*$"
)
PARAMETER_SECTIONS = {"Args", "Arguments", "Parameters", "Params"}
GOOGLE_PARAMETER = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
REST_FIELD = re.compile(r"^:(\w+)\s*([^:]*):\s*(.*)$")
REST_PARAMETERS = {"param", "parameter", "arg", "argument", "key", "keyword"}


def read_docstring(docstring: str | None) -> tuple[str, dict[str, str]]:
    """The description and the texts of the parameters, from Google or reST style.

    The description ends where the first section or field begins.
    """
    lines = inspect.cleandoc(docstring or "").splitlines()
    end = next(
        (n for n, line in enumerate(lines) if SECTION.match(line) or _is_field(line)),
        len(lines),
    )
    parameters = _google_parameters(lines[end:]) | _rest_parameters(lines[end:])
    return "\n".join(lines[:end]).strip(), parameters


def _is_field(line: str) -> bool:
    return REST_FIELD.match(line) is not None


def _google_parameters(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    inside, margin, current = False, 0, ""
    for line in lines:
        section = SECTION.match(line)
        if section or (line and not line[0].isspace()):
            inside = bool(section and section[1] in PARAMETER_SECTIONS)
            margin, current = 0, ""
        elif inside and line.strip():
            indent = len(line) - len(line.lstrip())
            margin = margin or indent
            entry = GOOGLE_PARAMETER.match(line.strip())
            if entry and indent <= margin:
                current = entry[1]
                found[current] = entry[2]
            elif current:
                found[current] = f"{found[current]} {line.strip()}".strip()
    return found


def _rest_parameters(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    current = ""
    for line in lines:
        field = REST_FIELD.match(line)
        if field:
            words = field[2].split()
            current = words[-1] if field[1] in REST_PARAMETERS and words else ""
            if current:
                found[current] = field[3].strip()
        elif current and line[:1].isspace() and line.strip():
            found[current] = f"{found[current]} {line.strip()}".strip()
        else:
            current = ""
    return found

"""The engine imports no view and no template; import-linter checks our own packages."""

from __future__ import annotations

import ast
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "conversations" / "engine"
FORBIDDEN = ("django.template", "django.views", "django.shortcuts", "django.http")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def test_the_engine_imports_no_view_and_no_template() -> None:
    modules = sorted(ENGINE.glob("*.py"))
    assert len(modules) > 10
    wrong = {
        (path.name, name)
        for path in modules
        for name in imported(path)
        if name.startswith(FORBIDDEN)
    }
    assert wrong == set()

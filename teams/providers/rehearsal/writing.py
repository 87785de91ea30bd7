"""Results as Markdown: one record as a list of its fields, several as a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.results import QUOTED_LIMIT, Outcome
from teams.providers.rehearsal.text import all_stems, spaced, split_words
from teams.providers.rehearsal.words import STOP

# A table that people can still read.
MAX_COLUMNS, MAX_ROWS = 8, 50


def written(outcome: Outcome, *, asked: frozenset[str] = frozenset()) -> str:
    """A result in Markdown; fields named by the stems ``asked`` lead it."""
    if outcome.data is not None:
        text = _value(outcome.data, asked)
        if text:
            return text
    text = outcome.text
    return text if len(text) <= QUOTED_LIMIT else f"{text[:QUOTED_LIMIT]}…"


def asked_fields(data: Any, asked: frozenset[str]) -> list[str]:
    """The keys of a record that a question names."""
    if not isinstance(data, dict):
        return []
    return [
        key for key, value in data.items() if _is_plain(value) and _named(key, asked)
    ]


def _named(key: str, asked: frozenset[str]) -> bool:
    words = spaced(key)
    telling = any(word.folded not in STOP for word in split_words(words))
    return telling and all_stems(words) <= asked


def title(name: str) -> str:
    words = spaced(name)
    return (
        words[:1].upper() + words[1:].lower()
        if words.isupper()
        else (words[:1].upper() + words[1:])
    )


def _value(value: Any, asked: frozenset[str]) -> str:
    if isinstance(value, dict):
        return _record(value, asked)
    if isinstance(value, list):
        return _rows(value) if value else phrases.nothing_found()
    return _plain(value)


def _record(record: dict[str, Any], asked: frozenset[str]) -> str:
    fields = _flat(record)
    first = asked_fields(fields, asked)
    lead = [f"**{title(key)}:** {_plain(fields[key])}" for key in first]
    rest = [
        f"- {title(key)}: {_plain(value)}"
        for key, value in fields.items()
        if key not in first and _is_plain(value)
    ]
    tables = [
        f"**{title(key)}** ({len(value)})\n\n{_rows(value)}"
        if value
        else f"**{title(key)}** (0)"
        for key, value in fields.items()
        if isinstance(value, list)
    ]
    parts = ["  \n".join(lead), "\n".join(rest), *tables]
    return "\n\n".join(part for part in parts if part)


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """The fields of a record, those of records in it after their name."""
    fields: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict):
            for inner, part in value.items():
                known = _is_plain(part) or isinstance(part, list)
                fields[f"{key} {inner}"] = (
                    part if known else json.dumps(part, ensure_ascii=False)
                )
        else:
            fields[str(key)] = value
    return fields


def _rows(rows: list[Any]) -> str:
    records = [_flat(row) for row in rows if isinstance(row, dict)]
    if not records or len(records) < len(rows):
        return "\n".join(f"- {_plain(row)}" for row in rows[:MAX_ROWS])
    columns = list(dict.fromkeys(key for record in records for key in record))
    columns = columns[:MAX_COLUMNS]
    lines = [
        _line(title(column) for column in columns),
        _line("---" for _column in columns),
        *(
            _line(_cell(record.get(column)) for column in columns)
            for record in records[:MAX_ROWS]
        ),
    ]
    if len(records) > MAX_ROWS:
        lines.append(f"\n… (+{len(records) - MAX_ROWS})")
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    return _plain(value).replace("|", "\\|").replace("\n", " ")


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _plain(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if isinstance(value, list) and all(_is_plain(part) for part in value):
        return ", ".join(_plain(part) for part in value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def plain_text(markdown: str) -> str:
    """What is written for a page as it reads in a mail: no marks, no table lines."""
    lines = []
    for line in markdown.splitlines():
        if line.startswith("| ---"):
            continue
        if line.startswith("| "):
            line = re.sub(r"(?<!\\) \| ", ", ", line.strip("| ")).replace("\\|", "|")
        lines.append(re.sub(r"^#+ ", "", line).replace("**", "").rstrip())
    return "\n".join(lines)


def joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)

"""Workers and tools as what may be chosen, with the words each is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from teams.providers.rehearsal.matching import (
    DESCRIPTION,
    INSTRUCTION,
    NAME,
    PARAMETER,
    Unit,
    is_doer,
    is_looker,
    is_sender,
    weigh,
)
from teams.providers.rehearsal.parsing import Function, Prompt
from teams.providers.rehearsal.reading import ids_in
from teams.providers.rehearsal.schema import Slot, slots_of
from teams.providers.rehearsal.text import TIME_STEMS, spaced, stems

# What of a worker's texts is read, and of its description shown to people.
_READ, _SHOWN = 2000, 200

# A name of fewer letters, all capitals, is an abbreviation.
_ABBREVIATED = 3

_GENERIC = re.compile(
    r"\b(?:agent|task|worker|tool)s?\b|任务|代理|タスク|エージェント|مهمة|وكيل",
    re.IGNORECASE,
)
# A role speaks to its agent, not to people.
_SPOKEN_TO = re.compile(r"\s*(?:you|your|vous|tu|du|sie|usted)\b|\s*你", re.IGNORECASE)
_IDS = re.compile(
    r"\b(?:ids?|identifiers?|numbers?|codes?|references?|serials?|uuid|num[ée]ros?"
    r"|nummer|kennung|c[óo]digo)\b|号|番号|رقم",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(r"\bInstruction:\s*")


def tool_units(functions: Sequence[Function]) -> list[Unit]:
    return [
        _agent_unit(function) if function.is_agent else _tool_unit(function)
        for function in functions
    ]


def _agent_unit(function: Function) -> Unit:
    """An agent that is offered as a tool: its description is its own role."""
    name = spaced(function.name)
    role = function.description[:_READ]
    weights = weigh([(proper(name), NAME), (role, DESCRIPTION)])
    return Unit(
        name=function.name,
        title=titled(name),
        about="" if _SPOKEN_TO.match(role) else shown(role),
        weights=weights,
        sends=is_sender(name, role),
        looks=False,
        examples=tuple(ids_in(role)),
        named=_speaks_of_ids(role),
    )


def _tool_unit(function: Function) -> Unit:
    slots = slots_of(function.parameters)
    name = spaced(function.name)
    about = shown(function.description) or name
    parts = [(name, NAME), (function.description[:_READ], DESCRIPTION)]
    parts += [(spaced(slot.name), PARAMETER) for slot in slots]
    parts += [(spaced(value), PARAMETER) for slot in slots for value in _words(slot)]
    parts += [(slot.description[:_READ], INSTRUCTION) for slot in slots]
    return Unit(
        name=function.name,
        title=titled(name) if stems(name) else about.rstrip(".。"),
        about=about,
        weights=weigh(parts),
        sends=is_sender(name, function.description[:_READ]),
        looks=is_looker(name, function.description[:_READ]),
        does=is_doer(name, function.description[:_READ]),
        examples=tuple(example for slot in slots for example in slot.examples),
    )


def _words(slot: Slot) -> list[str]:
    """The words a value may be chosen from, unless they are names of days."""
    values = slot.schema.get("enum")
    words = [v for v in values if isinstance(v, str)] if values else []
    return [word for word in words if not TIME_STEMS & set(stems(spaced(word)))]


def worker_units(prompt: Prompt) -> list[Unit]:
    """The workers the delegation tool names, with what the system text says of each."""
    if prompt.delegate is None:
        return []
    properties = prompt.delegate.parameters.get("properties")
    worker = properties.get("worker") if isinstance(properties, dict) else None
    labels = worker.get("enum") if isinstance(worker, dict) else None
    named = [label for label in labels or [] if isinstance(label, str)]
    blocks = _blocks(prompt.system, named)
    return [_worker_unit(label, blocks.get(label, "")) for label in named]


def _blocks(system: str, labels: Sequence[str]) -> dict[str, str]:
    """What stands after each label, up to the next label or heading."""
    start = system.find("# Workers")
    text = system[max(start, 0) :]
    places = []
    for label in labels:
        match = re.search(rf"^[-*\s]*{re.escape(label)}(?![\w/-])", text, re.MULTILINE)
        if match:
            places.append((match.start(), match.end(), label))
    places.sort()
    blocks = {}
    ends = [*(start for start, _end, _label in places[1:]), len(text)]
    for (_start, start, label), end in zip(places, ends, strict=False):
        block = re.split(r"\n#+ ", text[start:end], maxsplit=1)[0]
        blocks[label] = block.strip(" :\n\t-")
    return blocks


@lru_cache(maxsize=512)
def _worker_unit(label: str, block: str) -> Unit:
    about, *instruction = _INSTRUCTION.split(block, maxsplit=1)
    names = [spaced(part) for part in label.split("/")]
    told = instruction[0] if instruction else ""
    parts = [(proper(name), NAME) for name in names]
    parts += [(about[:_READ], DESCRIPTION), (told[:_READ], INSTRUCTION)]
    title = titled(names[-1])
    return Unit(
        name=label,
        title=title,
        about=shown(about or told),
        weights=weigh(parts),
        sends=is_sender(" ".join(names), about[:_READ]),
        looks=False,
        examples=tuple(ids_in(block[:_READ])),
        named=_speaks_of_ids(block[:_READ]),
    )


def _speaks_of_ids(text: str) -> bool:
    return bool(_IDS.search(text) or ids_in(text))


def proper(name: str) -> str:
    """A name without "agent", "task" and the like."""
    return _GENERIC.sub(" ", name)


def titled(name: str) -> str:
    """A name for people: \"Tracking\" for ``TRACKING_TASK``."""
    words = proper(name).split() or name.split()
    text = " ".join(words)
    short = len(text) < _ABBREVIATED
    text = text.lower() if text.isupper() and not short else text
    return text[:1].upper() + text[1:]


def shown(text: str) -> str:
    """The first sentence, for people."""
    line = re.split(r"(?<=[.!?。！？])\s", " ".join(text.split()), maxsplit=1)[0]
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"

"""A tool's JSON Schema as slots to fill, each with a kind that says what may fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.reading import ids_in
from teams.providers.rehearsal.text import all_stems, spaced, split_words
from teams.providers.rehearsal.words import CIRCUMSTANCE

# Words of a property's name that tell its kind, the first that fits.
_KINDS: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (kind, frozenset(fold(words).split()))
    for kind, words in (
        ("mail", "email mail emails recipient recipients cc bcc to courriel 邮箱"),
        (
            "mail",
            "destinataire destinataires empfanger destinatario 收件人 宛先 المستلم",
        ),
        ("mail", "メール بريد"),
        ("date", "date day deadline birthday jour datum fecha 日期 日付 تاريخ"),
        ("time", "time hour 时间 時間 時刻 وقت"),
        ("link", "url uri link website"),
        ("query", "query question search keyword keywords term terms q prompt 关键词"),
        ("subject", "subject title headline heading topic 主题 标题 件名 عنوان"),
        ("subject", "objet titre betreff titel asunto titulo"),
        ("body", "body message content text note notes comment html markdown"),
        ("body", "description details explanation"),
        ("body", "texte contenu corps nachricht inhalt mensaje cuerpo texto"),
        ("body", "正文 内容 本文 نص رساله"),
        ("name", "name person user author owner contact assignee member nom 姓名"),
        ("name", "名前 اسم"),
    )
)
_ID_WORDS = frozenset(
    fold(
        "id ids identifier uuid code ref reference sku number no nr key num numero رقم"
    ).split()
)
_LIMITS = frozenset(fold("limit count max top n limite العدد عدد 件数 条数").split())
_QUANTITIES = frozenset(
    fold(
        "quantity qty pieces units copies items amount quantite nombre menge anzahl"
        " stuck cantidad 数量 个数 份数 個数 الكميه كميه"
    ).split()
)
_FORMATS = {
    "email": "mail",
    "date": "date",
    "date-time": "datetime",
    "time": "time",
    "uri": "link",
    "url": "link",
    "uuid": "id",
}
_TYPES = {
    "boolean": "boolean",
    "integer": "number",
    "number": "number",
    "array": "list",
    "object": "object",
}
_ISO_DATE = re.compile(r"YYYY-MM-DD|\d{4}-\d{2}-\d{2}|ISO 8601", re.IGNORECASE)
_OPTIONS = re.compile(
    r"(?:one of|either|such as|for example|e\.g\.|like|例如|مثل|:|：)[:：]?\s*"
    r"([^.;。]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A property of a tool's parameters.

    ``stems`` are of its name without "id" and the like, ``hints`` of its
    description; ``examples`` show what an id looks like; ``options`` are words its
    description lists.
    """

    name: str
    kind: str
    schema: Mapping[str, Any]
    required: bool
    description: str
    stems: frozenset[str]
    hints: frozenset[str]
    examples: tuple[str, ...]
    options: tuple[str, ...]

    @property
    def label(self) -> str:
        """Its name in words: "order id"; of a record with those of its parts."""
        words = spaced(self.name)
        parts = ", ".join(slot.label for slot in self.parts)
        if parts:
            return f"{words.lower()}: {parts}"
        said = len(words) > 1 and fold(words) not in CIRCUMSTANCE
        about = self.description.rstrip(".")
        return words.lower() if said else f"{about[:1].lower()}{about[1:]}" or words

    @property
    def parts(self) -> list[Slot]:
        """What a record, or each record of a list, must hold."""
        items = self.schema.get("items") if self.kind == "list" else self.schema
        if not isinstance(items, dict) or self.kind not in ("list", "object"):
            return []
        roots = self.schema.get("$defs") or {}
        return [slot for slot in slots_of(resolved(items, roots)) if slot.required]

    @property
    def noun(self) -> str:
        """What an id names: "order" for ``order_id``; "" for other kinds."""
        words = spaced(self.name).split()
        if self.kind == "id" and len(words) > 1 and _names_id(fold(words[-1])):
            return " ".join(words[:-1]).lower()
        return ""

    @property
    def is_limit(self) -> bool:
        return _is_named(self.name, _LIMITS)

    @property
    def is_quantity(self) -> bool:
        """Whether it says how many of a thing: "3 chairs"."""
        return self.kind == "number" and _is_named(self.name, _QUANTITIES)


def slots_of(parameters: Mapping[str, Any]) -> list[Slot]:
    """The properties of an object schema, in their order."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return []
    needed = parameters.get("required")
    required = needed if isinstance(needed, list) else []
    roots = parameters.get("$defs") or parameters.get("definitions") or {}
    return [
        make_slot(name, resolved(schema, roots), required=name in required)
        for name, schema in properties.items()
        if isinstance(schema, dict)
    ]


def make_slot(name: str, schema: Mapping[str, Any], *, required: bool) -> Slot:
    description = str(schema.get("description") or "")
    words = [word.folded for word in split_words(spaced(name))]
    given = schema.get("examples")
    examples = (
        [e for e in given if isinstance(e, str)] if isinstance(given, list) else []
    )
    return Slot(
        name=name,
        kind=_kind(schema, words, description),
        schema=schema,
        required=required,
        description=description,
        stems=all_stems(" ".join(w for w in words if w not in _ID_WORDS)),
        hints=all_stems(description),
        examples=tuple(dict.fromkeys([*examples, *ids_in(description)])),
        options=_options(description),
    )


def resolved(schema: Mapping[str, Any], roots: Any, depth: int = 0) -> dict[str, Any]:
    """The schema with a local reference put in and, of alternatives, the first that
    is not null."""
    found = dict(schema)
    reference = found.pop("$ref", None)
    if isinstance(reference, str) and isinstance(roots, dict) and depth < 5:
        target = roots.get(reference.rsplit("/", 1)[-1])
        if isinstance(target, dict):
            found = {**resolved(target, roots, depth + 1), **found}
    for word in ("anyOf", "oneOf", "allOf"):
        some = found.pop(word, None)
        for part in some if isinstance(some, list) else []:
            if isinstance(part, dict) and part.get("type") != "null" and depth < 5:
                found = {**resolved(part, roots, depth + 1), **found}
                break
    kinds = found.get("type")
    if isinstance(kinds, list):
        found["type"] = next((kind for kind in kinds if kind != "null"), "string")
    if roots and "$defs" not in found:
        found["$defs"] = roots
    return found


def _kind(schema: Mapping[str, Any], words: list[str], description: str) -> str:
    if "const" in schema:
        return "const"
    if isinstance(schema.get("enum"), list):
        return "enum"
    kind = str(schema.get("type"))
    if kind in ("integer", "number") and words and _names_id(words[-1]):
        return "id"
    form = str(schema.get("format"))
    found = _TYPES.get(kind) or _FORMATS.get(form)
    if found:
        return found
    return _kind_of_string(schema, words, description)


def _kind_of_string(
    schema: Mapping[str, Any], words: list[str], description: str
) -> str:
    if words and _names_id(words[-1]):
        return "id"
    for kind, named in _KINDS:
        if named & set(words[-1:]) or _holds(named, words):
            return "id" if kind == "name" and ids_in(description) else kind
    if _ISO_DATE.search(description):
        return "date"
    if schema.get("pattern") or ids_in(description):
        return "id"
    for kind, named in _KINDS:
        if named & set(words):
            return kind
    return "text"


def _is_named(name: str, words: frozenset[str]) -> bool:
    return any(word in words for word in fold(spaced(name)).split())


def _names_id(word: str) -> bool:
    return word in _ID_WORDS or word.endswith(("号", "编号", "番号"))


def _holds(named: frozenset[str], words: list[str]) -> bool:
    """Scripts without spaces: the telling word is a part of the name."""
    return any(
        sign in word for sign in named if sign > "\u3000" for word in words if word
    )


def _options(description: str) -> tuple[str, ...]:
    """The words a description lists: "one of small, medium or large"."""
    match = _OPTIONS.search(description)
    if not match or not re.search(r",| or |、|，|/|或", match[1]):
        return ()
    parts = re.split(r"\s*(?:,|/|、|，|或|\bor\b|\band\b)\s*", match[1])
    return tuple(part.strip("\"'“” ") for part in parts if 1 < len(part) < 30)

"""Whether a text speaks of something, judged by its words.

Rough on purpose: advice may miss, and must not nag. English, French, German, Chinese,
Japanese and Arabic are known; a text of another language gets no advice on its words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

CONCEPTS: dict[str, tuple[str, ...]] = {
    "boundary": (
        r"\bonly\b",
        r"\bnever\b",
        r"\bnot\b",
        r"n't\b",
        r"\bnothing\b",
        r"\bleave\b",
        r"\bexcept\b",
        r"\blimit",
        r"\bscope\b",
        r"\bothers?\b",
        r"\b(seulement|uniquement|jamais|rien|ne|pas|sauf)\b",
        r"\b(nur|nie|nicht|nichts|kein|keine|ausser|außer)\b",
        "[仅只]",
        "不",
        "だけ|のみ|ない|以外",
        "فقط|لا |ليس|عدا",
    ),
    "ask": (
        r"\bask",
        r"\bquestion",
        r"\bclarif",
        r"\bconfirm",
        r"\b(demand|pos|confirm)\w*",
        r"\b(frag|rückfrag|bestätig)\w*",
        "[询问确认]",
        "聞|尋ね|質問|確認",
        "اسأل|سؤال|تأكيد|استفسر",
    ),
    "result": (
        r"\breturn",
        r"\bresult",
        r"\breport",
        r"\brepl(y|ies)\b",
        r"\banswer",
        r"\bgive back\b",
        r"\bformat",
        r"\boutput",
        r"\brespond",
        r"\b(renv|retourn|répon|résult|rapport|rend)\w*",
        r"\b(gib|zurück|ergebnis|antwort|bericht)\w*",
        "返回|结果|回复|回答|格式|报告",
        "返|結果|回答|形式|報告",
        "أعد|نتيجة|أجب|تقرير|صيغة",
    ),
    "self_contained": (
        r"self[- ]?contained",
        r"\bcomplete\b",
        r"\bcontext\b",
        r"\b(all|everything|whatever)\b[^.]{0,40}\bneed",
        r"\bsees? nothing\b",
        r"\bstand[s]? alone\b",
        r"\b(autonome|complète?s?|contexte|autosuffisant\w*)\b",
        r"\b(vollständig|in sich geschlossen|kontext)\w*",
        "完整|自包含|上下文|全部信息",
        "完結|完全な|文脈|必要な情報",
        "مكتفي|كامل|السياق",
    ),
}

GENERIC_WORDS = """
a an and agent agents all any assist assistant default demo do general generic handle
handler handling help helper it job jobs main manage manager management misc my new
other perform process processing run some stuff support task tasks test the thing
things todo use user work worker working
"""
FILLING_WORDS = """
about as ask be by each for from give has have if in is it its missing needed never
not of on one or person request return say such that their them there they this to
what when which with you your
"""
GENERIC = frozenset(GENERIC_WORDS.split())
STOP = GENERIC | frozenset(FILLING_WORDS.split())


@cache
def _pattern(concept: str) -> re.Pattern[str]:
    return re.compile("|".join(CONCEPTS[concept]), re.IGNORECASE)


def speaks_of(concept: str, *texts: str) -> bool:
    """Whether one of the texts speaks of it; yes where the language is unknown."""
    text = unicodedata.normalize("NFKC", "\n".join(texts))
    return not knows_language(text) or _pattern(concept).search(text) is not None


KNOWN_SCRIPTS = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "ARABIC")


def knows_language(text: str) -> bool:
    """Whether most letters are of a script whose words are listed above."""
    letters = [c for c in text if c.isalpha()][:500]
    known = sum(unicodedata.name(c, "").startswith(KNOWN_SCRIPTS) for c in letters)
    return known * 2 >= len(letters)


def words(text: str) -> list[str]:
    """Words in small letters; a run of Chinese or Japanese as pairs of characters."""
    found: list[str] = []
    for token in re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()):
        if any(unicodedata.name(c, "").startswith(KNOWN_SCRIPTS[1:4]) for c in token):
            found += [token[i : i + 2] for i in range(max(1, len(token) - 1))]
        else:
            found.append(token)
    return found


def content_words(text: str) -> set[str]:
    """What a text is about: its words without the ones that any text has."""
    return {word for word in words(text) if word not in STOP and not word.isdigit()}


def is_generic(name: str) -> bool:
    """Whether a name says nothing of its domain, such as ``TASK_1``."""
    return all(
        word in GENERIC or word.isdigit() or len(word) < 2 for word in words(name)
    )


def likeness(first: set[str], second: set[str]) -> float:
    """The share of common words, from 0 to 1."""
    return len(first & second) / len(first | second) if first | second else 0.0

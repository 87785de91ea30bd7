"""A request cut into its wishes: "show this and that of A-17, then send it"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.reading import Reading
from teams.providers.rehearsal.text import (
    DOING_STEMS,
    ENDING_STEMS,
    is_sending,
    split_words,
    stem,
    stems,
)

# Below this line a request holds material (earlier results), no further wishes.
MATERIAL = "\n---\n"

_CUT = re.compile(
    r"[.!?;:]+\s+|\n+|,\s+(?:(?:and|then|et|und|y)\s+)?|,(?=[^\x00-\x7f])|[。！？；，、،؟؛]+\s*"
    r"|\s+(?:and|then|also|plus|et|puis|ensuite|und|dann|y|luego|ثم)\s+"
    r"|然后|并且|以及|接着|そして|それから|および",
    re.IGNORECASE,
)
SPEECH = re.compile(
    r"\b(?:saying|says|say|that reads|with the (?:text|message|words)|disant|sagt"
    r"|diciendo)\b(?: that| que| dass)?|内容[是为:：]",
    re.IGNORECASE,
)
_POLITE = frozenset({"please", "can", "could", "would", "you", "i", "we", "want"})
_POLITE |= {"need", "like", "to", "me", "us", "let", "bitte"}
_WONDERING = frozenset({"know", "tell", "give"})
# Where the opening words of a text are looked for.
_OPENING = 80

# What was added to a request last stands in brackets at its end.
ADDED = re.compile(r"\([^()]*\)[\s.?!？؟]*$")

_BESIDE = re.compile(rf"\b(?:{'|'.join(sorted(lists.BESIDE))})\b", re.IGNORECASE)
_HAN_JOINING = re.compile("^(?:并且|并|然后|再|接着|以及|和|还有)+")
_HAN_SENDING_NOUN = re.compile("邮件地址|邮箱|メールアドレス")
_BEFORE_NOUN = lists.ARTICLES | {
    "an",
    "your",
    "whose",
    "which",
    "what",
    "la",
    "le",
    "el",
}
_AFTER_NOUN = frozenset({"address", "addresses", "id", "adresse", "adresses"})
_AFTER_SENT_NOUN = frozenset(
    {"with", "to", "about", "saying", "containing", "avec", "mit", "con", "an"}
)
_BEFORE_VERB = frozenset(
    {"to", "and", "by", "via", "per", "par", "por", "please", "then", "als", "zu"}
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One wish: its place in the text, what it speaks of, whether it is to send.
    ``looking``: it only wants to know something; ``introducing`` are words that
    only stand before an id or a name, ``aside`` those that only follow "about", "in"
    and the like; ``ids`` are those it names; ``ending``: it is to delete something."""

    start: int
    end: int
    stems: frozenset[str]
    sending: bool
    looking: bool = False
    introducing: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    ids: tuple[str, ...] = ()
    ending: bool = False


def split_request(text: str) -> tuple[str, str]:
    """A request without its material, and the material."""
    head, _, material = text.partition(MATERIAL)
    return (head, material) if head.strip() else (material, "")


def clauses_of(reading: Reading) -> list[Clause]:
    """The wishes in order. Nothing is cut inside a quotation, or in what is to be
    said ("… saying that …")."""
    text = reading.text
    speech = SPEECH.search(text)
    last = speech.start() if speech else len(text)
    edges = [0]
    for cut in _CUT.finditer(text, 0, last):
        if not any(m.start < cut.start() < m.end for m in reading.mentions):
            edges += [cut.start(), cut.end()]
    edges.append(len(text))
    spans = zip(edges[::2], edges[1::2], strict=True)
    return [
        _clause(reading, start, end)
        for start, end in spans
        if not _is_greeting(text[start:end])
    ]


def _is_greeting(text: str) -> bool:
    """Whether there is nothing in a part but a greeting, or nothing at all."""
    known = lists.GREETING | lists.THANKS | lists.STOP
    words = [word.folded for word in split_words(text)]
    if not any(word in lists.GREETING or word in lists.THANKS for word in words):
        return not text.strip()
    return all(word in known for word in words)


def _clause(reading: Reading, start: int, end: int) -> Clause:
    text = reading.text[start:end]
    found = stems(_without_periods(reading, start, end))
    before = [
        word
        for mention in reading.mentions
        if mention.kind in ("id", "name") and start <= mention.start < end
        for word in stems(mention.before)
    ]
    only = {word for word in before if before.count(word) >= found.count(word)}
    added = ADDED.search(text)
    said = end - len(added[0]) if added else end
    return Clause(
        start=start,
        end=end,
        stems=frozenset(found),
        sending=_sends(text),
        looking=wants_to_know(text),
        introducing=frozenset(only),
        aside=frozenset(found).difference(stems(_BESIDE.split(text)[0])),
        ids=tuple(
            m.raw for m in reading.of("id") if start <= m.start and m.end <= said
        ),
        ending=_ends(text) and bool(found or reading.of("id")),
    )


def _without_periods(reading: Reading, start: int, end: int) -> str:
    """A part without its "last week" and the like: every tool may have a period."""
    text = reading.text
    for mention in reversed(reading.of("period")):
        if start <= mention.start and mention.end <= end:
            text = f"{text[: mention.start]} {text[mention.end :]}"
            end -= mention.end - mention.start - 1
    return text[start:end]


def wants_to_know(text: str) -> bool:
    """Whether a text begins with a question word or a verb of looking up."""
    text = without_joining(text)
    for word in split_words(text):
        if word.folded not in _POLITE:
            opening = lists.ASKING | lists.LOOKING | _WONDERING
            han = not word.raw.isascii() and any(
                word.folded.startswith(sign) for sign in opening if sign > "一"
            )
            return word.folded in opening or han
    return False


def opens_doing(text: str) -> bool:
    """Whether a text begins with a verb of changing something."""
    for word in split_words(without_joining(text)):
        if word.folded not in _POLITE:
            return is_doing(word.folded)
    return False


def _ends(text: str) -> bool:
    """Whether a text begins with a verb of putting an end to something."""
    for word in split_words(without_joining(text)):
        if word.folded not in _POLITE:
            return stem(word.folded) in ENDING_STEMS or any(
                word.folded.startswith(sign) for sign in lists.ENDING if sign > "一"
            )
    return False


def is_doing(word: str) -> bool:
    if word in lists.DOING or stem(word) in DOING_STEMS:
        return True
    return any(word.startswith(sign) for sign in lists.DOING if sign > "一")


def without_joining(text: str) -> str:
    """The text without "and", "then" and the like at its beginning."""
    text = _HAN_JOINING.sub("", text.strip())
    for word in split_words(text[:_OPENING]):
        if word.folded not in lists.JOINING:
            return text[word.start :].strip(" ,;") if word.start else text.strip(" ,;")
    return text.strip(" ,;")


def _sends(text: str) -> bool:
    """Whether a clause asks to send something: "mail it", not "the mail address"."""
    words = split_words(text)
    for place, word in enumerate(words):
        if not word.folded.isascii():
            if _sends_elsewhere(word.raw):
                return True
        elif is_sending(word.folded) or is_sending(stem(word.folded)):
            before = words[place - 1].folded if place else ""
            after = words[place + 1].folded if place + 1 < len(words) else ""
            opens = not any(_has_subject(w.folded) for w in words[:place])
            if _as_verb(before, after, opens=opens):
                return True
    return False


def _has_subject(word: str) -> bool:
    known = lists.STOP | lists.JOINING | lists.SENDING | {"e"}
    return word not in known


def _as_verb(before: str, after: str, *, opens: bool) -> bool:
    if after in _AFTER_NOUN:
        return False
    if before == "e":  # the "e" of "e-mail" hides the word before
        before = ""
    if before in _BEFORE_NOUN:
        return after in _AFTER_SENT_NOUN
    return opens or before in _BEFORE_VERB


def _sends_elsewhere(raw: str) -> bool:
    sent = any(is_sending(found) for found in stems(raw))
    return sent and not _HAN_SENDING_NOUN.search(raw)

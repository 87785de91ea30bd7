"""Texts for slots that take words: names, questions, subjects and bodies."""

from __future__ import annotations

import re
from collections.abc import Callable

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.clauses import SPEECH, without_joining
from teams.providers.rehearsal.finders import free
from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.reading import Mention, Reading
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.sides import fits_side, on_other_side
from teams.providers.rehearsal.sources import Hit, Search, in_data
from teams.providers.rehearsal.text import all_stems, spaced, split_words, stems

# A subject is one line that a mail program shows in full.
SUBJECT_LENGTH = 78

_ABOUT = re.compile(
    r"\b(?:about|concerning|regarding)\s+([^,.;?!()\n]+)", re.IGNORECASE
)
_THAT = re.compile(
    r"\bthat\s+(?!to\b|by\b|in\b|on\b|with\b|for\b|via\b)((?:\S+\s+)+\S+)",
    re.IGNORECASE | re.DOTALL,
)

# A request that is longer is rather material.
_LONG = 160

# An answer of more is more than a value.
_SHORT_ANSWER, _FEW_WORDS, _A_FEW = 60, 6, 3

# A request of so many words describes something by itself.
_SOME_WORDS = 4


def find_text(slot: Slot, search: Search) -> list[Hit]:
    """As ``finders.find``, for the kinds that take words."""
    if search.strong:
        return _tied(slot, search)
    return _LOOSE.get(slot.kind, _loose_text)(slot, search)


def _tied(slot: Slot, search: Search) -> list[Hit]:
    """Words the text ties to the slot: "title: …", "hall North", a listed option."""
    sources = search.sources
    made = slot.kind in ("subject", "body", "query")
    for reading in sources.said if made else sources.near:
        if value := _labelled(slot, reading):
            return [Hit(value)]
    for reading in sources.said:
        if hit := _tied_in(slot, reading, search):
            return [hit]
    if made or not slot.required:
        return []
    return [Hit(value) for value in in_data(slot, sources.data)][:1]


def _tied_in(slot: Slot, reading: Reading, search: Search) -> Hit | None:
    if hit := _on_side(slot, reading, search):
        return hit
    for mention in search.taken.free(reading, "name", "quote", "number", "id"):
        if _belongs(slot, mention):
            quoted = mention.kind == "quote"
            return Hit(mention.value if quoted else mention.raw, mention)
    option = _option(slot, reading)
    return Hit(option) if option else None


def _labelled(slot: Slot, reading: Reading) -> str:
    name = r"[ _-]?".join(re.escape(part) for part in spaced(slot.name).split())
    if not name:
        return ""
    linking = "[:=：]" if slot.kind == "body" else "(?:[:=：]|is|为|是)"
    end = "$" if slot.kind == "body" else r"(?=\s*(?:[\n;]|,\s|[.?!](?:\s|$)|$))"
    flags = re.IGNORECASE | (re.DOTALL if slot.kind == "body" else 0)
    pattern = rf"(?<!\w){name}\**\s*{linking}\**\s+(.+?){end}"
    match = re.search(pattern, reading.text, flags)
    return match[1].strip(" “”\"'*") if match else ""


def _on_side(slot: Slot, reading: Reading, search: Search) -> Hit | None:
    """ "From Lisbon to Oslo": what is said to be this slot's end of it."""
    for mention in search.taken.free(reading, "name", "quote"):
        if fits_side(slot, mention.lead):
            return Hit(mention.value, mention)
    return None


def _belongs(slot: Slot, mention: Mention) -> bool:
    """ "Hall North" and "North hall" belong to a slot named hall."""
    if slot.kind in ("subject", "body", "query"):
        return mention.kind == "quote" and bool(all_stems(mention.before) & slot.stems)
    if all_stems(mention.before) & slot.stems:
        return True
    if mention.kind not in ("name", "quote"):
        return False
    return bool((all_stems(mention.after) | all_stems(mention.raw)) & slot.stems)


def _option(slot: Slot, reading: Reading) -> str:
    found = all_stems(reading.text)
    text = fold(reading.text)
    for option in slot.options:
        if option.isascii() and all_stems(option) <= found:
            return option
        if not option.isascii() and fold(option) in text:
            return option
    return ""


def _loose_text(slot: Slot, search: Search) -> list[Hit]:
    if not slot.required:
        return []
    if answered := _answered(search):
        return [answered]
    hits = free(search.sources.said, search.taken, "quote", "name", "number")
    hits = [h for h in hits if h.mention and _may_be(slot, h.mention, search)]
    hinted = [h for h in hits if h.mention and all_stems(h.mention.before) & slot.hints]
    hits = [h for h in hits if h.mention and h.mention.kind != "number"]
    return hinted[:1] or hits[:1] or _after_noun(slot, search)


def _may_be(slot: Slot, mention: Mention, search: Search) -> bool:
    """Not what the tool itself is called, nor what is said to be the other end."""
    own = set(stems(mention.raw))
    if mention.kind == "name" and own and own <= search.sources.known:
        return False
    return not on_other_side(slot, mention.lead)


def _answered(search: Search) -> Hit | None:
    """A short answer of the person is the value, as far as nothing else was taken
    from it: "12 Main Street", not only its name."""
    for answer in search.sources.answers:
        text = answer.text.strip(" .!?。")
        names = [m for m in answer.mentions if m.kind in ("name", "quote")]
        first = answer.words[0].folded if answer.words else ""
        if names and first in lists.STOP:
            continue
        whole = Mention("answer", text, 0, len(answer.text), answer.text)
        used = [m for m in search.taken.mentions if m.raw and m.raw in answer.text]
        others = {m.kind for m in answer.mentions} - {"name", "quote", "number"}
        agrees = first in lists.YES | lists.NO and len(answer.words) < _A_FEW
        if agrees:
            continue
        short = 0 < len(text) <= _SHORT_ANSWER and len(answer.words) <= _FEW_WORDS
        only_number = bool(answer.mentions) and not names and len(answer.words) == 1
        if short and not (used or others or only_number):
            return Hit(text, whole)
    return None


def _after_noun(slot: Slot, search: Search) -> list[Hit]:
    """The word that follows the slot's own name: "hall north"."""
    for reading in search.sources.said:
        for word, following in zip(reading.words, reading.words[1:], strict=False):
            if word.stem in slot.stems and following.folded not in lists.STOP:
                return [Hit(following.raw)]
    return []


def _loose_name(slot: Slot, search: Search) -> list[Hit]:
    if not slot.required:
        return []
    sources = search.sources
    if answered := _answered(search):
        return [answered]
    readings = (*sources.said, sources.material, *sources.history)
    if "mail" in slot.hints and (mails := free(sources.said, search.taken, "mail")):
        return mails[:1]
    hits = free(readings, search.taken, "name", "quote")
    return [h for h in hits if h.mention and _may_be(slot, h.mention, search)][:1]


def _query(slot: Slot, search: Search) -> list[Hit]:
    quotes = free(search.sources.asked, search.taken, "quote")
    if quotes:
        return quotes[:1]
    text = _without_opening(search.sources.own)
    return [Hit(text)] if text and slot.required else []


def _without_opening(reading: Reading) -> str:
    """The text without "please search for" and the like at its beginning."""
    for word in split_words(reading.text):
        opening = word.folded in lists.STOP or word.folded in lists.LOOKING
        if not opening and word.folded not in lists.JOINING:
            return reading.text[word.start :].strip(" .?!？。")
    return reading.text.strip()


def _subject(slot: Slot, search: Search) -> list[Hit]:
    if not slot.required:
        return []
    sources = search.sources
    about = _ABOUT.search(sources.own.text)
    text = about[1] if about else sources.topic
    quotes = free(sources.asked, search.taken, "quote")
    if not text and quotes:
        return quotes[:1]
    text = text or said_in(sources.own) or sources.body
    line = next((line for line in text.splitlines() if line.strip(" #*-|")), "")
    line = line.replace("**", "").strip(" #*")
    return [Hit(shortened(line[:1].upper() + line[1:]))] if line else []


def shortened(line: str) -> str:
    return line if len(line) <= SUBJECT_LENGTH else f"{line[: SUBJECT_LENGTH - 1]}…"


def _body(slot: Slot, search: Search) -> list[Hit]:
    if not slot.required:
        return []
    sources = search.sources
    said = "" if is_long(sources.own.text) else said_in(sources.own)
    if said or sources.body:
        return [Hit("\n\n".join(part for part in (said, sources.body) if part))]
    if quotes := free(sources.asked, search.taken, "quote"):
        return quotes[:1]
    if not sources.speaks and len(sources.own.words) >= _SOME_WORDS:
        return [Hit(sources.own.text.strip())]
    about = _ABOUT.search(sources.own.text)
    return [Hit(_sentence(about[1]))] if about else []


def said_in(reading: Reading) -> str:
    """What is to be said: "… saying that the door is open" or "…: the door is open"."""
    match = SPEECH.search(reading.text)
    if match:
        return _sentence(reading.text[match.end() :])
    if match := _THAT.search(reading.text):
        return _sentence(match[1])
    _, colon, rest = reading.text.partition(": ")
    return _sentence(rest) if colon and " " in rest.strip() else ""


def is_long(text: str) -> bool:
    """Whether a request is rather a text to work on, as of an earlier step."""
    text = text.strip()
    return len(text) > _LONG or "\n" in text


def _sentence(text: str) -> str:
    text = without_joining(text.strip().strip("“”«»「」\"':：\u00a0\u202f "))
    return text[:1].upper() + text[1:]


_LOOSE: dict[str, Callable[[Slot, Search], list[Hit]]] = {
    "name": _loose_name,
    "query": _query,
    "subject": _subject,
    "body": _body,
}

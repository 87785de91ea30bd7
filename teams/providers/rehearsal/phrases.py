"""The sentences of the rehearsal model, in the language of the request if known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from teams.providers.rehearsal import words as lists
from teams.providers.rehearsal.folding import fold
from teams.providers.rehearsal.schema import Slot
from teams.providers.rehearsal.text import content_words, split_words
from teams.providers.rehearsal.texts import is_long

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
)
_FRENCH = frozenset(
    fold(
        "le la les des du une est quel quelle pour mon ma mes moi montre et de"
    ).split()
)
# How many French words make a text French.
_FRENCH_ENOUGH = 2

_SHORT_ABOUT = 80

# So much of a request is said again.
_QUOTED = 300


@contextmanager
def language_of(text: str) -> Iterator[None]:
    """Speak the language a text is written in, where the site has it."""
    wanted = next((code for code, sign in _SCRIPTS if sign.search(text[:400])), "")
    if not wanted:
        words = [word.folded for word in split_words(text[:400])]
        french = sum(word in _FRENCH for word in words)
        wanted = "fr" if french >= _FRENCH_ENOUGH and french * 4 >= len(words) else ""
    known = [code for code, _name in settings.LANGUAGES]
    code = next((c for c in known if wanted and c.startswith(wanted)), None)
    with translation.override(code or settings.LANGUAGE_CODE):
        yield


def abilities(lines: Sequence[tuple[str, str]]) -> str:
    """What can be done, as a list of names with what each is for."""
    if not lines:
        return ""
    listed = "\n".join(
        f"- **{title}**: {about}" if about else f"- **{title}**"
        for title, about in lines
    )
    return f"{_('I can help with this:')}\n\n{listed}"


def introduction(request: str, lines: Sequence[tuple[str, str]]) -> str:
    """The answer to a greeting, to thanks, or to what nobody here can do."""
    if not request.strip():
        return _("The request is empty. Please say what you need.")
    words = {word.folded for word in split_words(request[:400])}
    if words & lists.THANKS:
        return _("You are welcome.")
    opening = _("Hello!") if words & lists.GREETING else ""
    if not opening and (any(content_words(request[:400])) or not lines):
        opening = _("I found nothing in this that I could do.")
    return "\n\n".join(part for part in (opening, abilities(lines)) if part)


def is_idle(text: str) -> bool:
    """Whether a text of one of us holds no work: an introduction, or a failure."""
    alone = (
        _("You are welcome."),
        _("I found nothing in this that I could do."),
        _("The request is empty. Please say what you need."),
    )
    if any(text == said or text.startswith(f"{said}\n\n") for said in alone):
        return True
    said = _("%(what)s failed: %(reason)s") % {"what": "\n", "reason": ""}
    before, after = said.split("\n")
    failed = rf"{re.escape(before)}[^\n]{{1,80}}?{re.escape(after)}"
    return text.startswith(f"{_('Hello!')}\n\n") or bool(re.match(failed, text))


def passed_on(text: str) -> str:
    """What an agent without tools can do: hand on, a long text as it is."""
    if is_long(text):
        return text
    return _("I have no tools for this and only pass it on: %(text)s") % {"text": text}


def rehearsed(text: str) -> str:
    """What one says who would need to know a subject: nothing is made up."""
    known = _(
        "I only rehearse here: without a language model I cannot work this out. With "
        "one, this would now be answered: “%(text)s”"
    )
    return known % {"text": _cut(text)}


def what_about(lines: Sequence[tuple[str, str]]) -> str:
    """The question of who only finds out whom to hand over to."""
    listed = "\n".join(
        f"- **{title}**: {about}" if about else f"- **{title}**"
        for title, about in lines
    )
    return f"{_('What is it about? These can help:')}\n\n{listed}"


def not_passed_on(reason: str) -> str:
    values = {"reason": _closed(reason)}
    return _("I could not pass this on: %(reason)s") % values


def nothing_left() -> str:
    return _("There is nothing left for me to do here.")


def unfinished(wish: str) -> str:
    """The report of who had to stop before anything was found."""
    text = _("I have to stop here and found nothing yet about this: %(wish)s")
    return text % {"wish": _closed(_cut(wish))}


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rstrip()}…"


def question(missing: Sequence[Slot]) -> str:
    """What to ask a person for, naming it in human words."""
    if len(missing) > 1:
        names = ", ".join(slot.label for slot in missing)
        return _("I need a little more. Please give: %(names)s.") % {"names": names}
    slot = missing[0]
    values = {"noun": slot.noun, "label": slot.label, "about": _about(slot)}
    if slot.noun:
        text = _("Which %(noun)s do you mean? Please give the %(label)s.") % values
    elif values["about"]:
        return _("Please give the %(label)s (%(about)s).") % values
    else:
        text = _("Please give the %(label)s.") % values
    if not slot.examples:
        return text
    return f"{text} {_('For example: %(example)s.') % {'example': slot.examples[0]}}"


def _about(slot: Slot) -> str:
    """A short description to stand in brackets; "" where it says nothing more."""
    about = slot.description.strip().rstrip(".")
    if (
        slot.examples
        or len(about) > _SHORT_ABOUT
        or about.lower() == slot.label.lower()
    ):
        return ""
    return about if about[1:2].isupper() else about[:1].lower() + about[1:]


def question_again(answer: str, missing: Sequence[Slot]) -> str:
    text = _("I could not use “%(answer)s”.") % {"answer": answer[:80]}
    return f"{text} {question(missing)}"


def is_missing(missing: Sequence[Slot]) -> str:
    names = ", ".join(slot.label for slot in missing)
    return _("I could not go on, this is missing: %(names)s.") % {"names": names}


def given_up() -> str:
    return _("As you wish. I have not gone on with this.")


def failed(what: str, reason: str, given: str = "") -> str:
    values = {"what": what, "reason": _closed(reason), "given": given}
    if given:
        return _("%(what)s failed: %(reason)s It was tried with %(given)s.") % values
    return _("%(what)s failed: %(reason)s") % values


def came_to_nothing(what: str) -> str:
    return _("%(what)s could not do what was asked.") % {"what": what}


def nothing_found() -> str:
    return _("Nothing was found.")


def done(what: str) -> str:
    return _("%(what)s: done.") % {"what": what}


def denied(what: str, reason: str) -> str:
    values = {"what": what, "reason": _closed(reason)}
    if not reason:
        return _("%(what)s was not approved. It has not been done.") % values
    return _("%(what)s was not approved: %(reason)s It has not been done.") % values


def nobody_for(wish: str) -> str:
    return _("There is nobody here who can do this: %(wish)s") % {"wish": _closed(wish)}


def no_tool(wish: str) -> str:
    text = _("I cannot do this, as I have no tool for it: %(wish)s")
    return text % {"wish": _closed(wish)}


def left_out(wish: str) -> str:
    text = _("As there is nothing to pass on, this was left out: %(wish)s")
    return text % {"wish": _closed(wish)}


def _closed(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "。", "！", "？", "…")) else f"{text}."

"""The one renderer of text written by models, tools and people.

CommonMark with tables and strikethrough goes in, an allow-list of HTML comes out.
Raw HTML stays text, images become links, and nothing loads or runs
(architecture.md, rule 14).
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock

import nh3
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

PLAIN_ABOVE = 200_000
CUT_ABOVE = 1_000_000
HIGHLIGHT_UP_TO = 100_000
HEADING_SHIFT = 2
CACHE_CHARACTERS = 2_000_000

_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
# Our own finder of bare addresses: linkify-it-py needs 44 s for 160,000 characters
# of "http://a" in a row. Ideographic punctuation ends an address as a space does.
_BARE = re.compile(
    r"https?://[^\s<>\"\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\u2018-\u201d]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}\b",
    re.IGNORECASE,
)
_TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li",
    "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead",
    "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "span": {"class"},
    "td": {"class"},
    "th": {"class"},
}
_ALIGNMENT = {
    "text-align:left": "align-start",
    "text-align:center": "align-center",
    "text-align:right": "align-end",
}
# Untrusted text chooses the language, so only lexers whose cost is known.
_LANGUAGES = {
    "bash", "c", "console", "cpp", "csharp", "css", "diff", "go", "html", "http",
    "ini", "java", "javascript", "js", "json", "php", "py", "python", "rb", "ruby",
    "rust", "sh", "shell", "sql", "toml", "ts", "typescript", "xml", "yaml", "yml",
}  # fmt: skip
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="hl-")


def render_markdown(text: str) -> SafeString:
    """Untrusted Markdown as safe HTML; above ``PLAIN_ABOVE`` characters as it is.

    Links go to http, https and mailto only. The result of a text is remembered, as
    pushes render the same message again and again.
    """
    text = _encodable(text)
    if len(text) > PLAIN_ABOVE:
        return _plain(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    key = f"{get_language()} {digest}"
    known = _cache.get(key)
    if known is None:
        known = _cache.put(key, _render(text))
    return known


def highlight_code(text: str, language: str) -> SafeString:
    """A focusable block of code with classes for ``code.css``.

    An unknown language, or text over ``HIGHLIGHT_UP_TO`` characters, is left plain.
    """
    text = _encodable(text)
    if language not in _LANGUAGES or len(text) > HIGHLIGHT_UP_TO:
        inner = escape(text)
    else:
        lexer = get_lexer_by_name(language, stripnl=False)
        inner = mark_safe(highlight(text, lexer, _FORMATTER))  # noqa: S308 - escaped
    return format_html('<pre class="code" tabindex="0"><code>{}</code></pre>', inner)


class _Cache:
    """The latest results, up to so many characters in all."""

    def __init__(self, characters: int) -> None:
        self._room = characters
        self._entries: OrderedDict[str, SafeString] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> SafeString | None:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: str, value: SafeString) -> SafeString:
        with self._lock:
            if key not in self._entries:
                self._entries[key] = value
                self._room -= len(value)
            while self._room < 0:
                _key, dropped = self._entries.popitem(last=False)
                self._room += len(dropped)
        return value


_cache = _Cache(CACHE_CHARACTERS)


def _render(text: str) -> SafeString:
    clean = nh3.clean(
        _parser().render(text),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(clean)  # noqa: S308 - cleaned on the line above


def _plain(text: str) -> SafeString:
    if len(text) > CUT_ABOVE:
        note = _("Long text, shown as it is: the first %(shown)d of %(all)d characters")
    else:
        note = _("Long text, shown as it is: %(all)d characters")
    return format_html(
        '<p class="plain-note">{}</p><pre class="plain" tabindex="0">{}</pre>',
        note % {"shown": CUT_ABOVE, "all": len(text)},
        text[:CUT_ABOVE],
    )


def _encodable(text: str) -> str:
    """Half a surrogate pair, as cut streams leave it, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.validateLink = _allowed_link  # type: ignore[method-assign]
    parser.core.ruler.push("ours", _ours)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    return parser


def _allowed_link(url: str) -> bool:
    return _LINK.fullmatch(url) is not None


def _ours(state: StateCore) -> None:
    """Headings below the page's own, alignment by class, links for bare addresses."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + HEADING_SHIFT)}"
        elif token.type in {"th_open", "td_open"}:
            style = token.attrs.pop("style", "")
            if style in _ALIGNMENT:
                token.attrs["class"] = _ALIGNMENT[str(style)]
        elif token.children:
            token.children = list(_linked(token.children))


def _linked(tokens: Sequence[Token]) -> Iterator[Token]:
    """Images become links and bare addresses too, except inside another link."""
    in_link = 0
    for token in tokens:
        in_link += token.nesting if token.type.startswith("link_") else 0
        if token.type == "image":
            source = str(token.attrGet("src") or "")
            words = token.content or source
            yield from [_text(words)] if in_link else _link(source, words)
        elif token.type == "text" and not in_link:
            yield from _with_bare_links(token.content)
        else:
            yield token


def _with_bare_links(text: str) -> Iterator[Token]:
    end = 0
    for match in _BARE.finditer(text):
        address = _without_closing_marks(match[0])
        yield _text(text[end : match.start()])
        target = address if "://" in address else f"mailto:{address}"
        yield from _link(_parser().normalizeLink(target), address)
        end = match.start() + len(address)
    yield _text(text[end:])


def _without_closing_marks(address: str) -> str:
    """Without the punctuation of the sentence it stands in."""
    address = address.rstrip(".,;:!?'*_~")
    for opening, closing in ("()", "[]"):
        surplus = address.count(closing) - address.count(opening)
        if surplus > 0 and address.endswith(closing):
            kept = address.rstrip(closing)
            address = kept + closing * max(0, len(address) - len(kept) - surplus)
    return address


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(target: str, words: str) -> list[Token]:
    if not _allowed_link(target):
        return [_text(words)]
    opening = Token("link_open", "a", 1, attrs={"href": target})
    return [opening, _text(words), Token("link_close", "a", -1)]


def _fence(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """Highlighted until the text's share is used up, counted over all its blocks."""
    token = tokens[index]
    words = token.info.split(maxsplit=1)
    env["highlighted"] = env.get("highlighted", 0) + len(token.content)
    spent = env["highlighted"] > HIGHLIGHT_UP_TO
    language = words[0].lower() if words and not spent else ""
    return highlight_code(token.content, language)


def _table_open(*_arguments: object) -> str:
    name = escape(_("Table"))
    return (
        f'<div class="table-region" role="region" tabindex="0" aria-label="{name}">'
        "<table>"
    )


def _table_close(*_arguments: object) -> str:
    return "</table></div>"

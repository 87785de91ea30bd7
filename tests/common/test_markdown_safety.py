"""Text of models and tools runs nothing and loads nothing (peers B-65)."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest

from supervisor_site.common.markdown import highlight_code, render_markdown

HARMLESS_TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li",
    "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead",
    "tr", "ul",
}  # fmt: skip
HARMLESS_ATTRIBUTES = {
    "aria-label", "class", "href", "rel", "role", "start", "tabindex", "title",
}  # fmt: skip

VECTORS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="javascript:alert(1)"></object>',
    '<form action="//evil.example"><button>x</button></form>',
    '<a href="javascript:alert(1)">x</a>',
    '<div style="position:fixed;inset:0">x</div>',
    '<meta http-equiv="refresh" content="0;url=//evil.example">',
    "<style>body{display:none}</style>",
    '<base href="//evil.example/">',
    '<link rel="stylesheet" href="//evil.example/a.css">',
    "<details open ontoggle=alert(1)>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    '<div hx-get="/admin/" hx-trigger="load">x</div>',
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x0A;script:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](&#x6A;avascript:alert(1))",
    "[x](  javascript:alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://example.com/1)",
    "[x](//evil.example)",
    "[x](/admin/logout/)",
    "[x][r]\n\n[r]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "![x](data:image/svg+xml;base64,PHN2Zy8+)",
    '![x](https://evil.example/" onerror="alert(1))',
    '[x](https://example.com/" onmouseover="alert(1))',
    '[x](https://example.com "title\\" onmouseover=\\"alert(1)")',
    '[<img src=x onerror=alert(1)>](https://example.com "<script>")',
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "```python onload=alert(1)\nx\n```",
    "|<script>alert(1)</script>|\n|-|\n|<img src=x onerror=alert(1)>|",
    "# <svg/onload=alert(1)>",
    "https://example.com/<script>alert(1)</script>",
    "https://example.com/\"onmouseover='alert(1)'",
    "a@example.com<script>alert(1)</script>",
    "<a@example.com onclick=alert(1)>",
    "\u202ehttps://example.com",
    "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "\ud800<script>alert(1)</script>",
]


class Reader(HTMLParser):
    """Keeps the tags and attributes that a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[dict[str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _value in attrs)
        if tag == "a":
            self.links.append(dict(attrs))


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_that_runs_or_loads_comes_through(vector):
    read = Reader(render_markdown(vector))
    assert read.tags <= HARMLESS_TAGS
    assert read.attributes <= HARMLESS_ATTRIBUTES
    for link in read.links:
        assert str(link["href"]).startswith(("https://", "http://", "mailto:"))
        assert link["rel"] == "noopener noreferrer nofollow"


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_comes_through_long_text_and_code_either(vector):
    for html in (
        render_markdown(vector + " " * 200_000),
        highlight_code(vector, "html"),
        highlight_code(vector, "?"),
    ):
        assert Reader(html).tags <= {"p", "pre", "code", "span"}


def test_an_image_is_shown_as_a_link_to_it():
    assert render_markdown("![a chart](https://example.com/c.png)") == (
        '<p><a href="https://example.com/c.png"'
        ' rel="noopener noreferrer nofollow">a chart</a></p>\n'
    )


def test_a_link_around_an_image_stays_one_link():
    html = render_markdown("[![a](https://e.example/a.png)](https://f.example)")
    assert [link["href"] for link in Reader(html).links] == ["https://f.example"]


def test_a_refused_link_stays_readable():
    assert render_markdown("[x](javascript:alert(1))") == (
        "<p>[x](javascript:alert(1))</p>\n"
    )


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "*a ", "> ", "- ", "`", "|a", "http://a", "a@b.", "<", "~~a", "[a](b"],
)
def test_no_text_takes_long(piece):
    # Of this thread alone: how busy the machine is does not count.
    started = time.thread_time()
    render_markdown(piece * (190_000 // len(piece)))
    assert time.thread_time() - started < 15

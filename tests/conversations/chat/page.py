"""What a page says, read as a screen reader would find it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"br", "hr", "img", "input", "link", "meta", "path", "rect", "circle"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        parts = (c if isinstance(c, str) else c.text for c in self.children)
        return " ".join(" ".join(parts).split())

    def all(self, tag: str = "", **wanted: str) -> list[Element]:
        """Descendants of that tag with these attributes (``_`` stands for ``-``)."""
        pairs = {name.rstrip("_").replace("_", "-"): v for name, v in wanted.items()}
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if (not tag or child.tag == tag) and pairs.items() <= (
                    child.attributes.items()
                ):
                    found.append(child)
                found += child.all(tag, **wanted)
        return found

    def one(self, tag: str = "", **wanted: str) -> Element:
        (found,) = self.all(tag, **wanted)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(response: Any) -> Element:
    """The page of a response; fails where a tag is not closed in its place."""
    return read_html(response.content.decode())


def read_html(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.root

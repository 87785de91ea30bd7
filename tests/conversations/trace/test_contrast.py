"""Every pair of colour tokens that meets on a page is readable, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

CSS = Path(settings.BASE_DIR) / "static" / "css"
TOKEN = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
STATES = ("waiting", "done", "failed", "stopped")
TINTS = range(8)
CODE = ("text", "comment", "keyword", "string", "number", "name", "tag")

OURS = (
    "base", "parts", "bar", "signs", "forms", "markdown", "code", "trace",
    "trace-detail",
    "admin", "admin-lists", "admin-forms", "admin-pages",
)  # fmt: skip

TEXT_PAIRS = [
    *((ink, ground) for ink in ("text", "muted", "accent", "accent-deep", *STATES)
      for ground in ("surface", "raised", "sunk")),
    ("on-accent", "accent"),
    ("on-accent", "accent-deep"),
    ("text", "accent-wash"),
    ("muted", "accent-wash"),
    ("accent", "accent-wash"),
    ("accent-deep", "accent-wash"),
    *((state, f"{state}-wash") for state in STATES),
    *((ink, f"{state}-wash") for ink in ("text", "muted") for state in STATES),
    *((f"tint-{n}-ink", f"tint-{n}") for n in TINTS),
    *((ink, f"tint-{n}") for ink in ("text", "muted") for n in TINTS),
    *((f"code-{part}", "sunk") for part in CODE),
]  # fmt: skip
SHAPE_PAIRS = [
    *((edge, ground) for edge in ("edge", "accent", *(f"{s}-edge" for s in STATES))
      for ground in ("surface", "raised")),
]  # fmt: skip


def tokens() -> dict[str, tuple[str, str]]:
    text = (CSS / "tokens.css").read_text()
    return {name: (light, dark) for name, light, dark in TOKEN.findall(text)}


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_PAIRS)
def test_text_has_a_contrast_of_four_and_a_half(ink, ground, scheme):
    known = tokens()
    assert contrast(known[ink][scheme], known[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), SHAPE_PAIRS)
def test_edges_of_controls_have_a_contrast_of_three(edge, ground, scheme):
    known = tokens()
    assert contrast(known[edge][scheme], known[ground][scheme]) >= 3


def test_every_ink_is_measured():
    measured = {ink for pair in TEXT_PAIRS + SHAPE_PAIRS for ink in pair}
    # Rules and hairlines carry no meaning of their own.
    decoration = {"line", "accent-rule", *(f"tint-{n}-rule" for n in TINTS)}
    assert set(tokens()) - decoration == measured


def test_styles_use_no_colour_outside_the_tokens():
    for name in OURS:
        text = (CSS / f"{name}.css").read_text()
        assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*;)", text) == [], name


def test_styles_use_logical_properties():
    physical = re.compile(
        r"(?:^|[\s;{])((?:margin|padding|border)-(?:left|right)|left|right)\s*:"
        r"|float\s*:(?!\s*none)"
    )
    for name in OURS:
        assert physical.findall((CSS / f"{name}.css").read_text()) == [], name

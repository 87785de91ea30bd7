"""One spelling for what is the same word: no case, accents, vowel marks or widths."""

from __future__ import annotations

import unicodedata

# Digits of other scripts, full-width letters and odd hyphens, one for one, so that
# places in the text stay the same.
_PLAIN = {
    **{ord(c): str(i) for i, c in enumerate("٠١٢٣٤٥٦٧٨٩")},
    **{ord(c): str(i) for i, c in enumerate("۰۱۲۳۴۵۶۷۸۹")},
    **{ord(c): str(i) for i, c in enumerate("०१२३४५६७८९")},
    **{c: chr(c - 0xFEE0) for c in range(0xFF10, 0xFF5B) if chr(c - 0xFEE0).isalnum()},
    **dict.fromkeys((0x2010, 0x2011, 0x2212, 0xFF0D), "-"),
    0xA0: " ",
    0x202F: " ",
}
_ARABIC = str.maketrans({"ة": "ه", "ى": "ي", "ـ": None})


def plain(text: str) -> str:
    """The same text, place for place, with ASCII digits and ids."""
    return text if text.isascii() else text.translate(_PLAIN)


def fold(text: str) -> str:
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in apart if unicodedata.category(c)[0] != "M")
    return unicodedata.normalize("NFC", bare).translate(_ARABIC)

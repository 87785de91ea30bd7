"""What a tool does, in words for people: a sentence with places for its arguments.

``Send an e-mail to {to}`` stands on the card that asks for an approval, ``sent an
e-mail to {to}`` in the line that remains. Plain text: what a model gave as an
argument is put in as it is shown elsewhere, shortened and on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.utils.text import Truncator

LENGTH = 200
VALUE_LENGTH = 80

_PLACE = re.compile(r"\{(\w+)\}")
# They would turn around what stands behind them in the sentence.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def sentence(
    template: str, arguments: Mapping[str, Any], parameters: Mapping[str, Any]
) -> str:
    """The template with the arguments, or the schema's defaults, in their places.

    Empty where an argument it names has neither: half a sentence tells nothing.
    """
    known = {**_defaults(parameters), **arguments}
    if not template or not places(template) <= known.keys():
        return ""
    filled = _PLACE.sub(lambda place: _shown(known[place[1]]), template)
    return " ".join(filled.split())


def places(template: str) -> set[str]:
    return set(_PLACE.findall(template))


def unknown_places(template: str, parameters: Mapping[str, Any]) -> list[str]:
    """The places that no argument of the tool can fill."""
    return sorted(places(template) - parameters.get("properties", {}).keys())


def _defaults(parameters: Mapping[str, Any]) -> dict[str, Any]:
    properties = parameters.get("properties", {})
    return {
        name: schema["default"]
        for name, schema in properties.items()
        if isinstance(schema, dict) and "default" in schema
    }


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Truncator(_DIRECTIONS.sub("", text)).chars(VALUE_LENGTH)

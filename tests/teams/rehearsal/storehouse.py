"""A team of another domain, written for the tests alone: goods in three stores."""

from __future__ import annotations

from typing import Any

from tests.teams.rehearsal.playing import Team, Worker, schema

STOCK = "STOCK_AGENT/STOCK_TASK"
TRANSFERS = "TRANSFER_AGENT/TRANSFER_TASK"
SUPPLIERS = "SUPPLIER_AGENT/SUPPLIER_TASK"
HANDBOOK = "HANDBOOK_AGENT/HANDBOOK_TASK"

WORKERS = (
    Worker(
        STOCK,
        "Knows stock levels and corrects them.",
        "Look up or correct the stock of the article in the request. Needed: the "
        "article code, such as AB1234.",
        ("adjust_stock", "stock_level"),
    ),
    Worker(
        TRANSFERS,
        "Plans transfers between warehouses.",
        "Create the transfer of the request. Needed: from where, to where, which "
        "articles and how many pieces.",
        ("create_transfer",),
    ),
    Worker(
        SUPPLIERS,
        "Knows suppliers, orders samples and writes to them.",
        "Find the contact of a supplier, order samples, or write to them.",
        ("supplier_contact", "order_sample", "write_to_supplier"),
    ),
    Worker(
        HANDBOOK,
        "Knows the handbook.",
        "Find what the handbook says on a topic and quote it.",
        ("quote_handbook",),
    ),
)

_PLACE = {"enum": ["north", "south", "central"]}
_CODE = {"type": "string", "description": "Article code, such as AB1234."}

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "adjust_stock": (
        "Corrects the stock of an article after a count, damage or theft.",
        schema(
            ("sku", "quantity", "reason"),
            sku=_CODE,
            quantity={
                "type": "integer",
                "description": "Pieces to add; negative to remove.",
            },
            reason={"enum": ["damage", "count", "theft"]},
            warehouse={**_PLACE, "default": "central"},
        ),
    ),
    "stock_level": (
        "Current stock of an article.",
        schema(("sku",), sku=_CODE, warehouse={**_PLACE, "default": "central"}),
    ),
    "create_transfer": (
        "Moves goods from one warehouse to another.",
        schema(
            ("destination", "source", "lines"),
            destination=_PLACE,
            source=_PLACE,
            lines={
                "type": "array",
                "description": "What is moved.",
                "items": schema(
                    ("sku", "pieces"),
                    sku=_CODE,
                    pieces={"type": "integer", "minimum": 1},
                ),
            },
        ),
    ),
    "supplier_contact": (
        "Tells who is the contact of a supplier.",
        schema((), supplier={"type": "string", "description": "Company we buy from."}),
    ),
    "order_sample": (
        "Orders samples (SMP) from a supplier.",
        schema(
            ("supplier", "colour", "paid"),
            supplier={"type": "string", "description": "Company we buy from."},
            colour={"enum": ["red", "blue", "green"]},
            paid={"type": "boolean", "description": "Whether it is paid already."},
            quantity={"type": "integer", "default": 1},
        ),
    ),
    "write_to_supplier": (
        "Writes an e-mail to a supplier.",
        schema(
            ("to", "subject", "body"),
            to={"type": "string", "description": "E-mail address."},
            subject={"type": "string"},
            body={"type": "string"},
        ),
    ),
    "quote_handbook": (
        "Quotes the handbook on a topic.",
        schema(("topic",), topic={"type": "string"}),
    ),
}


def _stock_level(sku: str, warehouse: str = "central") -> dict[str, Any]:
    if sku == "ZZ9999":
        raise LookupError(f"no article {sku}")
    return {"sku": sku, "warehouse": warehouse, "on_hand": 42, "owner": "Ines"}


def _told(**given: Any) -> dict[str, Any]:
    return {"done": True, **given}


TEAM = Team(
    WORKERS,
    TOOLS,
    {**dict.fromkeys(TOOLS, _told), "stock_level": _stock_level},
)

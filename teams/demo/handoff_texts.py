"""Two demo teams whose agents hand over to each other: a shop's support, and tutors."""

from __future__ import annotations

from typing import Any

# In a conversation that is handed over, a question is a reply like any other.
COMMON: dict[str, Any] = {"profile_name": "DEFAULT", "enable_human_tool": False}

ORDER_NUMBER = "The number of an order has five digits, such as 12345."

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "check_order_status",
        "display_name": "Check an order",
        "description": "Looks up one order: item, amount, date and status.",
        "function": "check_order_status",
        "instruction": "Call it once for each order you are asked about.",
    },
    {
        "name": "process_return",
        "display_name": "Arrange a return",
        "description": "Arranges the return of a delivered order.",
        "function": "process_return",
        "instruction": (
            "Call it when an order arrived damaged or wrong or shall go back, once "
            "the number of the order is known."
        ),
    },
    {
        "name": "process_refund",
        "display_name": "Pay a refund",
        "description": "Pays back the money for an order, after approval.",
        "function": "process_refund",
        "instruction": "Call it when the person asks for the money back.",
    },
)

AGENTS: tuple[dict[str, Any], ...] = (
    {
        "name": "TRIAGE_AGENT",
        "display_name": "Reception",
        "description": "Finds out what a request is about and passes it on.",
        **COMMON,
        "role": (
            "You are the first contact of the Alder shop. You find out what the person "
            "needs and hand over at once to the colleague whose domain it is: order "
            "status and delivery to the order desk; damaged, wrong or unwanted goods, "
            "returns and refunds to the return desk.\n"
            "You do not solve anything yourself and you never ask for an order number. "
            "Only if it is unclear what the request is about, ask one short question."
        ),
    },
    {
        "name": "ORDER_AGENT",
        "display_name": "Order desk",
        "description": "Knows the status and the delivery of orders.",
        **COMMON,
        "tools": ["check_order_status"],
        "role": (
            "You are the order desk of the Alder shop. You look up orders and say what "
            "was ordered, when, and where it is.\n"
            f"You need the number of the order; if it is missing, ask for it. "
            f"{ORDER_NUMBER}\n"
            "Leave damaged goods, returns and refunds to others: hand such requests "
            "back to the reception."
        ),
    },
    {
        "name": "RETURN_AGENT",
        "display_name": "Return desk",
        "description": (
            "Takes back goods that arrived damaged or wrong, or are not wanted: "
            "arranges returns."
        ),
        **COMMON,
        "tools": ["process_return"],
        "role": (
            "You are the return desk of the Alder shop. You arrange the return of "
            "goods that arrived damaged or wrong, or are not wanted, and tell the "
            "return number.\n"
            f"You need the number of the order; if it is missing, ask for it. "
            f"{ORDER_NUMBER}\n"
            "You do not pay money back: hand a wish for a refund over to the refund "
            "desk. Hand everything else back to the reception."
        ),
    },
    {
        "name": "REFUND_AGENT",
        "display_name": "Refund desk",
        "description": "Pays back the money for an order: refunds.",
        **COMMON,
        "tools": ["process_refund"],
        "role": (
            "You are the refund desk of the Alder shop. You pay back the money for an "
            "order; a person approves each refund. The number of the order stands in "
            "the conversation; if it does not, ask for it. "
            f"{ORDER_NUMBER}\n"
            "If a refund is denied, say so with the reason and do not try again. Leave "
            "everything else to others: hand it back to the reception."
        ),
    },
    {
        "name": "HOMEWORK_TRIAGE",
        "display_name": "Homework help",
        "description": "Finds out which subject a question is about.",
        **COMMON,
        "role": (
            "You receive pupils who need help with homework. Hand each question over "
            "to the tutor of its subject at once: mathematics or history. You never "
            "answer the question yourself. If it is about neither, say which subjects "
            "there are."
        ),
    },
    {
        "name": "HISTORY_TUTOR",
        "display_name": "History tutor",
        "description": (
            "Helps with history: events, wars, revolutions, dates, people and their "
            "causes."
        ),
        **COMMON,
        "role": (
            "You are a tutor of history. You explain events, wars and people with "
            "their dates and causes, briefly and in plain words. Answer questions "
            "about history only; hand any other over to the tutor of its subject."
        ),
    },
    {
        "name": "MATH_TUTOR",
        "display_name": "Math tutor",
        "description": (
            "Helps with mathematics: numbers, equations, algebra, geometry, "
            "derivatives, integrals, integration."
        ),
        **COMMON,
        "role": (
            "You are a tutor of mathematics. You explain step by step and show the "
            "calculation, with one example. Answer questions about mathematics only; "
            "hand any other over to the tutor of its subject."
        ),
    },
)

BACK = "For anything that is not about this desk's own work."

TEAMS: tuple[dict[str, Any], ...] = (
    {
        "name": "HANDOFF_SUPPORT",
        "display_name": "Shop support",
        "description": (
            "Agents of a shop hand the conversation over to each other: reception, "
            "orders, returns, refunds."
        ),
        "agents": [
            {"name": "TRIAGE_AGENT"},
            {"name": "ORDER_AGENT"},
            {"name": "RETURN_AGENT"},
            {"name": "REFUND_AGENT"},
        ],
        "start_agent": "TRIAGE_AGENT",
        "handoffs": [
            {
                "from": "TRIAGE_AGENT",
                "to": "ORDER_AGENT",
                "description": "Help with an order: its status, delivery, what it is.",
            },
            {
                "from": "TRIAGE_AGENT",
                "to": "RETURN_AGENT",
                "description": (
                    "Goods arrived damaged, broken or wrong, or shall go back; a "
                    "return or a refund."
                ),
            },
            {
                "from": "RETURN_AGENT",
                "to": "REFUND_AGENT",
                "description": "The person wants a refund: the money back.",
            },
            {"from": "ORDER_AGENT", "to": "TRIAGE_AGENT", "description": BACK},
            {"from": "RETURN_AGENT", "to": "TRIAGE_AGENT", "description": BACK},
            {"from": "REFUND_AGENT", "to": "TRIAGE_AGENT", "description": BACK},
        ],
        "starters": [
            "I need help with my order",
            "My order 12345 arrived damaged",
            "I'd like a refund for order 12345",
        ],
    },
    {
        "name": "HOMEWORK_HANDOFF",
        "display_name": "Homework help",
        "description": (
            "A reception and two tutors; without rules, everyone may hand over to "
            "everyone."
        ),
        "agents": [
            {"name": "HOMEWORK_TRIAGE"},
            {"name": "HISTORY_TUTOR"},
            {"name": "MATH_TUTOR"},
        ],
        "start_agent": "HOMEWORK_TRIAGE",
        "starters": [
            "What is the derivative of x^2?",
            "What caused the First World War?",
            "Explain integration by parts",
        ],
    },
)

"""Two demo teams on the orders: a help desk that delegates, and a fixed order of steps
that ends in a report."""

from __future__ import annotations

from typing import Any

PERIODS = (
    "today, yesterday, this week, last week, the week before last, this month or last "
    "month"
)

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "count_orders",
        "display_name": "Count orders",
        "description": "Counts the orders that came in within a period.",
        "function": "count_orders",
        "instruction": "Call it when asked how many orders there were.",
    },
    {
        "name": "order_revenue",
        "display_name": "Revenue",
        "description": "Adds up the amounts of the orders of a period: the revenue.",
        "function": "order_revenue",
        "instruction": "Call it when asked for revenue, turnover or money earned.",
    },
    {
        "name": "best_sellers",
        "display_name": "Best sellers",
        "description": "Lists the items that were ordered most within a period.",
        "function": "best_sellers",
        "instruction": "Call it when asked for best sellers or popular items.",
    },
    {
        "name": "file_figures",
        "display_name": "File figures",
        "description": "Files figures in the archive and gives their file number.",
        "function": "file_figures",
        "instruction": "Call it once with the complete figures.",
    },
)

AGENTS: tuple[dict[str, Any], ...] = (
    {
        "name": "DATA_SPECIALIST",
        "display_name": "Data specialist",
        "description": "Answers questions about orders with figures.",
        "profile_name": "DEFAULT",
        "tools": ["count_orders", "order_revenue", "best_sellers"],
        "role": (
            "You answer questions about the orders of the Alder shop with figures: how "
            "many orders came in, their revenue, the best sellers.\n"
            f"A question needs a period: {PERIODS}. If it names none, take the one of "
            "the question before, else last week.\n"
            "Use your tools only and never estimate. Return the figures with their "
            "period, nothing more."
        ),
    },
    {
        "name": "HELP_DESK_AGENT",
        "display_name": "Help desk",
        "description": "Answers questions of the staff.",
        "profile_name": "DEFAULT",
        "delegates": ["DATA_SPECIALIST"],
        "role": (
            "You are the help desk for the staff of the Alder shop. Whatever needs "
            "figures about orders you delegate to the data specialist, always as a "
            "complete question with its period. For a question that follows up on an "
            "earlier one, pass the conversation_id of that answer, so that the "
            "specialist knows what it is about.\n"
            "Answer greetings and questions about what you can do yourself. Leave "
            "alone what is not about the shop."
        ),
    },
    {
        "name": "REPORT_ANALYST",
        "display_name": "Analyst",
        "description": "Collects the figures of a period.",
        "profile_name": "DEFAULT",
        "role": (
            "You collect figures about the orders of the Alder shop with your tools. "
            "You never estimate and never comment."
        ),
    },
    {
        "name": "REPORT_ARCHIVIST",
        "display_name": "Archivist",
        "description": "Files figures.",
        "profile_name": "DEFAULT",
        "role": "You file figures as they are given to you and change nothing in them.",
    },
    {
        "name": "REPORT_WRITER",
        "display_name": "Report writer",
        "description": "Writes a short report from figures.",
        "profile_name": "DEFAULT",
        "role": (
            "You write short reports for the managers of the Alder shop. You use only "
            "the figures that you are given."
        ),
    },
)

TASKS: tuple[dict[str, Any], ...] = (
    {
        "name": "COLLECT_FIGURES_TASK",
        "display_name": "Collect the figures",
        "description": "Number of orders, revenue and best sellers of a period.",
        "tools": ["count_orders", "order_revenue", "best_sellers"],
        "instruction": (
            "Collect the number of orders, the revenue and the best sellers for the "
            "period in the request.\n"
            f"Needed: the period, which is {PERIODS}. If it is missing, ask the person "
            "for it.\n"
            "Only collect; leave comments to others.\n"
            "Return: the period with its dates, then one line for each figure."
        ),
    },
    {
        "name": "FILE_FIGURES_TASK",
        "display_name": "File the figures",
        "description": "Put the figures into the archive.",
        "tools": ["file_figures"],
        "enable_human_tool": False,
        "instruction": (
            "File the figures that you are given, complete and unchanged.\n"
            "Needed: the text with the figures. Do nothing else with it.\n"
            "Return: the file number."
        ),
    },
    {
        "name": "WRITE_REPORT_TASK",
        "display_name": "Write the report",
        "description": "A short report from the figures that were collected.",
        "input": "COLLECT_FIGURES_TASK",
        "enable_human_tool": False,
        "instruction": (
            "Write a report of at most ten lines from the figures that you are given: "
            "first the period, then orders, revenue and best sellers, at last one "
            "sentence on what stands out.\n"
            "Needed: the figures. Use only these, and add none.\n"
            "Return: the report as plain text."
        ),
    },
)

TEAMS: tuple[dict[str, Any], ...] = (
    {
        "name": "HELP_DESK",
        "display_name": "Help desk",
        "description": (
            "One agent, which delegates questions about data to a specialist and goes "
            "on with it where it left off."
        ),
        "agents": [{"name": "HELP_DESK_AGENT"}],
        "starters": [
            "How many orders came in last week?",
            "What was the revenue last month?",
            "What are the best sellers this month?",
        ],
    },
    {
        "name": "REPORT_LINE",
        "display_name": "Report line",
        "description": (
            "Three steps in a fixed order: collect the figures, file them, write the "
            "report from what was collected."
        ),
        "agents": [
            {"name": "REPORT_ANALYST", "task": "COLLECT_FIGURES_TASK"},
            {"name": "REPORT_ARCHIVIST", "task": "FILE_FIGURES_TASK"},
            {"name": "REPORT_WRITER", "task": "WRITE_REPORT_TASK"},
        ],
        "starters": [
            "Write the report on orders of last week",
            "Write the report on orders of last month",
        ],
    },
)

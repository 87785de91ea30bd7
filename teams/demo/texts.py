"""The demo team's definitions: a support desk that looks up, lists and notifies.

The texts follow our own advice (``teams.check``): each task names its domain and its
limits, what it needs, when to ask the person, and what it gives back.
"""

from __future__ import annotations

from typing import Any

PROFILE: dict[str, Any] = {
    "name": "DEFAULT",
    "display_name": "Default model",
    "description": (
        "The model named by OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL; without "
        "them the rehearsal model, which works offline."
    ),
    "provider": "env",
}

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "lookup_account",
        "display_name": "Look up an account",
        "description": (
            "Finds one customer's account: name, e-mail address, plan, status and "
            "since when."
        ),
        "function": "lookup_account",
        "instruction": "Call it once for each customer id you are asked about.",
    },
    {
        "name": "list_payments",
        "display_name": "List payments",
        "description": (
            "Lists one customer's payments, newest first: date, amount, currency, "
            "method and reference."
        ),
        "function": "list_payments",
        "instruction": (
            "Call it with the customer id and with as many payments as the request "
            "speaks of."
        ),
    },
    {
        "name": "send_email",
        "display_name": "Send an e-mail",
        "description": "Sends one e-mail, by default to the person who asks.",
        "function": "send_email",
        "instruction": (
            "Write a subject of one line and the complete text. Leave out the "
            "recipient unless the request names another address."
        ),
    },
)

AGENTS: tuple[dict[str, Any], ...] = (
    {
        "name": "SUPPORT_SUPERVISOR",
        "display_name": "Support desk",
        "description": "Leads the support desk of a broadband company.",
        "profile_name": "DEFAULT",
        "supervisor": True,
        "role": (
            "You lead the support desk of Alder Broadband and speak with its staff.\n"
            "Delegate one subtask at a time to the worker whose domain it is, and "
            "always as a self-contained request: with the customer id, the amounts, "
            "the addresses and the texts that it needs, since a worker sees nothing "
            "else. Before an e-mail is sent, first get the facts it shall hold, then "
            "put them into the request.\n"
            "Read each result before you go on. If a worker fails or finds nothing, "
            "say so plainly and suggest what would help.\n"
            "Answer greetings and questions about what you can do yourself. Leave "
            "alone what is not about accounts, payments and e-mails of customers.\n"
            "End with one short answer that combines what was found."
        ),
    },
    {
        "name": "ACCOUNT_AGENT",
        "display_name": "Account agent",
        "description": (
            "Knows customers' accounts: their plan, status, name and e-mail address. "
            "Knows nothing of payments."
        ),
        "profile_name": "DEFAULT",
        "role": (
            "You are the account clerk of Alder Broadband. You look up accounts and "
            "report what is recorded there, nothing more. You never guess a customer "
            "id and you change nothing."
        ),
    },
    {
        "name": "PAYMENT_AGENT",
        "display_name": "Payment agent",
        "description": (
            "Knows customers' payments: dates, amounts, methods and references. "
            "Knows nothing of plans."
        ),
        "profile_name": "DEFAULT",
        "role": (
            "You are the payment clerk of Alder Broadband. You list payments as they "
            "are recorded, newest first, and never estimate an amount. You never "
            "guess a customer id and you change nothing."
        ),
    },
    {
        "name": "NOTIFICATION_AGENT",
        "display_name": "Notification agent",
        "description": (
            "Writes and sends e-mails. Looks nothing up: the request must hold what "
            "the e-mail shall say."
        ),
        "profile_name": "DEFAULT",
        "role": (
            "You write short, polite e-mails for Alder Broadband and send them. You "
            "use only the facts in the request."
        ),
    },
)

TASKS: tuple[dict[str, Any], ...] = (
    {
        "name": "ACCOUNT_MANAGEMENT_TASK",
        "display_name": "Account management",
        "description": "Look up the account of a customer: plan, status, contact.",
        "tools": ["lookup_account"],
        "instruction": (
            "Look up the account of the customer in the request.\n"
            "Needed: the customer id, such as C-1001. If it is missing, ask the "
            "person for it; never guess.\n"
            "Leave payments, invoices and e-mails to others.\n"
            "Return: the customer id, name, plan, status, e-mail address and the "
            "date since when. If there is no such customer, say so."
        ),
    },
    {
        "name": "PAYMENT_LOOKUP_TASK",
        "display_name": "Payment lookup",
        "description": "List the last payments of a customer.",
        "tools": ["list_payments"],
        "instruction": (
            "List the payments of the customer in the request.\n"
            "Needed: the customer id, such as C-1001; if it is missing, ask the person "
            "for it. How many payments: as the request says, otherwise ten.\n"
            "Leave plans, account data and e-mails to others.\n"
            "Return: one line for each payment with date, amount, currency, method "
            "and reference, newest first. If there are none, say so."
        ),
    },
    {
        "name": "NOTIFICATION_TASK",
        "display_name": "Notification",
        "description": "Send an e-mail with facts that were found before.",
        "tools": ["send_email"],
        "instruction": (
            "Send one e-mail with what the request says.\n"
            "Needed: the facts that it shall hold. The recipient is the person who "
            "asks, unless the request names another address. If the facts are "
            "missing, ask for them.\n"
            "Only send e-mails; look nothing up.\n"
            "Return: to whom it was sent and its subject, or why it was not sent."
        ),
    },
)

TEAM: dict[str, Any] = {
    "name": "SUPPORT_TEAM",
    "display_name": "Support desk",
    "description": (
        "Looks up customers' accounts and payments and e-mails what was found."
    ),
    "supervisor_agent": "SUPPORT_SUPERVISOR",
    "agents": [
        {"name": "ACCOUNT_AGENT", "task": "ACCOUNT_MANAGEMENT_TASK"},
        {"name": "PAYMENT_AGENT", "task": "PAYMENT_LOOKUP_TASK"},
        {"name": "NOTIFICATION_AGENT", "task": "NOTIFICATION_TASK"},
    ],
    "starters": [
        "What plan is customer C-1001 on?",
        "Show the account and the last three payments of customer C-1001",
        (
            "Show the account and the last three payments of customer C-1001 and "
            "e-mail it to me"
        ),
    ],
}

"""A team with Chinese names, written for the tests alone: holidays and loans.

Its tools' names have no ASCII letters, so models see them as ``tool``, ``tool_2``, …
and tell them apart by their descriptions.
"""

from __future__ import annotations

from typing import Any

from tests.teams.rehearsal.playing import Team, Worker, schema

HOLIDAYS = "假期员/假期任务"
LOANS = "借阅员/续借任务"
NOTICES = "通知员/通知任务"

WORKERS = (
    Worker(
        HOLIDAYS,
        "了解员工的假期。查询员工的剩余假期天数。",
        "查询请求中员工的剩余假期。需要员工编号,例如 E-17;缺少时请询问。",
        ("tool",),
    ),
    Worker(
        LOANS,
        "办理图书借阅。列出借阅记录,续借图书。",
        "按请求续借或列出。需要借阅编号或读者编号。",
        ("tool_2", "tool_3"),
    ),
    Worker(
        NOTICES,
        "发送通知邮件。",
        "把请求中的内容发送给本人。不要查询任何资料。",
        ("tool_4",),
    ),
)

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "tool": (
        "查询员工的剩余假期天数。",
        schema(
            ("employee_id",),
            employee_id={"type": "string", "description": "员工编号,例如 E-17。"},
        ),
    ),
    "tool_2": (
        "列出读者的借阅记录。",
        schema(
            ("reader_id",),
            reader_id={"type": "string", "description": "读者编号,例如 R-5。"},
            limit={"type": "integer", "description": "最多几条记录。"},
        ),
    ),
    "tool_3": (
        "续借图书。",
        schema(
            ("loan_id", "days"),
            loan_id={"type": "string", "description": "借阅编号,例如 L-205。"},
            days={"type": "integer", "description": "续借天数。"},
        ),
    ),
    "tool_4": (
        "发送通知邮件。",
        schema(
            ("主题", "正文"),
            主题={"type": "string"},
            正文={"type": "string"},
            to={"type": "string", "default": "me"},
        ),
    ),
}


def holidays(employee_id: str) -> dict[str, Any]:
    if employee_id != "E-17":
        raise LookupError(f"没有员工 {employee_id}")
    return {"员工编号": employee_id, "姓名": "李雷", "剩余假期": 12}


def loans(reader_id: str, limit: int = 10) -> list[dict[str, Any]]:
    titles = ["三体", "围城", "活着", "家"]
    return [{"借阅编号": f"L-{n}", "书名": t} for n, t in enumerate(titles[:limit])]


def renew(loan_id: str, days: int) -> str:
    return f"{loan_id} 已续借 {days} 天。"


def notify(**message: str) -> str:
    return "已发送。"


TEAM = Team(
    WORKERS,
    TOOLS,
    {"tool": holidays, "tool_2": loans, "tool_3": renew, "tool_4": notify},
)

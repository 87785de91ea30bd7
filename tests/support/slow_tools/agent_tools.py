"""Tools that write a line to a file named by the environment, then wait."""

from __future__ import annotations

import os
import time
from pathlib import Path

from teams.toolbox.base import ToolContext
from teams.toolbox.registry import agent_tool


def _note(line: str) -> None:
    with Path(os.environ["EFFECTS_FILE"]).open("a") as file:
        file.write(line + "\n")


def _wait() -> None:
    """Until the gate file is there; 30 seconds at most."""
    gate = Path(os.environ["EFFECTS_FILE"] + ".gate")
    for _ in range(600):
        if gate.exists():
            return
        time.sleep(0.05)


@agent_tool
def move_money(context: ToolContext, amount: int) -> str:
    """Move money; must never happen twice.

    Args:
        amount: How much.
    """
    _note(f"moved {amount} {context.call_id}")
    _wait()
    return f"moved {amount}"


@agent_tool(replay_safe=True)
def read_meter(context: ToolContext, room: str) -> str:
    """Read a meter; reading again does no harm.

    Args:
        room: The room.
    """
    _note(f"read {room} {context.call_id}")
    _wait()
    return f"{room}: 21 degrees"


@agent_tool
def pay(context: ToolContext, job: int) -> str:
    """Pay for a job, which takes a moment; must never happen twice.

    Args:
        job: The job's number.
    """
    time.sleep(0.2)
    _note(f"paid {job} {context.call_id}")
    time.sleep(0.2)
    return f"paid for {job}"


@agent_tool(replay_safe=True)
def measure(context: ToolContext, job: int) -> str:
    """Measure something for a job; doing it again does no harm.

    Args:
        job: The job's number.
    """
    _note(f"measured {job} {context.call_id}")
    time.sleep(0.2)
    return f"{job} is 21 long"

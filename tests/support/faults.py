"""Work that is disturbed: jobs for a small team, and what must hold afterwards.

A job goes to a supervisor, who delegates it to a clerk, who measures (safe to repeat)
and pays (never twice), and then both say something word by word. The model answers by
what it is asked alone, so that a call made again after a crash gets the same answer.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.follower import Follower, fresh_leaves
from tests.support.product import Product
from tests.support.scripted_model import calls, slow
from tests.support.scripted_replies import Body, Reply

JOB = re.compile(r"job (\d+)")
LEAD = "You lead the office."
PAIR = "CLERK/JOB_TASK"
OPEN = ("QUEUED", "RUNNING", "WAITING_FOR_HUMAN", "RESUMING")
SETTLE_SECONDS = 60
WORDS = " ".join(f"word{number}" for number in range(15))


def answer(body: Body) -> Reply:
    messages = body["messages"]
    text = "\n".join(str(message.get("content")) for message in messages)
    job = JOB.findall(text)[-1]
    done = messages[-1]["role"] == "tool"
    if LEAD in str(messages[0]["content"]):
        if done:
            return slow(f"The end of job {job}: {WORDS}", 0.05)
        request = {"worker": PAIR, "request": f"Please do job {job}"}
        return calls(("delegate_to_worker", request), delay=0.1)
    if done:
        return slow(f"I have done job {job}.", 0.05)
    number = {"job": int(job)}
    return calls(("measure", number), ("pay", number), delay=0.1)


def make_office(product: Product) -> None:
    """The team OFFICE and its tools, once for an installation."""
    for name, safe in (("measure", True), ("pay", False)):
        tool = {"name": name, "function": name, "replay_safe": safe}
        product.call("POST", "/tools", tool)
    agent = {"profile_name": "DEFAULT", "role": LEAD, "supervisor": True}
    product.call("POST", "/agents", {"name": "CHIEF", **agent})
    clerk = {"profile_name": "DEFAULT", "role": "You are a clerk."}
    product.call("POST", "/agents", {"name": "CLERK", **clerk})
    task = {"instruction": "Do the job named.", "tools": ["measure", "pay"]}
    product.call("POST", "/tasks", {"name": "JOB_TASK", **task})
    pairs = [{"name": "CLERK", "task": "JOB_TASK"}]
    team = {"supervisor_agent": "CHIEF", "agents": pairs}
    product.call("POST", "/teams", {"name": "OFFICE", **team})


@dataclass
class Round:
    """Some jobs at work at once, each with a page open on it."""

    servers: list[Product]
    rows: Callable[[str], list[tuple[Any, ...]]]
    seed: int
    jobs: int = 4
    rng: random.Random = field(init=False)
    runs: dict[str, int] = field(default_factory=dict)
    followers: list[Follower] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        print(f"\nseed {self.seed}")  # noqa: T201 - a failure is repeated with it

    def begin(self) -> None:
        for _job in range(self.jobs):
            self.add_job()
            time.sleep(self.rng.random() * 0.2)

    def add_job(self) -> None:
        server = self.rng.choice(self.servers)
        job = self.rng.randrange(10**9)
        prompt = f"Do job {job}"
        run = server.call("POST", "/runs", {"team": "OFFICE", "prompt": prompt})
        self.runs[run["id"]] = job
        follower = Follower(self.servers, run["conversation_id"], self.rng)
        follower.start()
        self.followers.append(follower)

    def wait_a_moment(self, longest: float = 3.0) -> None:
        """Until some moment of the work."""
        moment = self.rng.random() * longest
        print(f"the fault comes after {moment:.2f} s")  # noqa: T201
        time.sleep(moment)

    def settle(self) -> None:
        """Wait until nothing is at work; questions about interrupted tools are
        answered as a person would: leave it."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            states = self._states()
            if not set(states.values()) & set(OPEN):
                return
            assert time.monotonic() < deadline, f"stuck: {states}"
            if "WAITING_FOR_HUMAN" in states.values():
                self._answer()
            time.sleep(0.2)

    def _states(self) -> dict[str, str]:
        ids = ", ".join(f"'{run.replace('-', '')}'" for run in self.runs)
        query = (
            "SELECT id, state FROM conversations_run"
            f" WHERE replace(CAST(id AS text), '-', '') IN ({ids})"
        )
        return {str(run): state for run, state in self.rows(query)}

    def _answer(self) -> None:
        server = self.servers[0]
        path = "/human-requests?state=PENDING&limit=100"
        for request in server.call("GET", path)["items"]:
            if request["run_id"] in self.runs and request["kind"] == "recovery":
                where = f"/human-requests/{request['id']}/respond"
                server.call("POST", where, {"decision": "skip"})

    def check(self) -> Counter[str]:
        """What must hold, whatever happened; returns how the calls that pay ended."""
        try:
            self._check_effects()
            self._check_numbers()
            for run, job in self.runs.items():
                self._check_run(run, job)
            self._check_pages()
        finally:
            for follower in self.followers:
                follower.stop()
        return self._payments()

    def _check_effects(self) -> None:
        paid = [line for line in self.servers[0].effects if line.startswith("paid")]
        twice = [line for line, times in Counter(paid).items() if times > 1]
        assert not twice
        jobs = Counter(int(line.split()[1]) for line in paid)
        assert not [job for job in self.runs.values() if jobs[job] > 1]

    def _check_numbers(self) -> None:
        """Each conversation's events are numbered 1, 2, 3 … without a gap."""
        wrong = self.rows(
            "SELECT c.id, c.last_number, count(e.id), max(e.number)"
            " FROM conversations_conversation c"
            " JOIN conversations_event e ON e.conversation_id = c.id"
            " GROUP BY c.id, c.last_number"
            " HAVING count(e.id) <> c.last_number OR max(e.number) <> c.last_number"
        )
        assert not wrong

    def _check_run(self, run_id: str, job: int) -> None:
        server = self.servers[-1]
        run = server.run(run_id)
        assert run["state"] == "SUCCEEDED", run
        assert run["answer"] == f"The end of job {job}: {WORDS}"
        path = f"/conversations/{run['conversation_id']}/messages?limit=100"
        messages = server.call("GET", path)["items"]
        said = [(m["author"], m["text"]) for m in messages if m["text"]]
        assert said == [
            ("admin", f"Do job {job}"),
            ("CHIEF", f"Please do job {job}"),
            ("CLERK", f"I have done job {job}."),
            ("CHIEF", run["answer"]),
        ]
        assert {m["state"] for m in messages} == {"complete"}

    def _check_pages(self) -> None:
        """What was pushed is what a page opened now shows."""
        for follower in self.followers:
            query = (
                "SELECT last_number FROM conversations_conversation WHERE"
                f" replace(CAST(id AS text), '-', '') = "
                f"'{follower.conversation.replace('-', '')}'"
            )
            ((last,),) = self.rows(query)
            follower.wait_until(last)
            assert follower.leaves == fresh_leaves(
                self.servers[-1], follower.conversation
            )

    def _payments(self) -> Counter[str]:
        ids = ", ".join(f"'{run.replace('-', '')}'" for run in self.runs)
        query = (
            "SELECT c.state FROM conversations_toolcall c"
            " JOIN conversations_taskrun t ON t.id = c.task_run_id"
            " WHERE c.name = 'pay' AND"
            f" replace(CAST(t.run_id AS text), '-', '') IN ({ids})"
        )
        return Counter(state for (state,) in self.rows(query))


def seeds(times: int) -> list[int]:
    """New ones each time; ``FAULT_SEED`` repeats one."""
    given = os.environ.get("FAULT_SEED")
    if given:
        return [int(given)]
    return [random.randrange(10**6) for _time in range(times)]


@dataclass
class Figures:
    """What some rounds of one fault came to, for people to read."""

    fault: str
    seconds: list[float] = field(default_factory=list)
    reconnections: int = 0
    payments: Counter[str] = field(default_factory=Counter)

    def add(self, round_: Round, seconds: float, payments: Counter[str]) -> None:
        self.seconds.append(seconds)
        self.reconnections += sum(page.cuts for page in round_.followers)
        self.payments += payments

    def __str__(self) -> str:
        paid = ", ".join(f"{n} {state}" for state, n in sorted(self.payments.items()))
        return (
            f"{self.fault}: {len(self.seconds)} rounds, settled after "
            f"{statistics.median(self.seconds):.1f} s (at most "
            f"{max(self.seconds):.1f} s) from the fault on, "
            f"{self.reconnections} reconnections; payments: {paid}"
        )

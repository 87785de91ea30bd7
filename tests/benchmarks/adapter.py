"""What our model call costs, as ratios to a bare loop with the openai client.

Both read the same scripted streams from a local server without delay in a process
of its own: seven calls a job, five answers of 60 tokens and two of 200.

    python -m tests.benchmarks.adapter [jobs]
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import Any

ANSWERS = (60, 200, 60, 60, 200, 60, 60)
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You lead a team. " * 20},
    {"role": "user", "content": "What plan is customer C-1001 on?"},
]


@dataclass(frozen=True)
class Cost:
    wall: float
    cpu: float
    first: float


def serve(pipe: Pipe) -> None:
    """The model server: its answers are as long as the request asks for."""
    from tests.support.scripted_model import ScriptedModel, text

    replies = {n: text("", pieces=[f" word{i}" for i in range(n)]) for n in ANSWERS}
    rendered: dict[int, Any] = {}

    def answer(body: dict[str, Any]) -> Any:
        from dataclasses import replace

        length = body["max_tokens"]
        if length not in rendered:
            steps = replies[length].steps(body)
            rendered[length] = replace(replies[length], steps=lambda body: steps)
        return rendered[length]

    with ScriptedModel() as model:
        model.answer_with(answer)
        pipe.send(model.base_url)
        pipe.recv()


def measured(work: Callable[[], float], jobs: int) -> Cost:
    """Milliseconds a job: wall, CPU of this process, and to the first token."""
    work()
    firsts = []
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(jobs):
        firsts.append(work())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall / jobs * 1e3, cpu / jobs * 1e3, sum(firsts) / jobs * 1e3)


def bare_loop(base_url: str, loop: asyncio.AbstractEventLoop) -> Callable[[], float]:
    """The openai client as its documentation shows it."""
    import openai

    client: Any = openai.AsyncOpenAI(base_url=base_url, api_key="k")

    async def job() -> float:
        firsts = []
        for length in ANSWERS:
            begun, said = time.perf_counter(), ""
            stream = await client.chat.completions.create(
                model="m",
                messages=MESSAGES,
                max_tokens=length,
                stream=True,
                stream_options={"include_usage": True},
            )
            async for chunk in stream:
                if chunk.choices and chunk.choices[0].delta.content:
                    if not said:
                        firsts.append(time.perf_counter() - begun)
                    said += chunk.choices[0].delta.content
            assert said.count(" word") == length
        return sum(firsts) / len(firsts)

    return lambda: loop.run_until_complete(job())


def our_calls(base_url: str) -> Callable[[], float]:
    """The same through ``start_call``, waited for in a thread as the engine does."""
    from teams.providers.calls import start_call
    from teams.providers.types import Connection, ModelRequest

    def call_once(length: int) -> float:
        parameters = {"max_tokens": length}
        connection = Connection("openai", base_url, "k", "m", parameters, {}, 60, 0)
        woken: queue.SimpleQueue[float] = queue.SimpleQueue()
        begun = time.perf_counter()
        call = start_call(
            connection,
            ModelRequest(MESSAGES),
            on_delta=lambda delta: woken.put(time.perf_counter()),
            notify=lambda: woken.put(0.0),
        )
        first = woken.get()
        while woken.get():
            pass
        reply = call.result()
        assert reply is not None
        assert reply.text.count(" word") == length
        return first - begun

    return lambda: sum(map(call_once, ANSWERS)) / len(ANSWERS)


def at_once(work: Callable[[], float], count: int, jobs: int) -> float:
    """Jobs a second with ``count`` threads at work."""

    def some() -> None:
        for _ in range(jobs // count):
            work()

    threads = [threading.Thread(target=some) for _ in range(count)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (jobs // count) * count / (time.perf_counter() - begun)


def main() -> None:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    base_url = mine.recv()
    loop = asyncio.new_event_loop()
    bare, ours = bare_loop(base_url, loop), our_calls(base_url)
    costs = [(measured(bare, jobs), measured(ours, jobs)) for _ in range(3)]
    for number, (theirs_cost, our_cost) in enumerate(costs, 1):
        print(
            f"{number}: bare {theirs_cost.wall:.1f} ms wall {theirs_cost.cpu:.1f} CPU, "
            f"ours {our_cost.wall:.1f} wall {our_cost.cpu:.1f} CPU: "
            f"ratio wall {our_cost.wall / theirs_cost.wall:.2f} "
            f"CPU {our_cost.cpu / theirs_cost.cpu:.2f}, first token "
            f"{our_cost.first - theirs_cost.first:+.1f} ms"
        )
    print(f"16 at once: {at_once(ours, 16, max(jobs, 64)):.1f} jobs/s")
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    mine.send("end")
    server.join(5)


if __name__ == "__main__":
    main()

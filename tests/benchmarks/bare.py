"""The yardstick: the same seven streamed calls in a loop over the openai client.

    python -m tests.benchmarks.bare http://127.0.0.1:PORT

It keeps nothing and asks nobody; what it costs is the client's own cost.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from openai import AsyncOpenAI

from tests.benchmarks import replies
from tests.benchmarks.measure import Subject, report

RESULT = json.dumps({"customer_id": "C-1001", "plan": "Business", "since": "2021"})


def function(name: str, *parameters: str) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": f"What {name} does, in a sentence of usual length.",
            "parameters": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in parameters},
                "required": list(parameters),
            },
        },
    }


SUPERVISOR = [function("delegate_to_worker", "worker", "request")]
WORKERS = {
    replies.WORKER_A: [function("lookup_account", "customer_id")],
    replies.WORKER_B: [function("list_payments", "customer_id", "limit")],
}


@dataclass
class Job:
    client: AsyncOpenAI
    started: float = field(default_factory=time.perf_counter)
    first_text: float = 0.0

    async def lead(self) -> str:
        messages = self.open("You lead a team of workers.", replies.PROMPT)
        while True:
            text, call = await self.call(messages, SUPERVISOR)
            if call is None:
                return text
            arguments = json.loads(call["arguments"])
            result = await self.work(arguments["worker"], arguments["request"])
            self.take(messages, call, result)

    async def work(self, worker: str, request: str) -> str:
        messages = self.open("You do one task of the team.", request)
        while True:
            text, call = await self.call(messages, WORKERS[worker])
            if call is None:
                return text
            json.loads(call["arguments"])
            self.take(messages, call, RESULT)

    async def call(
        self, messages: list[Any], tools: list[Any]
    ) -> tuple[str, dict[str, str] | None]:
        stream = await self.client.chat.completions.create(
            model="bench",
            messages=messages,
            tools=tools,
            stream=True,
            stream_options={"include_usage": True},
        )
        text: list[str] = []
        call: dict[str, str] | None = None
        async for chunk in stream:
            for choice in chunk.choices:
                if choice.delta.content:
                    self.first_text = self.first_text or time.perf_counter()
                    text.append(choice.delta.content)
                for piece in choice.delta.tool_calls or ():
                    function = piece.function
                    call = call or {"id": piece.id or "", "name": "", "arguments": ""}
                    if function:
                        call["name"] += function.name or ""
                        call["arguments"] += function.arguments or ""
        return "".join(text), call

    @staticmethod
    def open(system: str, request: str) -> list[Any]:
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": request},
        ]

    @staticmethod
    def take(messages: list[Any], call: dict[str, str], result: str) -> None:
        function = {"name": call["name"], "arguments": call["arguments"]}
        asked = {"id": call["id"], "type": "function", "function": function}
        messages.append({"role": "assistant", "tool_calls": [asked]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


def main(server: str) -> None:
    with asyncio.Runner() as runner:
        fast = AsyncOpenAI(base_url=f"{server}/v1", api_key="none")
        slow = AsyncOpenAI(base_url=f"{server}/paced/v1", api_key="none")

        def one() -> None:
            answer = runner.run(Job(fast).lead())
            assert answer.count("word") == replies.ANSWER_TOKENS

        def paced() -> float:
            job = Job(slow)
            runner.run(job.lead())
            return job.first_text - job.started

        def many(count: int, in_flight: int) -> int:
            async def all_of_them() -> None:
                slots = asyncio.Semaphore(in_flight)

                async def one_of_them() -> None:
                    async with slots:
                        await Job(fast).lead()

                await asyncio.gather(*(one_of_them() for _ in range(count)))

            runner.run(all_of_them())
            return 0

        report(Subject(one, paced, many))


if __name__ == "__main__":
    main(sys.argv[1])

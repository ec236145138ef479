from __future__ import annotations

import asyncio
import unittest

from trawl import AsyncTrawl, ConnectionFailedError, UsageError

from .stub import Stub, answers, breaks_off, streams
from .support import ANSWER, KEY


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    def serve(self, *scripts: object, **options: object) -> tuple[Stub, AsyncTrawl]:
        stub = Stub(*scripts)  # type: ignore[arg-type]
        self.addCleanup(stub.stop)
        client = AsyncTrawl(stub.url, KEY, retry_delay=0.001, **options)  # type: ignore[arg-type]
        self.addAsyncCleanup(client.aclose)
        return stub, client

    async def test_calls_run_at_the_same_time(self) -> None:
        stub, client = self.serve(answers(200, ANSWER))
        found = await asyncio.gather(*(client.search(f"query {number}") for number in range(20)))
        self.assertEqual(found, [ANSWER] * 20)
        self.assertEqual(len(set(stub.keys())), 20)

    async def test_errors_and_retry_are_those_of_the_other_client(self) -> None:
        _stub, client = self.serve(breaks_off, answers(200, ANSWER), breaks_off)
        self.assertEqual(await client.fetch("https://a.example"), ANSWER)
        with self.assertRaises(ConnectionFailedError):
            await client.usage()
        with self.assertRaises(UsageError):
            await client.search("a", timeout=-1)
        with self.assertRaisesRegex(UsageError, '"time_out": write "timeout"'):
            await client.search("a", time_out=1)

    async def test_a_cancelled_task_ends_its_call(self) -> None:
        stub, client = self.serve(Stub.waits)
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(client.search("a"))
        while not stub.received:
            await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertTrue(await loop.run_in_executor(None, stub.hung_up.wait, 10))

    async def test_a_stream(self) -> None:
        run = 'event: run\ndata: {"query": "a"}\n\n'
        _stub, client = self.serve(streams(run, "event: done\ndata: {}\n\n"))
        kinds = [event["type"] async for event in client.search_stream("a")]
        self.assertEqual(kinds, ["run", "done"])

    async def test_leaving_a_stream_closes_its_connection(self) -> None:
        stub, client = self.serve(
            streams("event: run\ndata: {}\n\n", end=Stub.waits)
        )
        events = client.search_stream("a")
        async for _event in events:
            break
        await events.aclose()
        loop = asyncio.get_running_loop()
        self.assertTrue(await loop.run_in_executor(None, stub.hung_up.wait, 10))

    async def test_a_cancelled_task_ends_its_stream(self) -> None:
        stub, client = self.serve(
            streams("event: run\ndata: {}\n\n", end=Stub.waits)
        )
        arrived = asyncio.Event()

        async def read() -> None:
            async for _event in client.search_stream("a"):
                arrived.set()

        task = asyncio.ensure_future(read())
        await arrived.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        loop = asyncio.get_running_loop()
        self.assertTrue(await loop.run_in_executor(None, stub.hung_up.wait, 10))


if __name__ == "__main__":
    unittest.main()

"""The client for asyncio. The client for threads is generated from it, so only the differences are tested here."""

from __future__ import annotations

import asyncio
import subprocess
from typing import Any

import httpx
import pytest

from conftest import ROOT, Scripted
from toastd import AsyncToastd

UNDO = {"id": "undo", "title": "Undo"}


def test_the_client_for_threads_is_made_of_this_one() -> None:
    assert subprocess.run([ROOT / "scripts/sync-python", "--check"]).returncode == 0


def test_a_question_and_a_stream_run_side_by_side(server: Any, name: str) -> None:
    async def press(client: AsyncToastd) -> list[str]:
        kinds = []
        async for event in client.channel(name).stream(events=["presented", "acted", "dismissed"]):
            kinds.append(event["type"])
            if event["type"] == "presented":
                await client.channel(name).act(event["toast"]["id"], "undo")
            if event["type"] == "dismissed":
                return kinds
        raise AssertionError("the stream ended")

    async def run() -> None:
        async with AsyncToastd(server.url) as client, asyncio.timeout(30), asyncio.TaskGroup() as group:
            pressing = group.create_task(press(client))
            asking = group.create_task(
                client.channel(name).ask("Row deleted", wait=20, duration="indefinite", actions=[UNDO])
            )
        assert asking.result()["action"] == "undo"
        assert pressing.result() == ["snapshot", "presented", "acted", "dismissed"]

    asyncio.run(run())


def test_a_stream_resumes_after_a_restart(restartable: Any, name: str) -> None:
    async def run() -> None:
        async with AsyncToastd(restartable.url) as client:
            channel = client.channel(name)
            stream = channel.stream(events=["enqueued"])
            assert (await anext(stream))["type"] == "snapshot"
            await channel.publish("before")
            assert (await anext(stream))["toast"]["message"] == "before"
            await asyncio.to_thread(restartable.kill)
            await asyncio.to_thread(restartable.start)
            await channel.publish("after")
            assert [(await anext(stream))["type"], (await anext(stream))["toast"]["message"]] == ["resumed", "after"]

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_stream_is_cancelled_at_once(server: Any, name: str) -> None:
    async def run() -> None:
        async with AsyncToastd(server.url) as client:
            stream = client.channel(name).stream()
            await anext(stream)
            waiting = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0.05)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert waiting.cancelled()

    asyncio.run(asyncio.wait_for(run(), 20))


def test_a_stream_ends_when_its_client_is_closed(server: Any, name: str) -> None:
    async def run() -> None:
        client = AsyncToastd(server.url)
        stream = client.channel(name).stream()
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream, "ended"))
        await asyncio.sleep(0.05)
        await client.close()
        assert await waiting == "ended"

    asyncio.run(asyncio.wait_for(run(), 20))


@pytest.mark.parametrize("count", [1, 2])
def test_a_question_that_is_cancelled_between_two_requests_is_withdrawn(count: int) -> None:
    """Also if it is cancelled once more before the answer to the withdrawal."""
    asked = {"id": "t1", "state": "queued"}

    async def run() -> None:
        seen: asyncio.Queue[str] = asyncio.Queue()

        async def answer(request: httpx.Request) -> httpx.Response:
            seen.put_nowait(f"{request.method} {request.url.path}")
            if request.method == "DELETE":
                await asyncio.sleep(0.05)
                seen.put_nowait("withdrawn")
            return httpx.Response(201, json=asked)

        async with AsyncToastd("http://toasts.example", transport=httpx.MockTransport(answer)) as client:
            asking = asyncio.ensure_future(client.channel("ops").ask("Go on?", withdraw=True))
            calls = []
            for _ in range(count):
                calls.append(await seen.get())
                asking.cancel()
            while calls[-1] != "withdrawn":
                calls.append(await seen.get())
            await asyncio.gather(asking, return_exceptions=True)
        assert calls == ["POST /v1/channels/ops/toasts", "DELETE /v1/channels/ops/toasts/t1", "withdrawn"]
        assert asking.cancelled()

    asyncio.run(asyncio.wait_for(run(), 20))


@pytest.mark.parametrize("ends", ["at once", "never"])
def test_a_client_is_closed_when_its_last_withdrawal_has_ended(ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second cancellation ends the question, and so its `async with`, while the withdrawal has no answer."""
    monkeypatch.setattr("toastd._last_call.LAST_CALL", 0.2)

    async def run() -> None:
        seen: asyncio.Queue[str] = asyncio.Queue()
        calls = []

        async def answer(request: httpx.Request) -> httpx.Response:
            seen.put_nowait(request.method)
            if request.method == "DELETE":
                try:
                    await asyncio.sleep(0.05 if ends == "at once" else 600)
                finally:
                    calls.append("ended")
            return httpx.Response(201, json={"id": "t1", "state": "queued"})

        async with AsyncToastd("http://toasts.example", transport=httpx.MockTransport(answer)) as client:
            asking = asyncio.ensure_future(client.channel("ops").ask("Go on?", withdraw=True))
            for _ in range(2):
                calls.append(await seen.get())
                asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        calls.append("closed")
        assert calls == ["POST", "DELETE", "ended", "closed"]

    asyncio.run(asyncio.wait_for(run(), 20))


def test_a_question_whose_coroutine_is_thrown_away_sends_nothing_more() -> None:
    """As when the event loop has ended. Waiting for an answer would then be a `RuntimeError`."""
    transport = Scripted(httpx.Response(201, json={"id": "t1", "state": "queued"}))

    async def run() -> None:
        async with AsyncToastd("http://toasts.example", transport=transport) as client:
            asking = client.channel("ops").ask("Go on?", withdraw=True)
            asking.send(None)
            asking.close()

    asyncio.run(run())
    assert [request.method for request in transport.requests] == ["POST"]


def test_a_withdrawal_does_not_wait_for_a_token_that_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toastd._last_call.LAST_CALL", 0.01)
    transport = Scripted(httpx.Response(201, json={"id": "t1", "state": "queued"}))

    async def run() -> None:
        tokens = iter(["first"])

        async def token() -> str:
            for first in tokens:
                return first
            await asyncio.Event().wait()
            return "never"

        async with AsyncToastd("http://toasts.example", token=token, transport=transport) as client:
            asking = asyncio.ensure_future(client.channel("ops").ask("Go on?", withdraw=True))
            while not transport.requests:
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        assert asking.cancelled()

    asyncio.run(asyncio.wait_for(run(), 20))
    assert [request.method for request in transport.requests] == ["POST"]

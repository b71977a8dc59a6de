"""aiontfy, the client that Home Assistant uses for ntfy, publishes to a channel and reads it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from aiontfy import Event, Message, Notification, Ntfy
from aiontfy.exceptions import NtfyException

from channel import Channel
from toastd import Toastd


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    with Toastd(tmp_path_factory.mktemp("aiontfy"), "--ntfy", "on", store="memory") as server:
        yield server


@asynccontextmanager
async def reading(client: Ntfy, topic: str) -> AsyncIterator[asyncio.Queue[Notification]]:
    """Subscribes to `topic`, waits for the message `open`, and yields a queue of all that follow."""
    arrived: asyncio.Queue[Notification] = asyncio.Queue()
    subscription = asyncio.create_task(client.subscribe([topic], arrived.put_nowait))
    try:
        async with asyncio.timeout(30):
            assert (await arrived.get()).event == Event.OPEN
        yield arrived
    finally:
        subscription.cancel()


def test_a_message_is_a_toast_and_reaches_a_subscription(channel: Channel) -> None:
    message = Message(
        topic=channel.name,
        title="Backup",
        message="Disk is full",
        tags=["rotating_light"],
        priority=5,
        click="https://backup.example/",
        sequence_id="backup",
    )

    async def exchange() -> tuple[Notification, Notification]:
        async with Ntfy(channel.url) as client, reading(client, channel.name) as arrived:
            answer = await client.publish(message)
            async with asyncio.timeout(30):
                return answer, await arrived.get()

    answer, arrived = asyncio.run(exchange())
    (toast,) = channel.toasts()
    assert (toast["title"], toast["message"]) == ("Backup", "Disk is full")
    assert (toast["role"], toast["duration"]) == ("error", "indefinite")
    assert (toast["link"], toast["reuseIdentifier"]) == ("https://backup.example/", "backup")
    assert (arrived.id, arrived.event, arrived.topic) == (answer.id, Event.MESSAGE, channel.name)
    assert (arrived.title, arrived.message, arrived.priority) == ("Backup", "Disk is full", 5)


@pytest.mark.parametrize("end", ["clear", "delete"])
def test_a_sequence_is_ended(channel: Channel, end: str) -> None:
    async def exchange() -> Notification:
        async with Ntfy(channel.url) as client:
            await client.publish(Message(topic=channel.name, message="50 %", sequence_id="job"))
            assert len(channel.toasts()) == 1
            return await getattr(client, end)(channel.name, "job")

    assert asyncio.run(exchange()).sequence_id == "job"
    assert channel.toasts() == []


def test_a_refusal_is_understood(channel: Channel) -> None:
    async def refused() -> None:
        async with Ntfy(channel.url) as client:
            await client.publish(Message(topic=channel.name, message="x", delay="soon"))

    with pytest.raises(NtfyException):
        asyncio.run(refused())

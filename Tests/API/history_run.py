"""A run: publishers, subscribers, and a server that is killed repeatedly and restarted on the same store."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

from history import History, Look, Position, Session, Subscriber, position
from history_people import Place, Publisher, Viewer
from history_wire import Client
from toastd import Toastd

PUBLISHERS = 8
SUBSCRIBERS = 50
PATIENCE = 90

QUICK = {"pause": 0, "animations": {"exit": {"duration": 0.02}}}
CHANNELS = {
    "one": {"mode": "fifo", **QUICK, "capacity": 60},
    "urgent": {"mode": "priority", **QUICK, "capacity": 300},
    "many": {"mode": "stack", "deduplication": "identity", "maxVisible": 4, "capacity": 300},
}


class Run:
    def __init__(self, directory: Path, seed: int, kills: int) -> None:
        self.chance = random.Random(seed)
        self.kills = kills
        self.server = Toastd(directory)
        self.place = Place()
        self.history = History({name: settings["mode"] for name, settings in CHANNELS.items()})
        self.publishers = [
            Publisher(f"p{number}", self.history, self.place, self.own_chance()) for number in range(PUBLISHERS)
        ]
        self.viewers: list[Viewer] = []

    def own_chance(self) -> random.Random:
        """Random choices that do not depend on the order of tasks."""
        return random.Random(self.chance.random())

    async def whole(self) -> History:
        await self.start()
        await self.prepare()
        people = [asyncio.create_task(person.run()) for person in (*self.publishers, *self.viewers)]
        disaster = asyncio.create_task(self.disasters())
        try:
            # A failure of any task ends the run.
            waiting = {disaster, *people}
            while disaster in waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            for publisher in self.publishers:
                publisher.is_over = True
            await asyncio.wait_for(asyncio.gather(*people[: len(self.publishers)]), PATIENCE)
            await self.finish(people[len(self.publishers) :])
        except BaseException:
            self.server.kill()
            raise
        finally:
            for task in (disaster, *people):
                task.cancel()
        await asyncio.to_thread(self.server.stop)
        return self.history

    async def start(self) -> None:
        await asyncio.to_thread(self.server.start)
        self.place.moved(self.server.address)

    async def prepare(self) -> None:
        client = Client()
        for name, settings in CHANNELS.items():
            answer = await client.ask(self.place.address, "PUT", f"/v1/channels/{name}/settings", settings)
            assert answer.status == 200, answer
            answer = await client.ask(self.place.address, "GET", f"/v1/channels/{name}/toasts")
            self.place.epoch = answer.body["cursor"].split("-")[0]
        client.close()
        for name in CHANNELS:
            self.view(f"witness of {name}", (name,), "poll", {name: 0})
        for number in range(SUBSCRIBERS - len(CHANNELS)):
            self.view_troubled(number)

    def view_troubled(self, number: int) -> None:
        chance = self.chance
        transport = ("stream", "poll", "socket")[number % 3]
        channels = tuple(sorted(chance.sample(list(CHANNELS), chance.choice([1, 1, 1, 2, 3]))))
        wanted = frozenset({"presented", "dismissed"}) if chance.random() < 0.15 else None
        since = {name: 0 for name in channels} if chance.random() < 0.8 else None
        viewer = self.view(f"{transport} {number}", channels, transport, since, wanted)
        viewer.trouble = chance.choice([0.001, 0.01, 0.05])
        viewer.pause = chance.choice([0.2, 0.5, 4])
        # In long runs some stay away until the log no longer has the events after their cursor.
        viewer.absence = chance.choice([0, 0.1, 0.5, 12]) if self.kills > 20 else chance.choice([0, 0.1, 0.5])

    def view(
        self,
        name: str,
        channels: tuple[str, ...],
        transport: str,
        since: Position | None,
        events: frozenset[str] | None = None,
    ) -> Viewer:
        record = Subscriber(name, channels, events, position=since)
        self.history.subscribers.append(record)
        self.viewers.append(Viewer(record, transport, self.history, self.place, self.own_chance()))
        return self.viewers[-1]

    async def disasters(self) -> None:
        """Kills the server at random moments, sometimes just after it was told to stop."""
        for _ in range(self.kills):
            await asyncio.sleep(self.chance.choice([self.chance.uniform(0, 0.1), self.chance.uniform(0.1, 2)]))
            if self.chance.random() < 0.2:
                self.server.tell_to_stop()
                await asyncio.sleep(self.chance.uniform(0, 0.5))
            self.place.up.clear()
            await asyncio.to_thread(self.server.kill)
            self.history.kills += 1
            await self.start()
        await asyncio.sleep(1)

    async def finish(self, viewers: list[asyncio.Task]) -> None:
        """Waits until every subscriber has received all events that existed when the publishers ended."""
        client = Client()
        for name in CHANNELS:
            answer = await client.ask(self.place.address, "GET", f"/v1/channels/{name}/toasts")
            offset = position(answer.body["cursor"], name)[name]
            self.history.final[name] = offset
            self.history.looks.append(Look(name, offset, answer.body["toasts"]))
            answer = await client.ask(self.place.address, "GET", f"/v1/channels/{name}/toasts?state=dismissed")
            self.history.looks.append(Look(name, offset, answer.body["toasts"], True))
        client.close()
        witnesses = len(CHANNELS)
        deadline = time.monotonic() + PATIENCE
        for viewer in self.viewers[:witnesses]:
            viewer.goal = self.goal(viewer.record)
        await self.arrivals(viewers[:witnesses], deadline)
        for viewer in self.viewers[witnesses:]:
            viewer.goal = self.goal(viewer.record)
        await self.arrivals(viewers[witnesses:], deadline)

    async def arrivals(self, viewers: list[asyncio.Task], deadline: float) -> None:
        """Waits for viewers until the deadline. The rule `caught up` later reports those that still lack events."""
        done, _ = await asyncio.wait(viewers, timeout=max(0, deadline - time.monotonic()))
        for viewer in done:
            viewer.result()

    def goal(self, record: Subscriber) -> Position:
        """For each channel, the last offset that a subscriber will receive. The witnesses have received all events."""
        if record.events is None:
            return {name: self.history.final[name] for name in record.channels}
        logs = {name: self.history.log(name) for name in record.channels}
        return {
            name: max((o for o, event in log.items() if record.wants(event["type"])), default=0)
            for name, log in logs.items()
        }


def figures(history: History) -> str:
    """A summary of a run in one line."""
    sessions: list[Session] = [session for subscriber in history.subscribers for session in subscriber.sessions]
    frames = sum(len(session.frames) for session in sessions)
    resets = sum(frame.type == "snapshot" and frame.body["reset"] for session in sessions for frame in session.frames)
    good = [operation for operation in history.operations if operation.acknowledged]
    again = sum(operation.attempts > 1 for operation in good)
    return (
        f"{history.kills} kills; {len(good)} of {len(history.operations)} operations acknowledged, "
        f"{again} sent more than once; {sum(history.final.values())} events; "
        f"{len(history.subscribers)} subscribers, {len(sessions)} sessions, {frames} frames, {resets} resets; "
        f"{len(history.looks)} looks"
    )

"""A run: clients, and three nodes on three servers, to which things happen; `python cluster_run.py` does one.

It runs in a network namespace of its own: see `network.isolated`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import time
from pathlib import Path

from cluster_faults import KINDS, LONG_KINDS, Site
from cluster_people import CLIENT_PATIENCE, Answerer, AnyNode, Asker, Door, Guest
from cluster_rules import check_cluster, seen_events, slowest
from history import History, Look, Position, Subscriber, position
from history_people import Publisher, Viewer
from history_run import QUICK, figures
from history_wire import LOST, Client

PATIENCE = 90
PUBLISHERS = 5
VIEWERS = 18
GUESTS = 5
SHORT, LONG = 60, 600
CHANNELS = {
    "one": {"mode": "fifo", **QUICK, "capacity": 60},
    "urgent": {"mode": "priority", **QUICK, "capacity": 300},
    "many": {"mode": "stack", "deduplication": "identity", "maxVisible": 4, "capacity": 300},
    "room": {"mode": "fifo", **QUICK, "capacity": 1000},
    "asks": {"mode": "stack", "maxVisible": 50, "capacity": 300},
}


class Person(Publisher):
    """A publisher with three steps a second, because a cluster is slower than one server."""

    pace = 3.0


class ClusterRun:
    def __init__(self, directory: Path, seed: int, seconds: float) -> None:
        self.chance = random.Random(seed)
        self.seconds = seconds
        self.is_long = seconds > SHORT
        self.history = History({name: settings["mode"] for name, settings in CHANNELS.items()})
        self.site = Site(directory, self.history, self.own_chance(), 40 if self.is_long else 9)
        self.door = Door(self.own_chance())
        self.publishers: list[Publisher] = []
        self.viewers: list[Viewer] = []
        self.witnesses = 0

    def own_chance(self) -> random.Random:
        """Random choices that do not depend on the order of tasks."""
        return random.Random(self.chance.random())

    def node(self, only: str | None = None) -> AnyNode:
        return AnyNode(self.site.places, self.own_chance(), only)

    async def whole(self) -> History:
        try:
            await self.site.start()
            await self.prepare()
            await self.disturbed()
            await self.site.stop()
        except BaseException:
            self.site.kill()
            raise
        finally:
            self.site.write_logs()
        return self.history

    async def prepare(self) -> None:
        client = Client()
        address = self.site.places.addresses["n0"]
        for name, settings in CHANNELS.items():
            answer = await client.ask(address, "PUT", f"/v1/channels/{name}/settings", settings)
            assert answer.status == 200, answer
            answer = await client.ask(address, "GET", f"/v1/channels/{name}/toasts")
            self.site.places.epoch = answer.body["cursor"].split("-")[0]
            # The settings are the channel's first event.
            self.history.start[name] = position(answer.body["cursor"], name)[name] - 1
        client.close()
        for name in CHANNELS:
            for node in self.site.nodes:
                witness = self.view(f"{name} through {node}", (name,), "poll", node)
                if name == "room":
                    witness.parameters["audience"] = "0"
                    witness.record.is_audience = False
        self.witnesses = len(self.viewers)
        for number in range(VIEWERS):
            self.view_troubled(number)
        for number in range(GUESTS):
            record = self.record(f"guest {number}", ("room",))
            transport = ("stream", "poll", "socket")[number % 3]
            guest = Guest(record, transport, self.history, self.node(), self.own_chance(), self.door)
            guest.trouble, guest.pause = 0.001, 0.2
            self.viewers.append(guest)
        for number in range(2):
            record = self.record(f"answerer {number}", ("asks",))
            answerer = Answerer(record, "stream", self.history, self.node(), self.own_chance())
            answerer.trouble, answerer.pause = 0.001, 0.2
            self.viewers.append(answerer)
        self.publishers = [
            Person(f"p{number}", self.history, self.node(), self.own_chance(), CLIENT_PATIENCE)
            for number in range(PUBLISHERS)
        ] + [Asker(f"q{number}", self.history, self.node(), self.own_chance(), "asks") for number in range(2)]

    def record(self, name: str, channels: tuple[str, ...], events: frozenset[str] | None = None) -> Subscriber:
        since = {channel: self.history.start[channel] for channel in channels}
        self.history.subscribers.append(Subscriber(name, channels, events, position=since))
        return self.history.subscribers[-1]

    def view(
        self,
        name: str,
        channels: tuple[str, ...],
        transport: str,
        node: str | None = None,
        events: frozenset[str] | None = None,
    ) -> Viewer:
        record = self.record(name, channels, events)
        self.viewers.append(Viewer(record, transport, self.history, self.node(node), self.own_chance()))
        return self.viewers[-1]

    def view_troubled(self, number: int) -> None:
        chance = self.chance
        transport = ("stream", "poll", "socket")[number % 3]
        names = [name for name in CHANNELS if name != "room"]
        channels = tuple(sorted(chance.sample(names, chance.choice([1, 1, 2, 3]))))
        wanted = frozenset({"presented", "dismissed"}) if chance.random() < 0.15 else None
        viewer = self.view(f"{transport} {number}", channels, transport, None, wanted)
        viewer.trouble = chance.choice([0.001, 0.01, 0.05])
        viewer.pause = chance.choice([0.2, 0.5])
        viewer.absence = chance.choice([0, 0.1, 0.5])

    async def disturbed(self) -> None:
        people = [asyncio.create_task(person.run()) for person in (*self.publishers, *self.viewers)]
        door = asyncio.create_task(self.door.run())
        disaster = asyncio.create_task(self.disasters())
        try:
            # A failure of any task ends the run.
            waiting = {disaster, door, *people}
            while disaster in waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            for publisher in self.publishers:
                publisher.is_over = True
            door.cancel()
            self.door.open()
            await asyncio.wait_for(asyncio.gather(*people[: len(self.publishers)]), PATIENCE)
            await self.finish(people[len(self.publishers) :])
        finally:
            await end({disaster, door, *people})

    async def disasters(self) -> None:
        end = time.monotonic() + self.seconds
        await asyncio.sleep(2)
        kinds = self.chance.sample(KINDS, len(KINDS))
        # A kill alone comes first, so that its own limit is measured.
        await self.site.disturb("kill")
        await asyncio.sleep(8)
        while time.monotonic() < end if self.is_long else kinds:
            await self.site.disturb(self.chance.choice(LONG_KINDS) if self.is_long else kinds.pop())
            await asyncio.sleep(self.chance.uniform(0, 6 if self.is_long else 1))
        await asyncio.sleep(1)

    # The end

    async def finish(self, viewers: list[asyncio.Task]) -> None:
        """Waits until every subscriber has received all events that existed when the publishers ended, and then reads
        the log of each channel through every node.
        """
        for name in CHANNELS:
            for is_of_dismissed in (False, True):
                sent = time.monotonic()
                query = "?state=dismissed" if is_of_dismissed else ""
                answer = await self.ask("GET", f"/v1/channels/{name}/toasts{query}")
                offset = position(answer.body["cursor"], name)[name]
                self.history.final.setdefault(name, offset)
                self.history.looks.append(Look(name, offset, answer.body["toasts"], is_of_dismissed, sent))
        deadline = time.monotonic() + PATIENCE
        for group in (slice(0, self.witnesses), slice(self.witnesses, None)):
            for viewer in self.viewers[group]:
                viewer.goal = self.goal(viewer.record)
            done, _ = await asyncio.wait(viewers[group], timeout=max(0, deadline - time.monotonic()))
            for viewer in done:
                viewer.result()
        for node in self.site.nodes:
            self.history.logs_of_nodes[node] = {name: await self.log(node, name) for name in CHANNELS}

    async def log(self, node: str, channel: str) -> dict[int, dict]:
        """The end of a channel's log as a node returns it: the 900 events before the final offset, and all after it."""
        history = self.history
        since = max(history.start[channel], history.final[channel] - 900)
        log: dict[int, dict] = {}
        while True:
            query = f"since={self.site.places.epoch}-{since}&wait=0&audience=0"
            answer = await self.ask("GET", f"/v1/channels/{channel}/poll?{query}", node)
            frames = [history.frame(envelope) for envelope in answer.body["events"]]
            log |= {frame.offset: frame.body for frame in frames if frame.type != "resumed"}
            reached = position(answer.body["cursor"], channel)[channel]
            if reached == since:
                return log
            since = reached

    async def ask(self, method: str, path: str, node: str | None = None):
        """Repeats a request until it succeeds, at a certain node or at any."""
        place = self.node(node)
        deadline = time.monotonic() + 30
        answer: object = None
        while time.monotonic() < deadline:
            client = Client(10)
            try:
                answer = await client.ask(place.address, method, path)
                if answer.status == 200:
                    return answer
            except LOST as error:
                answer = error
            finally:
                client.close()
            place.choose()
            await asyncio.sleep(0.2)
        raise AssertionError(f"{method} {path} at {place.name}: {answer}")

    def goal(self, record: Subscriber) -> Position:
        """For each channel, the last offset that a subscriber will receive. The witnesses have received all events."""
        if record.events is None:
            return {name: self.history.final[name] for name in record.channels}
        logs = {name: self.history.log(name) for name in record.channels}
        return {
            name: max((o for o, e in log.items() if record.wants(e["type"])), default=self.history.start[name])
            for name, log in logs.items()
        }


async def end(tasks: set[asyncio.Task]) -> None:
    """Cancels tasks until they have ended: `asyncio.wait_for` of Python 3.11 loses a cancellation when what it waits
    for ends in the same moment.
    """
    left = tasks
    deadline = time.monotonic() + PATIENCE
    while left:
        assert time.monotonic() < deadline, f"They do not end: {left}"
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1)
    # Otherwise asyncio reports exceptions that were never retrieved.
    await asyncio.gather(*tasks, return_exceptions=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=SHORT)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    run = ClusterRun(options.directory, options.seed, options.seconds)
    history = asyncio.run(run.whole())
    faults = check_cluster(history)
    kinds = ", ".join(sorted({disturbance.kind for disturbance in history.disturbances}))
    print(f"{figures(history)}; {seen_events(history)} events seen; slowest publishes {slowest(history)}; {kinds}")
    if faults:
        print(f"{len(faults)} faults; the first of each rule:")
        for rule in dict.fromkeys(fault.rule for fault in faults):
            print(*[fault for fault in faults if fault.rule == rule][:3], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

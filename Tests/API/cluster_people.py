"""Clients of a cluster: they use any node, and leave one that does not answer."""

from __future__ import annotations

import asyncio
import random
import time

from history import Body, History, Operation, Session, Subscriber
from history_people import Place, Publisher, Viewer
from history_wire import LOST, Address, Client

# How long a client waits for a node's answer before it asks another one.
CLIENT_PATIENCE = 4


class Nodes:
    """The addresses of the nodes. A killed node keeps its old address, which refuses connections, until it restarts."""

    def __init__(self) -> None:
        self.addresses: dict[str, Address] = {}
        self.epoch = ""


class AnyNode(Place):
    """The node that one client uses: another one after each `choose`, unless the client is tied to one node."""

    def __init__(self, nodes: Nodes, chance: random.Random, only: str | None = None) -> None:
        super().__init__()
        self.nodes, self.chance, self.only = nodes, chance, only
        self.name = only or chance.choice(list(nodes.addresses))
        self.up.set()

    @property
    def address(self) -> Address:
        return self.nodes.addresses[self.name]

    @address.setter
    def address(self, _: object) -> None:
        """Ignored: the address is always that of the node."""

    @property
    def epoch(self) -> str:
        return self.nodes.epoch

    @epoch.setter
    def epoch(self, _: object) -> None:
        """Ignored: all nodes have the same epoch."""

    def choose(self) -> None:
        if self.only is None:
            self.name = self.chance.choice([name for name in self.nodes.addresses if name != self.name])


class Asker(Publisher):
    """Publishes questions, and repeats each under its key, at most six times, until it has the outcome."""

    pace = 0.7

    def __init__(self, name: str, history: History, place: Place, chance: random.Random, channel: str) -> None:
        super().__init__(name, history, place, chance, patience=CLIENT_PATIENCE + 8)
        self.channel = channel

    async def step(self) -> None:
        tag = self.tag()
        operation = Operation("ask", self.channel, (tag,), f"key-{tag}")
        toast = {
            "message": tag,
            "duration": self.chance.choice([1, 2, 4]),
            "actions": [{"id": "yes", "title": "Yes"}],
        }
        for _ in range(6):
            await self.carry_out(operation, toast)
            if operation.answers and operation.answers[-1].status != 202:
                return
            self.place.choose()

    def request(self, operation: Operation, body: object) -> tuple:
        headers = {"Idempotency-Key": operation.key, "Prefer": f"wait={self.chance.choice([1, 3, 8])}"}
        return "POST", f"/v1/channels/{operation.channel}/toasts", body, headers


class Answerer(Viewer):
    """Receives questions through one node, and presses their button through another one."""

    def __init__(
        self, record: Subscriber, transport: str, history: History, place: AnyNode, chance: random.Random
    ) -> None:
        super().__init__(record, transport, history, place, chance)
        self.hand = AnyNode(place.nodes, chance)
        self.presses: set[asyncio.Task] = set()

    def take(self, session: Session, envelope: Body) -> None:
        super().take(session, envelope)
        toast = envelope.get("toast", {})
        if envelope["type"] == "presented" and toast.get("actions") and self.chance.random() < 0.7:
            press = asyncio.create_task(self.press(toast))
            self.presses.add(press)
            press.add_done_callback(self.presses.discard)

    async def press(self, toast: Body) -> None:
        await asyncio.sleep(self.chance.uniform(0, 1))
        operation = Operation("act", toast["channel"], target=toast["id"], sent=time.monotonic())
        self.history.operations.append(operation)
        path = f"/v1/channels/{toast['channel']}/toasts/{toast['id']}/actions/yes"
        client = Client(CLIENT_PATIENCE)
        self.hand.choose()
        operation.attempts += 1
        try:
            answer = await client.ask(self.hand.address, "POST", path)
        except LOST:
            return
        finally:
            client.close()
        operation.answers.append(answer)
        operation.answered = time.monotonic()


class Door:
    """Gives a channel an audience and takes it away: its guests are connected only while the door is open."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.opened, self.closed = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        while True:
            self.open()
            await asyncio.sleep(self.chance.uniform(2, 6))
            self.close()
            # Longer than an audience counts, so that a presentation without an audience can be noticed.
            await asyncio.sleep(self.chance.uniform(8, 12))

    def open(self) -> None:
        self.closed.clear()
        self.opened.set()

    def close(self) -> None:
        self.opened.clear()
        self.closed.set()


class Guest(Viewer):
    """A viewer that is connected only while its door is open."""

    def __init__(
        self, record: Subscriber, transport: str, history: History, place: Place, chance: random.Random, door: Door
    ) -> None:
        super().__init__(record, transport, history, place, chance)
        self.door = door

    async def run(self) -> None:
        while not self.has_arrived:
            await self.door.opened.wait()
            visit, closing = asyncio.create_task(self.visit()), asyncio.create_task(self.door.closed.wait())
            try:
                await asyncio.wait({visit, closing}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (visit, closing):
                    task.cancel()
                await asyncio.gather(visit, closing, return_exceptions=True)
            if visit.done() and not visit.cancelled():
                visit.result()
            await asyncio.sleep(self.chance.uniform(0.01, 0.1))

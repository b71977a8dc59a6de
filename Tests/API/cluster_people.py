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
    """Where the nodes are. A node that was killed is where it was, and refuses connections, until it runs again."""

    def __init__(self) -> None:
        self.addresses: dict[str, Address] = {}
        self.epoch = ""


class AnyNode(Place):
    """A node as one client uses it: another one after each `choose`, unless it is tied to one."""

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
        """The address is that of the node."""

    @property
    def epoch(self) -> str:
        return self.nodes.epoch

    @epoch.setter
    def epoch(self, _: object) -> None:
        """All nodes have the same."""

    def choose(self) -> None:
        if self.only is None:
            self.name = self.chance.choice([name for name in self.nodes.addresses if name != self.name])


class Asker(Publisher):
    """Publishes toasts with an action and waits for the outcome, under the same key until it has one."""

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
    """Sees questions at one node, and presses their button at another one."""

    def __init__(
        self, record: Subscriber, transport: str, history: History, place: AnyNode, chance: random.Random
    ) -> None:
        super().__init__(record, transport, history, place, chance)
        self.hand = AnyNode(place.nodes, chance)
        self.client = Client(CLIENT_PATIENCE)
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
    """The door of a room: everybody in it leaves when it is closed, and enters when it is opened."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.opened, self.closed = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        while True:
            self.open()
            await asyncio.sleep(self.chance.uniform(2, 6))
            self.close()
            # Long enough for the audience to be gone by all rules, and for something to be presented to it wrongly.
            await asyncio.sleep(self.chance.uniform(8, 12))

    def open(self) -> None:
        self.closed.clear()
        self.opened.set()

    def close(self) -> None:
        self.opened.clear()
        self.closed.set()


class Guest(Viewer):
    """A viewer in a room with a door."""

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

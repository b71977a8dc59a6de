"""Publishers and subscribers that continue while the server is killed and restarted, and record what they receive."""

from __future__ import annotations

import asyncio
import random
import time
from urllib.parse import urlencode

from history import FIRSTS, Answer, History, Look, Operation, Session, Subscriber, cursor, position
from history_wire import LOST, Client, Connection, event_stream, web_socket

MERGE = {"Content-Type": "application/merge-patch+json"}


class Place:
    """The current address of the server; in a cluster, of the node that a client uses. `up` is set while it runs."""

    def __init__(self) -> None:
        self.up = asyncio.Event()
        self.address: tuple[str, int] = ("", 0)
        self.epoch = ""

    def moved(self, address: tuple[str, int]) -> None:
        self.address = address
        self.up.set()

    def choose(self) -> None:
        """Uses another node, if there are several."""


class Publisher:
    """Posts, changes, dismisses and lists toasts. Only requests with a key are repeated, until the outcome is known."""

    # Steps per second.
    pace = 20.0

    def __init__(self, name: str, history: History, place: Place, chance: random.Random, patience: float = 35) -> None:
        self.name, self.history, self.place, self.chance = name, history, place, chance
        self.client = Client(patience)
        self.number = 0
        self.mine: list[tuple[str, str]] = []
        self.keyed: list[tuple[Operation, object]] = []
        self.is_over = False

    async def run(self) -> None:
        while not self.is_over:
            await asyncio.sleep(self.chance.expovariate(self.pace))
            await self.step()
        self.client.close()

    async def step(self) -> None:
        kind = self.chance.choices(
            ["post", "batch", "again", "patch", "dismiss", "delete", "clear", "look"], [45, 8, 8, 12, 10, 8, 1, 8]
        )[0]
        channel = self.chance.choice(list(self.history.modes))
        target = self.chance.choice(self.mine[-12:]) if self.mine else None
        if kind == "look":
            await self.look(channel)
        elif kind == "again" and self.keyed:
            await self.carry_out(*self.chance.choice(self.keyed[-20:]))
        elif kind in ("post", "batch", "again") or target is None:
            await self.post(channel, self.chance.randint(2, 5) if kind == "batch" else 1)
        elif kind == "clear":
            await self.carry_out(Operation("clear", channel), None)
        else:
            await self.carry_out(
                Operation(kind, target[0], (self.tag(),) if kind == "patch" else (), None, target[1]), None
            )

    def tag(self) -> str:
        self.number += 1
        return f"{self.name}.{self.number}"

    async def post(self, channel: str, count: int) -> None:
        tags = tuple(self.tag() for _ in range(count))
        key = f"key-{tags[0]}" if count > 1 or self.chance.random() < 0.7 else None
        toasts = []
        for tag in tags:
            toast = {"message": tag, "duration": self.chance.choice([0.05, 0.1, 0.2, 0.5, "short"])}
            if self.history.modes[channel] == "stack" and self.chance.random() < 0.5:
                toast["reuseIdentifier"] = self.chance.choice("abc")
            if self.chance.random() < 0.2:
                toast["role"] = self.chance.choice(["error", "warning", "success"])
            toasts.append(toast)
        # Two toasts of a batch with the same identifier would be one toast; another test covers that.
        if count > 1:
            for toast in toasts:
                toast.pop("reuseIdentifier", None)
        operation = Operation("post", channel, tags, key)
        await self.carry_out(operation, toasts if count > 1 else toasts[0])
        if operation.acknowledged:
            self.mine += [(channel, toast["id"]) for toast in operation.acknowledged.toasts]
            if key:
                self.keyed.append((operation, toasts if count > 1 else toasts[0]))

    async def carry_out(self, operation: Operation, body: object) -> None:
        if not operation.sent:
            self.history.operations.append(operation)
            operation.sent = time.monotonic()
        while True:
            await self.place.up.wait()
            answer = await self.attempt(operation, body)
            is_in_doubt = answer is None or answer.status == 503 or "idempotency" in str(answer.body)
            if is_in_doubt:
                self.place.choose()
            if operation.key is None or not is_in_doubt:
                if answer:
                    operation.answers.append(answer)
                    operation.answered = operation.answered or time.monotonic()
                return
            await asyncio.sleep(self.chance.uniform(0, 0.05))

    def request(self, operation: Operation, body: object) -> tuple:
        base = f"/v1/channels/{operation.channel}/toasts"
        return {
            "post": ("POST", base, body, {"Idempotency-Key": operation.key} if operation.key else {}),
            "patch": ("PATCH", f"{base}/{operation.target}", {"message": next(iter(operation.tags), "")}, MERGE),
            "dismiss": ("POST", f"{base}/{operation.target}/dismiss", {"dismissReason": "swipe"}, {}),
            "delete": ("DELETE", f"{base}/{operation.target}", None, {}),
            "clear": ("DELETE", base, None, {}),
        }[operation.kind]

    async def attempt(self, operation: Operation, body: object) -> Answer | None:
        # The connection is cut within the request, after it, or not at all.
        cut = self.chance.choice([self.chance.random(), 1, 1 + self.chance.uniform(0, 0.01)])
        operation.attempts += 1
        try:
            return await self.client.ask(
                self.place.address,
                *self.request(operation, body),
                cut_after=cut if self.chance.random() < 0.1 else None,
            )
        except LOST:
            return None

    async def look(self, channel: str) -> None:
        is_of_dismissed = self.chance.random() < 0.3
        query = "?state=dismissed" if is_of_dismissed else ""
        try:
            await self.place.up.wait()
            sent = time.monotonic()
            answer = await self.client.ask(self.place.address, "GET", f"/v1/channels/{channel}/toasts{query}")
        except LOST:
            self.place.choose()
            return
        if answer.status == 200:
            offset = position(answer.body["cursor"], channel)[channel]
            self.history.looks.append(Look(channel, offset, answer.body["toasts"], is_of_dismissed, sent))
        elif answer.status == 503:
            self.place.choose()


class Viewer:
    """Reads the events of its channels; stops reading, is cut off, stays away, and resumes with its cursor."""

    def __init__(
        self, record: Subscriber, transport: str, history: History, place: Place, chance: random.Random
    ) -> None:
        self.record, self.transport, self.history = record, transport, history
        self.place, self.chance = place, chance
        self.trouble = 0.0
        self.pause = 0.5
        self.absence = 0.0
        self.goal: dict[str, int] | None = None
        self.parameters: dict[str, str] = {}

    async def run(self) -> None:
        while not self.has_arrived:
            await self.place.up.wait()
            await self.visit()
            if self.is_troubled:
                await asyncio.sleep(self.chance.expovariate(1 / self.absence) if self.absence else 0)
            await asyncio.sleep(self.chance.uniform(0.01, 0.1))

    async def visit(self) -> None:
        """One connection, until it is lost or cut."""
        self.place.choose()
        connection = Connection()
        known = len(self.record.sessions)
        try:
            await asyncio.wait_for(self.session(connection), self.chance.expovariate(0.4) if self.is_troubled else 300)
        except LOST:
            pass
        finally:
            connection.cut()
            for session in self.record.sessions[known:]:
                session.ended = time.time()

    @property
    def is_troubled(self) -> bool:
        return self.trouble > 0 and self.goal is None

    @property
    def has_arrived(self) -> bool:
        at = self.record.position
        return self.goal is not None and at is not None and all(at[name] >= self.goal[name] for name in self.goal)

    async def session(self, connection: Connection) -> None:
        since = dict(self.record.position) if self.record.position is not None else None
        session = Session(since, is_poll=self.transport == "poll", began=time.time())
        await connection.open(self.place.address, 4096 if self.is_troubled and self.chance.random() < 0.5 else None)
        self.record.sessions.append(session)
        path, headers = self.target(since)
        if self.transport == "poll":
            await self.poll(connection, session, path)
            return
        frames = event_stream(connection, path, headers) if self.transport == "stream" else web_socket(connection, path)
        async for envelope in frames:
            self.take(session, envelope)
            if self.has_arrived:
                return
            if self.is_troubled and self.chance.random() < self.trouble:
                await asyncio.sleep(self.chance.expovariate(1 / self.pause))

    async def poll(self, connection: Connection, session: Session, path: str) -> None:
        client = Client()
        client.connection, client.address = connection, self.place.address
        answer = await client.ask(self.place.address, "GET", f"{path}&wait={self.chance.choice([0, 1, 5])}")
        if answer.status != 200:
            raise ConnectionError(answer.status)
        for envelope in answer.body["events"]:
            self.take(session, envelope)
        session.end = self.record.position = position(answer.body["cursor"], self.record.channels[0])

    def take(self, session: Session, envelope: dict) -> None:
        if envelope["type"] == "shutdown":
            return
        frame = self.history.frame(envelope)
        session.frames.append(frame)
        if self.transport == "poll":
            return
        # The cursor of `resumed` does not move a client: on a stream of several channels it may lack some of them.
        if frame.type != "resumed":
            self.record.position = dict(frame.at)
        assert frame.type in FIRSTS or self.record.wants(frame.type), envelope

    def target(self, since: dict[str, int] | None) -> tuple[str, dict[str, str]]:
        several = len(self.record.channels) > 1
        path = "/v1" if several else f"/v1/channels/{self.record.channels[0]}"
        query: list[tuple[str, str]] = [("channel", name) for name in self.record.channels] if several else []
        query += self.parameters.items()
        headers = {}
        if self.record.events:
            query.append(("events", ",".join(sorted(self.record.events))))
        if since is not None:
            text = cursor(self.place.epoch, since, several)
            if self.transport == "stream" and self.chance.random() < 0.5:
                headers["Last-Event-ID"] = text
            else:
                query.append(("since", text))
        return f"{path}/{self.transport}?{urlencode(query)}", headers

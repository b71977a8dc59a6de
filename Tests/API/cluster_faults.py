"""Disturbances of a cluster: nodes and servers are killed, stopped and cut off, and clocks are moved."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from cluster import Node
from cluster_people import Nodes
from history import Disturbance, History
from history_wire import LOST, Address, Client
from nats import NATSCluster, NATSServer
from network import Host, Network
from wall_clock import build_library, move_clock

PATIENCE = 60
SKEW = 5
LOGS = 4
# The short run has a kill, then each of these once, in random order; the long run chooses at random.
KINDS = ["stop", "cut", "cut sending", "cut receiving", "leader", "clock"]
LONG_KINDS = [*KINDS, "kill", "kill", "drain", "leader stopped", "server cut"]


class Site:
    """Three servers and three nodes, each on a host of its own."""

    def __init__(self, directory: Path, history: History, chance: random.Random, longest_stop: float) -> None:
        self.directory = directory
        self.history, self.chance, self.longest_stop = history, chance, longest_stop
        network = Network()
        self.server_hosts = [network.add(f"s{number}") for number in range(3)]
        self.node_hosts = {f"n{number}": network.add(f"n{number}") for number in range(3)}
        self.nats = NATSCluster(
            directory / "nats",
            hosts=tuple(host.address for host in self.server_hosts),
            prefixes=tuple(host.prefix for host in self.server_hosts),
        )
        key_file = directory / "cluster-key"
        key_file.write_text("0123456789abcdef" * 4 + "\n")
        key_file.chmod(0o600)
        self.nodes = {
            name: Node(name, self.nats.url, key_file, prefix=host.prefix) for name, host in self.node_hosts.items()
        }
        library = build_library(directory)
        self.clocks = {name: directory / f"clock-of-{name}" for name in self.nodes}
        for name, node in self.nodes.items():
            move_clock(self.clocks[name], 0)
            node.environment = {"LD_PRELOAD": str(library), "WALL_CLOCK_FILE": str(self.clocks[name])}
        self.places = Nodes()

    async def start(self) -> None:
        await asyncio.to_thread(self.nats.__enter__)
        # The first node creates the streams of NATS.
        await self.start_node("n0")
        await asyncio.gather(self.start_node("n1"), self.start_node("n2"))

    def kill(self) -> None:
        """Ends everything at once."""
        for node in self.nodes.values():
            if hasattr(node, "process") and node.process.poll() is None:
                node.kill()
        self.nats.__exit__()

    async def stop(self) -> None:
        """Ends the nodes as a supervisor does, and checks their exit statuses."""
        for node in self.nodes.values():
            node.tell_to_stop()
        for node in self.nodes.values():
            await asyncio.to_thread(node.stop)
        self.nats.__exit__()

    def write_logs(self) -> None:
        """Writes the nodes' logs to files, to find the reason of a fault."""
        for name, node in self.nodes.items():
            (self.directory / f"{name}.log").write_text("".join(node.log))

    async def start_node(self, name: str) -> None:
        """Starts a node, and waits until it is ready."""
        node, host = self.nodes[name], self.node_hosts[name]
        await asyncio.to_thread(node.start)
        self.places.addresses[name] = Address(*node.address, host)
        await self.until_ready(name)

    async def until_ready(self, name: str) -> None:
        deadline = time.monotonic() + PATIENCE
        answer: object = None
        while time.monotonic() < deadline:
            client = Client(5)
            try:
                answer = await client.ask(self.places.addresses[name], "GET", "/readyz")
                if answer.status == 200:
                    return
            except LOST as error:
                answer = error
            finally:
                client.close()
            await asyncio.sleep(0.05)
        log = "".join(self.nodes[name].log[-50:])
        raise AssertionError(f"{name} is not ready: {answer}\n{log}")

    # Disturbances

    async def disturb(self, kind: str) -> None:
        """Causes one disturbance, and returns when it is over."""
        name = self.chance.choice(list(self.nodes))
        disturbances: dict[str, Callable] = {
            "kill": self.killed,
            "drain": self.drained,
            "stop": self.stopped,
            "cut": self.cut,
            "cut sending": self.cut,
            "cut receiving": self.cut,
            "leader": self.leader_killed,
            "leader stopped": self.leader_stopped,
            "server cut": self.server_cut,
            "clock": self.moved,
        }
        async with self.noted(kind, name):
            await disturbances[kind](name, kind)

    @asynccontextmanager
    async def noted(self, kind: str, name: str) -> AsyncIterator[None]:
        disturbance = Disturbance(kind, time.monotonic())
        self.history.disturbances.append(disturbance)
        print(f"{time.strftime('%H:%M:%S')} {kind} {name}", flush=True)
        yield
        disturbance.ended = time.monotonic()
        print(f"{time.strftime('%H:%M:%S')} {kind} {name} is over", flush=True)

    async def killed(self, name: str, _: str) -> None:
        await asyncio.to_thread(self.nodes[name].kill)
        self.history.kills += 1
        await asyncio.sleep(self.chance.uniform(0, 7))
        await self.start_node(name)

    async def drained(self, name: str, _: str) -> None:
        """A rolling update of one node."""
        self.nodes[name].tell_to_stop()
        await asyncio.to_thread(self.nodes[name].stop)
        await self.start_node(name)

    async def stopped(self, name: str, _: str) -> None:
        self.nodes[name].pause()
        try:
            await asyncio.sleep(self.chance.uniform(1, self.longest_stop))
        finally:
            self.nodes[name].resume()
        await self.until_ready(name)

    async def cut(self, name: str, kind: str) -> None:
        """Cuts a node off from all servers, and so from the other nodes."""
        host = self.node_hosts[name]
        host.cut(self.server_hosts, sending=kind != "cut receiving", receiving=kind != "cut sending")
        try:
            await asyncio.sleep(self.chance.uniform(2, self.longest_stop))
        finally:
            host.heal()
        await self.until_ready(name)

    async def leader_killed(self, *_: str) -> None:
        server = await self.leader()
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(self.chance.uniform(2, 10))
        await asyncio.to_thread(server.restart)
        await self.all_ready()

    async def leader_stopped(self, *_: str) -> None:
        server = await self.leader()
        server.pause()
        try:
            await asyncio.sleep(self.chance.uniform(2, 12))
        finally:
            server.resume()
        await asyncio.to_thread(server.wait_until_healthy)
        await self.all_ready()

    async def server_cut(self, *_: str) -> None:
        """Cuts a server off from the other two, but not from its clients."""
        number = self.chance.randrange(3)
        others: list[Host] = [host for host in self.server_hosts if host is not self.server_hosts[number]]
        self.server_hosts[number].cut(others)
        try:
            await asyncio.sleep(self.chance.uniform(3, 12))
        finally:
            self.server_hosts[number].heal()
        await asyncio.to_thread(self.nats.servers[number].wait_until_healthy)
        await self.all_ready()

    async def moved(self, name: str, _: str) -> None:
        move_clock(self.clocks[name], self.chance.choice([-SKEW, SKEW]))
        await self.all_ready()

    async def all_ready(self) -> None:
        for name in self.nodes:
            await self.until_ready(name)

    async def leader(self) -> NATSServer:
        stream = f"toastd-log-{self.chance.randrange(LOGS)}"
        deadline = time.monotonic() + PATIENCE
        # During an election there is no leader.
        while not (leader := await asyncio.to_thread(self.nats.leader, stream)):
            assert time.monotonic() < deadline, f"no server leads {stream}"
            await asyncio.sleep(0.05)
        return leader

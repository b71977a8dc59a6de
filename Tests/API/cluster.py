"""Several nodes of toastd on one cluster of NATS."""

from __future__ import annotations

import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx

from channel import Channel
from nats import NATSCluster
from streams import EventStream, Poller, Socket
from toastd import Toastd

PATIENCE = 60
NODES = 3
KINDS = {"stream": EventStream, "socket": Socket, "poll": Poller}


def watch(channel: Channel, kind: str = "stream", **parameters: object) -> EventStream | Socket | Poller:
    """Attaches a consumer of one of the `KINDS`."""
    return KINDS[kind](f"{channel.url}{channel.path}/{kind}", **parameters)


class Node(Toastd):
    """A node of a cluster, with NATS as its store. Its port changes with each start."""

    def __init__(self, name: str, store: str, key_file: Path, *options: str, prefix: tuple[str, ...] = ()) -> None:
        super().__init__(key_file.parent, "--cluster-key-file", str(key_file), *options, store=store)
        self.name = name
        self.command = [*prefix, *self.command]

    def wait_until_ready(self) -> Node:
        """Waits until `/readyz` answers 200."""
        deadline = time.monotonic() + PATIENCE
        answer: object = None
        while time.monotonic() < deadline:
            try:
                response = httpx.get(f"{self.url}/readyz", timeout=5)
                if response.status_code == 200:
                    return self
                answer = response.text
            except httpx.HTTPError as error:
                answer = error
            assert self.process.poll() is None, f"{self.name} has ended:\n" + "".join(self.log)
            time.sleep(0.05)
        raise AssertionError(f"{self.name} is not ready: {answer}\n" + "".join(self.log[-50:]))

    def report(self) -> None:
        """Prints the node's cluster metrics and the end of its log, to explain a failed test."""
        with suppress(httpx.HTTPError):
            lines = httpx.get(f"{self.url}/metrics", timeout=2).text.splitlines()
            print(self.name, *(line for line in lines if line.startswith("toastd_cluster")), sep="\n  ")
        print("".join(self.log[-100:]))

    def metric(self, name: str) -> float:
        """The sum of all series of a metric."""
        lines = httpx.get(f"{self.url}/metrics", timeout=PATIENCE).text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0].split(" ")[0] == name)


class Cluster:
    """Nodes that share the channels of one prefix on a cluster of NATS."""

    def __init__(self, directory: Path, nats: NATSCluster, *options: str, nodes: int = NODES) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.nats = nats
        self.key_file = directory / "cluster-key"
        self.key_file.write_text(secrets.token_hex(32) + "\n")
        self.key_file.chmod(0o600)
        self.store = f"{nats.url}?prefix=t{secrets.token_hex(4)}"
        self.options = options
        self.nodes = [self.make_node(f"n{number}") for number in range(nodes)]

    def make_node(self, name: str, *options: str) -> Node:
        """A further node, which is not started."""
        return Node(name, self.store, self.key_file, *self.options, *options)

    def __enter__(self) -> Cluster:
        return self.start()

    def __exit__(self, kind: type | None, *_: object) -> None:
        running = [node for node in self.nodes if node.process.poll() is None]
        if kind is not None:
            for node in running:
                node.report()
                node.kill()
            return
        for node in running:
            node.tell_to_stop()
        for node in running:
            node.stop()

    def start(self) -> Cluster:
        """Starts all nodes, and waits until they are ready."""
        try:
            # The first node creates the streams of NATS.
            self.nodes[0].start().wait_until_ready()
            with ThreadPoolExecutor() as pool:
                for node in pool.map(lambda node: node.start(), self.nodes[1:]):
                    node.wait_until_ready()
        except BaseException:
            for node in self.nodes:
                if hasattr(node, "process") and node.process.poll() is None:
                    node.kill()
            raise
        return self

    def is_shared_out(self) -> bool:
        """Whether each node owns partitions: a node is ready before the others have handed its share over to it."""
        shares = [node.metric("toastd_cluster_owned_partitions") for node in self.nodes]
        return sum(shares) == 256 and all(share > 0 for share in shares)

    def is_owned_without(self, absent: Node) -> bool:
        """Whether the other nodes own all partitions."""
        return sum(node.metric("toastd_cluster_owned_partitions") for node in self.nodes if node is not absent) == 256

    def channel(self, name: str, node: int = 0) -> Channel:
        """A client of a channel at one of the nodes."""
        return Channel(self.nodes[node].url, name)

"""Cluster: what a publish, a delivery and a takeover cost on several nodes, beside one node and raw JetStream."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from statistics import median

from harness import nats, nchan_redis
from harness.clients import Subscribers, publish
from harness.measure import Row, interleave, ratio, spread
from harness.processes import OUT, Process, cpu_seconds
from harness.servers import Server

from .fanout import EVENTS, STREAMS, Side, fill_screen

REQUESTS, CONNECTIONS, CHANNELS = 4000, 32, 16
NODES = 3
TAKEN = 100_000
TARGET_OWNER_US, TARGET_FORWARDED_US = 5.0, 15.0
TARGET_FANOUT, TARGET_TAKEOVER_SECONDS = 1.1, 2.0
READY_SECONDS = 30
PARTITIONS, CHANNELS_OF_A_REQUEST = 256, 100
OWNED = "toastd_cluster_owned_partitions"


class Nodes:
    """Nodes of one cluster, all on the server's core."""

    def __init__(self, stack: ExitStack, bench, servers: nats.NATS, nodes: int, *flags: str) -> None:
        self.prefix = f"b{time.monotonic_ns()}"
        key = servers.key_file(bench.servers.directory)
        self.servers = []
        for _ in range(nodes):
            node = bench.servers.toastd(f"{servers.url}?prefix={self.prefix}", "--cluster-key-file", str(key), *flags)
            self.servers.append(stack.enter_context(node))
            await_ready(self.servers[-1])
        # The first node must hand partitions over to the later ones.
        await_owners(self.servers)

    def cpu(self) -> float:
        return sum(server.cpu() for server in self.servers)


def await_ready(server: Server) -> None:
    until = time.monotonic() + READY_SECONDS
    while server.request("GET", "/readyz")[0] != 200:
        if time.monotonic() > until:
            raise RuntimeError("a node is not ready")
        time.sleep(0.05)


def await_owners(servers: list[Server]) -> None:
    until = time.monotonic() + READY_SECONDS
    while sum(server.metric(OWNED) for server in servers) != PARTITIONS or not all(
        server.metric(OWNED) for server in servers
    ):
        if time.monotonic() > until:
            raise RuntimeError("the partitions are not shared out")
        time.sleep(0.1)


def partition(name: str) -> int:
    """The partition of a channel: FNV-1a of its name, as in toastd's `Partition`."""
    digest = 14695981039346656037
    for byte in name.encode():
        digest = (digest ^ byte) * 1099511628211 % 2**64
    return digest % PARTITIONS


def names_of(partitions: set[int], prefix: str) -> list[int]:
    """The first numbers that, after a prefix, are names of channels in these partitions."""
    numbers = (number for number in count() if partition(f"{prefix}{number}") in partitions)
    return [next(numbers) for _ in range(CHANNELS)]


def publish_side(cpu, server: Server, partitions: set[int], name: str):
    """A function for the CPU µs of a publish to channels in these partitions, which are new in each round."""
    turns = count()

    def cost() -> float:
        prefix = f"{name}{next(turns)}x"
        numbers = ",".join(map(str, names_of(partitions, prefix)))
        before = cpu()
        publish(
            server, f"/v1/channels/{prefix}{{n}}/toasts", requests=REQUESTS, connections=CONNECTIONS, size=64,
            numbers=numbers,
        )
        return (cpu() - before) / REQUESTS * 1e6

    return cost


class RawPublisher:
    """`nats_publish`, with messages of the same size as toastd stores; a call returns the CPU µs of a message."""

    def __init__(self, stack: ExitStack, bench, servers: nats.NATS, header: str, body: int) -> None:
        servers.make_stream("raw", "raw.>")
        command = [str(OUT / "nats_publish"), f"nats://{servers.addresses[0]}", "raw", "raw.{n}", header, str(body)]
        self._process = Process("nats_publish", bench.servers.cores.server_prefix() + command, stdout=subprocess.PIPE)
        stack.callback(self._process.stop)
        if self._process.popen.stdout.readline() != "ready\n":
            raise RuntimeError(f"nats_publish did not start; {self._process.log.read_text()[-500:]}")

    def __call__(self) -> float:
        before = cpu_seconds(self._process.pid)
        self._process.popen.stdin.write(f"publish {REQUESTS} {CONNECTIONS}\n")
        self._process.popen.stdin.flush()
        line = self._process.popen.stdout.readline()
        if line != f"published {REQUESTS} refused 0\n":
            raise RuntimeError(f"nats_publish: {line!r}; {self._process.log.read_text()[-500:]}")
        return (cpu_seconds(self._process.pid) - before) / REQUESTS * 1e6


def publishing(bench):
    """The rows of a publish at the owner, and of one that is forwarded."""
    everything = set(range(PARTITIONS))
    with ExitStack() as stack:
        servers = stack.enter_context(nats.NATS(bench.servers))
        sqlite = stack.enter_context(bench.servers.toastd(bench.servers.fresh_store()))
        alone = Nodes(stack, bench, servers, 1)
        pair = Nodes(stack, bench, servers, 2)
        others = set(range(PARTITIONS)) - servers.partitions(pair.servers[0].pid)
        alone.servers[0].demand("POST", "/v1/channels/sample/toasts", {"message": "x" * 64})
        log = partition("sample") % 4
        stored = servers.last(f"{alone.prefix}-log-{log}", f"{alone.prefix}.{log}.c.{partition('sample')}.sample")
        results = interleave(bench.rounds, {
            "SQLite": publish_side(sqlite.cpu, sqlite, everything, "s"),
            "owner": publish_side(alone.cpu, alone.servers[0], everything, "o"),
            "forwarded": publish_side(pair.cpu, pair.servers[0], others, "f"),
            "raw": RawPublisher(stack, bench, servers, *stored),
        })
    beside = f"SQLite {spread(results['SQLite'])} µs; raw JetStream {spread(results['raw'])} µs, {stored[1]} bytes a message"
    for name, what, limit in (
        ("owner", "publish, cluster, at the owner", TARGET_OWNER_US),
        ("forwarded", "publish, cluster, forwarded, both nodes", TARGET_FORWARDED_US),
    ):
        more = median(ours - theirs for ours, theirs in zip(results[name], results["SQLite"], strict=True))
        yield Row(
            f"{what}, {CONNECTIONS} connections", f"≤ SQLite + {limit:.0f} µs", f"{spread(results[name])} µs CPU",
            f"SQLite {more:+.1f} µs, {ratio(results[name], results['raw']):.2f} × raw JetStream", max(more, 0) / limit,
            note=f"{beside}; without the servers of NATS", figures=results,
        )


class Group:
    """Streams at several servers, with the interface of `Subscribers`."""

    def __init__(self, stack: ExitStack, servers: list[Server], path: str, marker: str) -> None:
        self._groups = [stack.enter_context(Subscribers(server, path, STREAMS, "--marker", marker)) for server in servers]
        self.streams = STREAMS * len(servers)

    def reset(self) -> None:
        for group in self._groups:
            group.reset()

    def expect(self, events: int) -> None:
        for group in self._groups:
            group.expect(events)

    def count(self) -> dict:
        return {"bytes": sum(group.count()["bytes"] for group in self._groups)}


class Counted:
    """A server whose `cpu` is the time of several processes."""

    def __init__(self, server: Server, cpu) -> None:
        self.demand, self.cpu = server.demand, cpu


def fan_side(stack: ExitStack, nodes: Nodes) -> Side:
    fill_screen(nodes.servers[0], "fan")
    group = Group(stack, nodes.servers, "/v1/channels/fan/stream", "event: enqueued\n")
    return Side(Counted(nodes.servers[0], nodes.cpu), group, "/v1/channels/fan/toasts", {"message": "Deployed"})


def fanning_out(bench):
    """The rows of fan-out on three nodes, beside one node and beside Nchan with Redis."""
    reason = nchan_redis.missing()
    with ExitStack() as stack:
        servers = stack.enter_context(nats.NATS(bench.servers))
        one, three = Nodes(stack, bench, servers, 1), Nodes(stack, bench, servers, NODES)
        sides = {"one": fan_side(stack, one), "three": fan_side(stack, three)}
        size = sides["three"].frame_bytes()
        broker: list[float] = []

        def three_and_broker() -> float:
            before = servers.cpu()
            cost = sides["three"]()
            broker.append((servers.cpu() - before) / (EVENTS * STREAMS * NODES) * 1e6)
            return cost

        turns = {"one": sides["one"], "three": three_and_broker}
        if not reason:
            peers = stack.enter_context(nchan_redis.NchanWithRedis(bench.servers, NODES))
            body = b"@" + b"x" * 99
            peers.servers[0].demand("POST", "/pub/fan", body)
            group = Group(stack, peers.servers, "/sub/fan", "\ndata:")
            peer = Side(Counted(peers.servers[0], peers.cpu), group, "/pub/fan", body)
            peer.body = b"@" + b"x" * (size - (peer.frame_bytes() - len(body)) - 1)
            turns["Nchan with Redis"] = peer
        results = interleave(bench.rounds, turns)
        broker = broker[-bench.rounds:]
    share = ratio(results["three"], results["one"])
    streams = f"{NODES} × {STREAMS} SSE streams"
    yield Row(
        f"fan-out, cluster, {streams} on {NODES} nodes", f"≤ {TARGET_FANOUT} × one node", f"{spread(results['three'])} µs CPU a delivery",
        f"{share:.2f} × one node", share / TARGET_FANOUT, note=f"one node with {STREAMS} streams {spread(results['one'])} µs; {size} bytes a frame",
        figures=results,
    )
    whole = [nodes + servers for nodes, servers in zip(results["three"], broker, strict=True)]
    row = Row(f"fan-out, cluster and its broker, {streams}", "ahead of Nchan with Redis", f"{spread(whole)} µs CPU a delivery")
    if reason:
        row.measured, row.note = "not measured", reason
    else:
        theirs = results["Nchan with Redis"]
        row.share = ratio(whole, theirs)
        row.ratio = f"{row.share:.2f} × Nchan with Redis"
        row.note = f"of it NATS {spread(broker)} µs; Nchan with Redis {spread(theirs)} µs, Redis included"
        row.figures = {"toastd": whole, "NATS": broker, "Nchan with Redis": theirs}
    yield row


def taking_over(bench):
    """The row of a takeover: the time from the stop of a node until the other one answers for all its partitions."""
    with ExitStack() as stack:
        servers = stack.enter_context(nats.NATS(bench.servers))
        nodes = Nodes(stack, bench, servers, 2)
        leaver, heir = nodes.servers
        for first in range(0, 2 * TAKEN, CHANNELS_OF_A_REQUEST):
            names = [f"t{number}" for number in range(first, min(first + CHANNELS_OF_A_REQUEST, 2 * TAKEN))]
            leaver.demand("POST", "/v1/toasts", {"channels": names, "toast": {"message": "Waits"}})
        others = servers.partitions(leaver.pid)
        taken = sum(partition(f"t{number}") in others for number in range(2 * TAKEN))
        probes = {partition(f"t{number}"): f"t{number}" for number in range(20 * PARTITIONS)}

        def first_answer(name: str) -> float:
            with heir.another() as connection:
                connection.demand("GET", f"/v1/channels/{name}/toasts")
            return time.monotonic()

        before = heir.cpu()
        began = time.monotonic()
        leaver.process.popen.terminate()
        with ThreadPoolExecutor(64) as pool:
            seconds = max(pool.map(first_answer, [probes[number] for number in sorted(others)])) - began
        cost = heir.cpu() - before
    yield Row(
        f"taking over {taken:,} channels of a node that drains", f"≤ {TARGET_TAKEOVER_SECONDS:.0f} s", f"{seconds:.2f} s",
        share=seconds / TARGET_TAKEOVER_SECONDS, note=f"until each of its {len(others)} partitions is served; {cost:.2f} s of CPU time of the other node",
        figures={"seconds": seconds, "cpu": cost, "channels": taken},
    )


def rows(bench):
    if reason := nats.missing():
        yield Row("cluster", "", "not measured", note=reason)
        return
    yield from publishing(bench)
    yield from fanning_out(bench)
    yield from taking_over(bench)

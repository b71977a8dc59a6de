"""Publish: CPU and rate of one request, memory and SQLite (also each commit synchronized), 1 and 32 connections.

The yardsticks are libmicrohttpd with a store of the same bytes in SQLite, libmicrohttpd alone, and Nchan's publish to memory.
"""

import sqlite3
from contextlib import ExitStack, closing
from itertools import count
from statistics import median

from harness.clients import publish
from harness.measure import Row, interleave, ratio, spread
from harness.servers import Server, nchan_missing

REQUESTS = 4000
CHANNELS = 16
"""New channels in each round, so that no queue gets near its capacity: 250 toasts each."""
MANY = 300
"""The same channels in every round: a commit touches as many channels as it has publishes."""
FLOOR = "libmicrohttpd with SQLite"
TARGET_RATIO = 1.5


class Side:
    """A server, and numbers of connections and channels; a call publishes a round and returns the CPU µs of a toast."""

    def __init__(self, server: Server, path: str, connections: int, channels: int = CHANNELS) -> None:
        self.server, self.path, self.connections, self.channels = server, path, connections, channels
        self.rounds = count()
        self.reports: list[dict] = []

    def __call__(self) -> float:
        first = 10**6 if self.channels == MANY else (next(self.rounds) * 100 + self.connections) * 100
        before = self.server.cpu()
        report = publish(
            self.server, self.path, requests=REQUESTS, channels=self.channels, first=first,
            connections=self.connections, size=64,
        )
        self.reports.append(report)
        return (self.server.cpu() - before) / REQUESTS * 1e6

    def rate_and_latency(self) -> str:
        middle = {key: median(r["latency"][key] for r in self.reports) for key in ("p50", "p99", "max")}
        rate = median(report["rate"] for report in self.reports)
        return f"{rate:,.0f}/s; p50 {middle['p50']:.0f}, p99 {middle['p99']:.0f}, max {middle['max']:.0f} µs"


def stored(store: str) -> tuple[int, int]:
    """The number of events in a database, and the bytes of their envelopes."""
    with closing(sqlite3.connect(f"file:{store.removeprefix('sqlite:')}?mode=ro", uri=True)) as database:
        return database.execute("SELECT sum(count), sum(length(envelope)) FROM events").fetchone()


def require_the_same_bytes(ours: str, floor: str) -> None:
    """Fails if the yardstick has not stored as many bytes as toastd: the costs would not be comparable."""
    (events, size), (floor_events, floor_size) = stored(ours), stored(floor)
    if events != floor_events or abs(size / floor_size - 1) > 0.01:
        raise RuntimeError(f"toastd stored {events} events of {size} bytes, the yardstick {floor_events} of {floor_size}")


def rows(bench):
    servers = bench.servers
    missing = nchan_missing()
    toasts = "/v1/channels/p{n}/toasts"
    ours, floor = servers.fresh_store(), servers.fresh_store()
    with ExitStack() as stack:
        started = {
            "memory": (stack.enter_context(servers.toastd("memory")), toasts),
            "SQLite": (stack.enter_context(servers.toastd(ours)), toasts),
            # Without a target, because its duration depends on the disk.
            "SQLite, durability power": (
                stack.enter_context(servers.toastd(servers.fresh_store(), "--durability", "power")), toasts,
            ),
            FLOOR: (stack.enter_context(servers.yardstick("mhd_sqlite", floor.removeprefix("sqlite:"))), toasts),
            "libmicrohttpd": (stack.enter_context(servers.yardstick("mhd")), "/"),
        }
        if not missing:
            started["Nchan"] = (stack.enter_context(servers.nchan()), "/pub/p{n}")
        sides = {(name, n, CHANNELS): Side(*server, n) for n in (1, 32) for name, server in started.items()}
        sides |= {(name, 32, MANY): Side(*started[name], 32, MANY) for name in ("SQLite", FLOOR)}
        results = interleave(bench.rounds, sides)
        require_the_same_bytes(ours, floor)

    for (name, connections, channels), side in sides.items():
        costs = results[name, connections, channels]
        what = f"publish, {name}, {connections} connection{'s' * (connections > 1)}"
        if channels == MANY:
            what += f", {MANY} channels"
        row = Row(what, "", f"{spread(costs)} µs CPU")
        row.note = side.rate_and_latency()
        row.figures = {"cpu_us": costs, "reports": side.reports}
        if name in ("memory", "SQLite"):
            wanted = ("libmicrohttpd", "Nchan") if name == "memory" else (FLOOR, "libmicrohttpd", "Nchan")
            yardsticks = [yardstick for yardstick in wanted if (yardstick, connections, channels) in sides]
            ratios = {yardstick: ratio(costs, results[yardstick, connections, channels]) for yardstick in yardsticks}
            row.ratio = ", ".join(f"{value:.2f} × {yardstick}" for yardstick, value in ratios.items())
            row.note += f"; {missing}" if missing and channels != MANY else ""
            if name == "SQLite":
                row.target, row.share = f"≤ {TARGET_RATIO} × {FLOOR}", ratios[FLOOR] / TARGET_RATIO
        yield row

"""Publish: CPU and rate of one request, memory and SQLite (also each commit synchronized), 1 and 32 connections.

The yardsticks are Nchan's in-memory publish and libmicrohttpd alone.
"""

from contextlib import ExitStack
from itertools import count
from statistics import median

from harness.clients import publish
from harness.measure import Row, interleave, ratio, spread
from harness.servers import Server, nchan_missing

REQUESTS = 4000
CHANNELS = 16
"""Fresh ones each round, so that no queue gets near its capacity: 250 toasts each."""
TARGET, TARGET_RATIO = 13.0, 1.5


class Side:
    """One server and number of connections; each call publishes a round's toasts and tells the CPU of each."""

    def __init__(self, server: Server, path: str, connections: int) -> None:
        self.server, self.path, self.connections = server, path, connections
        self.rounds = count()
        self.reports: list[dict] = []

    def __call__(self) -> float:
        first = (next(self.rounds) * 100 + self.connections) * 100
        before = self.server.cpu()
        report = publish(
            self.server, self.path, requests=REQUESTS, channels=CHANNELS, first=first,
            connections=self.connections, size=64,
        )
        self.reports.append(report)
        return (self.server.cpu() - before) / REQUESTS * 1e6

    def rate_and_latency(self) -> str:
        middle = {key: median(r["latency"][key] for r in self.reports) for key in ("p50", "p99", "max")}
        rate = median(report["rate"] for report in self.reports)
        return f"{rate:,.0f}/s; p50 {middle['p50']:.0f}, p99 {middle['p99']:.0f}, max {middle['max']:.0f} µs"


def rows(bench):
    servers = bench.servers
    missing = nchan_missing()
    with ExitStack() as stack:
        started = {
            "memory": (stack.enter_context(servers.toastd("memory")), "/v1/channels/p{n}/toasts"),
            "SQLite": (stack.enter_context(servers.toastd(servers.fresh_store())), "/v1/channels/p{n}/toasts"),
            # How long it takes is the disk's affair: the row says what the option costs, and has no target.
            "SQLite, durability power": (
                stack.enter_context(servers.toastd(servers.fresh_store(), "--durability", "power")), "/v1/channels/p{n}/toasts",
            ),
            "libmicrohttpd": (stack.enter_context(servers.yardstick("mhd")), "/"),
        }
        if not missing:
            started["Nchan"] = (stack.enter_context(servers.nchan()), "/pub/p{n}")
        sides = {(name, n): Side(*server, n) for n in (1, 32) for name, server in started.items()}
        results = interleave(bench.rounds, sides)

    for (name, connections), side in sides.items():
        costs = results[name, connections]
        row = Row(f"publish, {name}, {connections} connection{'s' * (connections > 1)}", "", f"{spread(costs)} µs CPU")
        row.note = side.rate_and_latency()
        row.figures = {"cpu_us": costs, "reports": side.reports}
        if name in ("memory", "SQLite"):
            yardsticks = [yardstick for yardstick in ("libmicrohttpd", "Nchan") if yardstick in started]
            ratios = {yardstick: ratio(costs, results[yardstick, connections]) for yardstick in yardsticks}
            row.ratio = ", ".join(f"{value:.2f} × {yardstick}" for yardstick, value in ratios.items())
        if (name, connections) == ("SQLite", 32):
            row.target = f"≤ {TARGET:.0f} µs, ≤ {TARGET_RATIO} × Nchan"
            row.share = max(median(costs) / TARGET, ratios.get("Nchan", 0) / TARGET_RATIO)
            if missing:
                row.note += f"; {missing}"
                row.share = row.share if row.share > 1 else None  # half a target is not met
        yield row

"""Batch publish: CPU per toast when a request carries 100."""

from itertools import count
from statistics import median

from harness.clients import publish
from harness.measure import Row, interleave, spread

BATCH, REQUESTS, CHANNELS = 100, 100, 20
"""500 toasts on each of 20 new channels in each round: half of a queue's capacity."""
TARGET = 4.0


def rows(bench):
    servers = bench.servers
    with servers.toastd("memory") as memory, servers.toastd(servers.fresh_store()) as sqlite:
        rounds = count()

        def side(server):
            def cost() -> float:
                before = server.cpu()
                publish(
                    server, "/v1/channels/b{n}/toasts", requests=REQUESTS, batch=BATCH, channels=CHANNELS,
                    first=next(rounds) * CHANNELS, connections=4, size=64, header="Prefer: return=minimal",
                )
                return (server.cpu() - before) / (REQUESTS * BATCH) * 1e6
            return cost

        results = interleave(bench.rounds, {"memory": side(memory), "SQLite": side(sqlite)})
    for store, costs in results.items():
        row = Row(f"batch publish, {store}, {BATCH} a request", "", f"{spread(costs)} µs CPU a toast", figures={"cpu_us": costs})
        if store == "SQLite":
            row.target, row.share = f"≤ {TARGET:.0f} µs", median(costs) / TARGET
        yield row

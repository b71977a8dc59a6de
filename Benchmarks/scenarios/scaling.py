"""Scaling: fan-out with two loops beside one, on all cores, and the share of the machine that the clients take."""

import time
from contextlib import ExitStack
from statistics import median

from harness.clients import Subscribers
from harness.measure import Row, interleave, ratio, spread

from .fanout import EVENTS, STREAMS, Side, fill_screen

TARGET = 1.8


def rows(bench):
    cores = len(bench.cores.usable)
    cost: dict[int, list[float]] = {1: [], 2: []}
    load: dict[int, list[float]] = {1: [], 2: []}
    with ExitStack() as stack:

        def side(loops: int):
            server = stack.enter_context(bench.servers.toastd("memory", loops=loops, pinned=False))
            fill_screen(server, "fan")
            subscribers = stack.enter_context(Subscribers(server, "/v1/channels/fan/stream", STREAMS, "--marker", "event: enqueued\n"))
            fan = Side(server, subscribers, "/v1/channels/fan/toasts", {"message": "Deployed"})

            def seconds() -> float:
                began, client = time.monotonic(), subscribers.cpu()
                cost[loops].append(fan())
                load[loops].append((subscribers.cpu() - client) / (EVENTS * STREAMS) * 1e6)
                return time.monotonic() - began
            return seconds

        results = interleave(bench.rounds, {loops: side(loops) for loops in cost})
    faster = ratio(results[1], results[2])
    costs = {loops: values[1:] for loops, values in cost.items()}
    dearer = ratio(costs[2], costs[1])
    # Server and client share the cores: if a delivery takes s µs of the server and c µs of the client, n cores allow
    # n / (s + c) deliveries a µs.
    client, server = median(load[2][1:]), median(costs[2])
    bound = min(2, cores * max(server, client) / (server + client))
    row = Row(
        "fan-out, 2 loops beside 1", f"≥ {TARGET} × as fast", f"{spread(costs[2])} µs CPU a delivery",
        f"{faster:.2f} × as fast, {dearer:.2f} × the CPU", figures={"seconds": results, "cpu_us": costs, "client_us": load},
    )
    if bound >= TARGET:
        row.share = TARGET / faster
        row.note = f"on {cores} cores; the client takes {client:.3g} µs a delivery"
    else:
        # With a core each, the speed-up of two loops that share nothing is 2 divided by the growth of their CPU time.
        row.target = f"CPU ≤ {2 / TARGET:.2f} ×"
        row.share = dearer / (2 / TARGET)
        row.note = (
            f"the client is the limit: it takes {client:.3g} µs a delivery, so {cores} cores allow {bound:.2f} × at most; "
            f"2 / {dearer:.2f} = {2 / dearer:.2f} × with a core for each loop and one for the client"
        )
    yield row

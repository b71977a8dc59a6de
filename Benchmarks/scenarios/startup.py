"""Start: time to the first answer with 1,000,000 stored events."""

import time
from statistics import median

from harness.clients import publish
from harness.measure import Row, spread

EVENTS, BATCH, CHANNELS = 1_000_000, 100, 1250
"""800 toasts in each channel: below the queue's capacity and the retention of 1000 events."""
TARGET = 200.0


def rows(bench):
    servers = bench.servers
    store = servers.fresh_store()
    with servers.toastd(store) as server:
        publish(
            server, "/v1/channels/m{n}/toasts", requests=EVENTS // BATCH, channels=CHANNELS, batch=BATCH, connections=4, size=64,
            header="Prefer: return=minimal", seconds=90,
        )
    times = []
    for turn in range(bench.rounds):
        began = time.monotonic()
        with servers.toastd(store) as server:
            queue = server.demand("GET", f"/v1/channels/m{turn}/toasts")["toasts"]
            times.append((time.monotonic() - began) * 1000)
        if len(queue) != EVENTS // CHANNELS:
            raise RuntimeError(f"channel m{turn} has {len(queue)} toasts after the start, not {EVENTS // CHANNELS}")
    yield Row(
        f"start with {EVENTS:,} stored events", f"≤ {TARGET:.0f} ms", f"{spread(times)} ms to the first answer", share=median(times) / TARGET,
        note="exec to the answer with a channel's 800 queued toasts, page cache warm", figures={"ms": times},
    )

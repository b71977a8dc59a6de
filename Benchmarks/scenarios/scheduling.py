"""Scheduling: 20,000 channels with running timers: CPU per transition, and how late a toast is presented."""

import itertools
import time
from datetime import datetime

from harness.clients import publish
from harness.measure import Row

CHANNELS, TOASTS, DURATION = 20000, 3, 2.0
EXIT_AND_PAUSE = 0.55
SAMPLE = 1000
TARGET_MS, TARGET_US = 2.0, 3.0


def lateness(toasts: list[dict]) -> list[float]:
    """The delays of presentations in milliseconds, by the server's clock. A dismissal by timeout has the time of its
    deadline, a presentation the time at which it happened: their difference, less exit and pause, is the delay.
    """
    shown = sorted((instant(t["presentedAt"]), instant(t["dismissedAt"])) for t in toasts)
    return [round((later[0] - earlier[1] - EXIT_AND_PAUSE) * 1000) + 0.0 for earlier, later in itertools.pairwise(shown)]


def instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def rows(bench):
    with bench.servers.toastd("memory") as server:
        common = {"requests": CHANNELS, "channels": CHANNELS, "connections": 8}
        publish(server, "/v1/channels/s{n}/settings", method="PATCH", body='{"whenUnattended":"present"}', **common)
        toasts = ",".join([f'{{"message":"Deployed","duration":{DURATION}}}'] * TOASTS)
        publish(server, "/v1/channels/s{n}/toasts", body=f"[{toasts}]", header="Prefer: return=minimal", **common)
        before, began = server.cpu(), time.monotonic()
        time.sleep((DURATION + EXIT_AND_PAUSE) * TOASTS + 1)
        spent, elapsed = server.cpu() - before, time.monotonic() - began
        late = []
        for channel in range(0, CHANNELS, CHANNELS // SAMPLE):
            history = server.demand("GET", f"/v1/channels/s{channel}/toasts?state=dismissed")["toasts"]
            if len(history) != TOASTS:
                raise RuntimeError(f"channel s{channel}: {len(history)} of {TOASTS} toasts came and went")
            late += lateness(history)
        idle_before = server.cpu()
        time.sleep(2)
        idle = (server.cpu() - idle_before) / 2
    # The first presentation of each channel does not count, because it happened before the measurement.
    transitions = CHANNELS * (2 * TOASTS - 1)
    each = spent / transitions * 1e6
    late.sort()
    p99 = late[len(late) * 99 // 100]
    yield Row(
        f"scheduling, {CHANNELS} channels with running timers", f"p99 ≤ {TARGET_MS:.0f} ms, ≤ {TARGET_US:.0f} µs",
        f"late p50 {late[len(late) // 2]:.0f}, p99 {p99:.0f}, max {late[-1]:.0f} ms; {each:.2f} µs CPU a transition",
        share=max(p99 / TARGET_MS, each / TARGET_US),
        note=f"{transitions / elapsed:,.0f} transitions a second; idle afterwards {idle * 1000:.1f} ms CPU a second",
        figures={"p99_ms": p99, "cpu_us": each, "idle": idle},
    )

"""Burst: CPU per event and stream when k events are ready at once, which should fall nearly as 1/k."""

from contextlib import ExitStack
from statistics import median

from harness.measure import Row, interleave, ratio, spread

from .fanout import toastd_side

STREAMS = 1000
SIZES = (1, 8, 64)
EVENTS = 128
"""A round's events for each size: the same work for the subscribers, in 128, 16 or 2 bursts."""


def rows(bench):
    with ExitStack() as stack:
        fan = toastd_side(stack, bench, "stream", streams=STREAMS)

        def side(size: int):
            def cost() -> float:
                fan.subscribers.reset()
                before = fan.server.cpu()
                for sent in range(size, EVENTS + 1, size):
                    fan.server.demand("POST", fan.path, [fan.body] * size, Prefer="return=minimal")
                    fan.subscribers.expect(sent)
                return (fan.server.cpu() - before) / (EVENTS * STREAMS) * 1e6
            return cost

        results = interleave(bench.rounds, {size: side(size) for size in SIZES})
    for size in SIZES[1:]:
        share = ratio(results[size], results[1])
        # Each event of a burst still has bytes to copy, so the limit is a quarter above 1/k, and at least 0.1.
        limit = max(1.25 / size, 0.1)
        yield Row(
            f"burst of {size}, {STREAMS} SSE streams", f"≤ {limit:.2f} of one alone", f"{spread(results[size])} µs CPU a delivery",
            f"{share:.2f} of {median(results[1]):.3g} µs", share / limit, figures={"cpu_us": results},
        )

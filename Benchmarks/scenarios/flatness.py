"""Flatness: whether a delivery costs the same from 100 to 14,000 SSE streams."""

from contextlib import ExitStack

from harness.measure import Row, interleave, ratio, spread

from .fanout import sendloop_side, toastd_side

SIZES = {100: 200, 2000: 20, 14000: 4}
"""Streams → events a round."""
TARGET = 1.15


def rows(bench):
    with ExitStack() as stack:
        sides = {}
        for streams, events in SIZES.items():
            fan = toastd_side(stack, bench, "stream", streams=streams)
            sides["toastd", streams] = lambda fan=fan, events=events: fan(events)
            loop = sendloop_side(stack, bench, fan.frame_bytes(), streams=streams)
            sides["C loop", streams] = lambda loop=loop, events=events: loop(events)
        results = interleave(bench.rounds, sides)
    # The kernel's part, measured by the C loop, grows with the number of sockets; toastd's part must not.
    growth = {name: ratio(results[name, 14000], results[name, 100]) for name in ("toastd", "C loop")}
    yield Row(
        "fan-out, 100 → 14,000 SSE streams", f"≤ {TARGET} × the C loop's own growth",
        ", ".join(f"{streams}: {spread(results['toastd', streams])}" for streams in SIZES) + " µs",
        f"{growth['toastd']:.2f} ×, C loop {growth['C loop']:.2f} ×", growth["toastd"] / growth["C loop"] / TARGET,
        note="C loop " + ", ".join(f"{streams}: {spread(results['C loop', streams])}" for streams in SIZES) + " µs",
        figures={f"{name} {streams}": costs for (name, streams), costs in results.items()},
    )

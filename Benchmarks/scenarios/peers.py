"""Peers: fan-out with a stored message, beside PocketBase's realtime."""

from contextlib import ExitStack

from harness import pocketbase
from harness.measure import Row, interleave, ratio, spread

from .fanout import Side, toastd_side

STREAMS, EVENTS = 1000, 20


def rows(bench):
    if reason := pocketbase.missing():
        yield Row(f"fan-out, SQLite, {STREAMS} SSE streams", "ahead of PocketBase", "not measured", note=reason)
        return
    with ExitStack() as stack:
        ours = toastd_side(stack, bench, "stream", streams=STREAMS, store=bench.servers.fresh_store())
        peer = stack.enter_context(pocketbase.start(bench.servers))
        streams = stack.enter_context(pocketbase.Streams(peer, STREAMS))
        theirs = Side(peer, streams, f"/api/collections/{pocketbase.COLLECTION}/records", {"message": "Deployed"})
        sizes = ours.frame_bytes(), theirs.frame_bytes()
        results = interleave(bench.rounds, {"toastd": lambda: ours(EVENTS), "PocketBase": lambda: theirs(EVENTS)})
    share = ratio(results["toastd"], results["PocketBase"])
    yield Row(
        f"fan-out, SQLite, {STREAMS} SSE streams", "ahead of PocketBase", f"{spread(results['toastd'])} µs CPU a delivery",
        f"{share:.2f} × PocketBase", share,
        note=f"{sizes[0]} bytes a frame; PocketBase {spread(results['PocketBase'])} µs, {sizes[1]} bytes", figures=results,
    )

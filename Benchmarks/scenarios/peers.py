"""Peers: fan-out with a stored message beside PocketBase's realtime, and of a published one beside Pushpin."""

from contextlib import ExitStack

from harness import pocketbase, pushpin
from harness.measure import Row, interleave, ratio, spread

from .fanout import Side, toastd_side

STREAMS, EVENTS = 1000, 10


def row(what: str, peer: str, results: dict[str, list[float]], sizes: tuple[int, int]) -> Row:
    share = ratio(results["toastd"], results[peer])
    return Row(
        what, f"ahead of {peer}", f"{spread(results['toastd'])} µs CPU a delivery", f"{share:.2f} × {peer}", share,
        note=f"{sizes[0]} bytes a frame; {peer} {spread(results[peer])} µs, {sizes[1]} bytes", figures=results,
    )


def beside_pocketbase(bench) -> Row:
    what = f"fan-out, SQLite, {STREAMS} SSE streams"
    if reason := pocketbase.missing():
        return Row(what, "ahead of PocketBase", "not measured", note=reason)
    with ExitStack() as stack:
        ours = toastd_side(stack, bench, "stream", streams=STREAMS, store=bench.servers.fresh_store())
        peer = stack.enter_context(pocketbase.start(bench.servers))
        streams = stack.enter_context(pocketbase.Streams(peer, STREAMS))
        theirs = Side(peer, streams, f"/api/collections/{pocketbase.COLLECTION}/records", {"message": "Deployed"})
        sizes = ours.frame_bytes(), theirs.frame_bytes()
        results = interleave(bench.rounds, {"toastd": lambda: ours(EVENTS), "PocketBase": lambda: theirs(EVENTS)})
    return row(what, "PocketBase", results, sizes)


def beside_pushpin(bench) -> Row:
    what = f"fan-out, memory, {STREAMS} SSE streams"
    if reason := pushpin.missing():
        return Row(what, "ahead of Pushpin", "not measured", note=reason)
    with ExitStack() as stack:
        ours = toastd_side(stack, bench, "stream", streams=STREAMS)
        peer = stack.enter_context(pushpin.Pushpin(bench.servers))
        streams = stack.enter_context(pushpin.Streams(peer, STREAMS))
        size = ours.frame_bytes()
        theirs = Side(peer, streams, "/publish/", pushpin.publication("data: " + "x" * (size - 8) + "\n\n"))
        sizes = size, theirs.frame_bytes()
        results = interleave(bench.rounds, {"toastd": lambda: ours(EVENTS), "Pushpin": lambda: theirs(EVENTS)})
    return row(what, "Pushpin", results, sizes)


def rows(bench):
    yield beside_pocketbase(bench)
    yield beside_pushpin(bench)

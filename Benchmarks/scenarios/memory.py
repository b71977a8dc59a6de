"""Memory: what an idle stream adds to the server's resident set, at 2000 and 10,000 streams."""

import time
from contextlib import ExitStack

from harness.clients import Subscribers
from harness.measure import Row
from harness.servers import Server, nchan_missing

TARGET_KIB, TARGET_MIB = 1.0, 30.0


def growth(server: Server, path: str, flags: tuple[str, ...], channels: int = 1) -> dict[int, tuple[float, float]]:
    """For each number of streams: KiB a stream, and MiB of the whole process; for 0 streams only the latter."""
    results = {}
    # Memory that the first streams need once, for example for code, does not count.
    with Subscribers(server, path, 100, *flags, channels=channels):
        time.sleep(0.5)
    time.sleep(0.5)
    empty = server.rss_kib()
    with ExitStack() as stack:
        for streams, more in ((2000, 2000), (10000, 8000)):
            stack.enter_context(Subscribers(server, path, more, *flags, channels=channels))
            time.sleep(1.0)  # snapshots are sent, request buffers are returned
            rss = server.rss_kib()
            results[streams] = ((rss - empty) / streams, rss / 1024)
    results[0] = (0.0, empty / 1024)
    return results


def rows(bench):
    servers = bench.servers
    cases = {
        "SSE": (servers.toastd, "/v1/channels/idle/stream", (), 1),
        "SSE, 1000 channels": (servers.toastd, "/v1/channels/idle{n}/stream", (), 1000),
        "WebSocket": (servers.toastd, "/v1/channels/idle/socket", ("--websocket",), 1),
        "long-poll": (servers.toastd, "/v1/channels/idle/poll?wait=60", ("--poll",), 1),
    }
    if not nchan_missing():
        cases["Nchan SSE"] = (servers.nchan, "/sub/idle", (), 1)
    for name, (start, path, flags, channels) in cases.items():
        with start() as server:
            result = growth(server, path, flags, channels)
        for streams in (2000, 10000):
            each, whole = result[streams]
            row = Row(f"memory, {streams} idle streams, {name}", "", f"{each:.3f} KiB a stream, {whole:.1f} MiB in all")
            row.figures = {"kib_per_stream": each, "rss_mib": whole, "empty_mib": result[0][1]}
            row.note = f"{result[0][1]:.1f} MiB when the first 100 have gone"
            if name in ("SSE", "WebSocket"):
                row.target = f"≤ {TARGET_KIB:.0f} KiB" + (f", ≤ {TARGET_MIB:.0f} MiB in all" if streams == 10000 else "")
                row.share = max(each / TARGET_KIB, whole / TARGET_MIB if streams == 10000 else 0)
            yield row

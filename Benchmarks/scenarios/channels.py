"""Channels: what a loaded channel keeps in memory, and whether a publish costs more with 100,000 of them."""

from itertools import count
from statistics import median

from harness.clients import publish
from harness.measure import Row, interleave, ratio, spread

CHANNELS, FEW, REQUESTS = 100000, 16, 8000
TARGET_KIB, TARGET_RATIO = 2.0, 1.25


def rows(bench):
    with bench.servers.toastd(bench.servers.fresh_store()) as server:
        empty = server.rss_kib()
        publish(server, "/v1/channels/k{n}/toasts", requests=CHANNELS, channels=CHANNELS, connections=32, size=64)
        each = (server.rss_kib() - empty) / CHANNELS
        yield Row(
            f"{CHANNELS:,} channels with one toast each", f"≤ {TARGET_KIB:.0f} KiB", f"{each:.2f} KiB a channel", share=each / TARGET_KIB,
            note="resident set after one publish to each", figures={"kib": each},
        )
        few, many = count(), count()

        def side(channels: int, name: str, first):
            def cost() -> float:
                before = server.cpu()
                publish(server, f"/v1/channels/{name}{{n}}/toasts", requests=REQUESTS, channels=channels, first=first(), connections=32, size=64)
                return (server.cpu() - before) / REQUESTS * 1e6
            return cost

        results = interleave(bench.rounds, {
            "few": side(FEW, "f", lambda: next(few) * FEW),
            "many": side(REQUESTS, "k", lambda: next(many) * REQUESTS % CHANNELS),
        })
    flat = ratio(results["many"], results["few"])
    yield Row(
        f"publish, SQLite, spread over {CHANNELS:,} channels", f"≤ {TARGET_RATIO} × over {FEW}", f"{spread(results['many'])} µs CPU",
        f"{flat:.2f} × {median(results['few']):.3g} µs", flat / TARGET_RATIO, figures=results,
    )

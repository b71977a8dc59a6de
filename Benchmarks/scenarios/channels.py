"""Channels: the memory of a loaded channel, and whether a publish costs more with 100,000 of them."""

from contextlib import contextmanager
from itertools import count
from statistics import median

from harness.clients import publish
from harness.measure import Row, interleave, ratio, spread

CHANNELS, FEW, REQUESTS = 100000, 16, 8000
ROOM = 16384
"""The maximum of channels in memory of a server with twice as many, so that each publish is to an unloaded channel."""
TARGET_KIB, TARGET_RATIO = 2.0, 1.25


@contextmanager
def filled(bench, channels: int, *flags: str):
    """A server on which channels k0, k1 … have a toast each, and the KiB that each has added to its resident set."""
    with bench.servers.toastd(bench.servers.fresh_store(), *flags) as server:
        empty = server.rss_kib()
        publish(server, "/v1/channels/k{n}/toasts", requests=channels, channels=channels, connections=32, size=64, seconds=120)
        yield server, (server.rss_kib() - empty) / channels


def side(server, name: str, channels: int, known: int | None = None):
    """A function for the CPU µs of a publish: to new channels in each round, or to the next of `known` channels."""
    turns = count()

    def cost() -> float:
        first = next(turns) * channels % (known or 10**9)
        path = f"/v1/channels/{name}{{n}}/toasts"
        before = server.cpu()
        publish(server, path, requests=REQUESTS, channels=channels, first=first, connections=32, size=64)
        return (server.cpu() - before) / REQUESTS * 1e6

    return cost


def rows(bench):
    with filled(bench, CHANNELS) as (server, each):
        loaded = server.metric("toastd_channels_loaded")
        if loaded < CHANNELS:
            raise RuntimeError(f"{loaded:,.0f} of {CHANNELS:,} channels are in memory")
        yield Row(
            f"{CHANNELS:,} channels with one toast each", f"≤ {TARGET_KIB:.0f} KiB", f"{each:.2f} KiB a channel", share=each / TARGET_KIB,
            note="resident set after one publish to each", figures={"kib": each},
        )
        with filled(bench, 2 * ROOM, "--max-channels", str(ROOM)) as (small, _):
            results = interleave(bench.rounds, {
                "few": side(server, "f", FEW),
                "many": side(server, "k", REQUESTS, CHANNELS),
                "unloaded": side(small, "k", REQUESTS, 2 * ROOM),
            })
    flat = ratio(results["many"], results["few"])
    few = f"{median(results['few']):.3g} µs over {FEW}"
    yield Row(
        f"publish, SQLite, spread over {CHANNELS:,} channels", f"≤ {TARGET_RATIO} × over {FEW}", f"{spread(results['many'])} µs CPU",
        f"{flat:.2f} × {few}", flat / TARGET_RATIO, note="all in memory", figures=results,
    )
    yield Row(
        "publish, SQLite, to channels that are not in memory", "", f"{spread(results['unloaded'])} µs CPU",
        f"{ratio(results['unloaded'], results['few']):.2f} × {few}",
        note=f"{2 * ROOM:,} channels, {ROOM:,} may be in memory: one is read and one let go of for each publish",
    )

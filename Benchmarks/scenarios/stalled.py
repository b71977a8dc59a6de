"""Stalled readers: the effect on a publisher of 1000 clients that do not read, beside 1000 that do."""

import random
import socket
from contextlib import ExitStack
from statistics import median

from harness.clients import Subscribers, publish
from harness.measure import Row, interleave, ratio, spread

from .fanout import fill_screen

LIVE, STALLED = 1000, 1000
FILL, FILL_SIZE = 24, 4000
"""Enough to fill a stalled reader's buffers on both sides, but with the later toasts less than the limit of waiting data,
so that all stalled streams stay connected, and blocked, for all rounds."""
SITTINGS, ROUNDS, REQUESTS = 3, 20, 10
"""Many short pairs of rounds, so that noise of other processes affects both halves of a pair or few pairs; in several
sittings with separate servers, because a stalled stream is ended after 30 s."""
TARGET, TARGET_MEMORY = 1.2, 64.0
STREAM, TOASTS = "/v1/channels/stalled/stream", "/v1/channels/stalled/toasts"


def stall(port: int) -> socket.socket:
    """A stream whose client reads only the beginning of the response head."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    if not reader.recv(12).endswith(b" 200"):
        raise RuntimeError("a stream was refused")
    return reader


def interval(ours: list[float], theirs: list[float]) -> tuple[float, float]:
    """The 95 % confidence interval of the median ratio: a bootstrap over the pairs."""
    ratios, dice = [a / b for a, b in zip(ours, theirs, strict=True)], random.Random(1)
    medians = sorted(median(dice.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[-51]


def verdict(what: str, unit: str, ours: list[float], theirs: list[float], note: str = "") -> Row:
    share, (low, high) = ratio(ours, theirs), interval(ours, theirs)
    row = Row(
        f"{what} {STALLED} of {STALLED + LIVE} streams stalled", f"≤ {TARGET} × without the stalled",
        f"{spread(ours)} {unit}", f"{share:.2f} × (95 %: {low:.2f}–{high:.2f})", share / TARGET,
        note=f"without {spread(theirs)} {unit}; {len(ours)} pairs of {REQUESTS} publishes{note}", figures={"stalled": ours, "alone": theirs},
    )
    if low <= TARGET < high:
        row.undecided = True
    return row


def sitting(bench, ages: dict[str, list[dict]], cpu: dict[str, list[float]]) -> float:
    """Adds the latencies and CPU times of a pair of servers to `ages` and `cpu`, round by round; returns the KiB of a
    stalled stream in the end.
    """
    with ExitStack() as stack:

        def side(name: str):
            server = stack.enter_context(bench.servers.toastd("memory"))
            fill_screen(server, "stalled")
            subscribers = stack.enter_context(Subscribers(server, STREAM, LIVE, "--marker", "event: enqueued\n"))
            before = server.own_kib()
            for _ in range(STALLED if name == "stalled" else 0):
                stack.enter_context(stall(server.port))
            publish(server, TOASTS, requests=FILL, size=FILL_SIZE)
            subscribers.expect(FILL)

            def measure() -> tuple[dict, float]:
                subscribers.reset()
                began = server.cpu()
                age = publish(server, TOASTS, requests=REQUESTS, size=100)["latency"]
                subscribers.expect(REQUESTS)
                return age, (server.cpu() - began) / REQUESTS * 1e3

            return server, before, measure

        sides = {name: side(name) for name in ages}
        for name, results in interleave(ROUNDS, {name: round for name, (_, _, round) in sides.items()}).items():
            ages[name] += [age for age, _ in results]
            cpu[name] += [spent for _, spent in results]
        server, before, _ = sides["stalled"]
        audience = server.demand("GET", "/v1/channels/stalled")["audience"]["sse"]
        if audience != LIVE + STALLED:
            raise RuntimeError(f"{audience} streams are left: a stalled one is ended after 30 s, and the rounds took longer")
        return (server.own_kib() - before) / STALLED


def rows(bench):
    ages: dict[str, list[dict]] = {"stalled": [], "alone": []}
    cpu: dict[str, list[float]] = {"stalled": [], "alone": []}
    memory = median(sitting(bench, ages, cpu) for _ in range(SITTINGS))
    p50, p99 = ({name: [age[share] / 1000 for age in values] for name, values in ages.items()} for share in ("p50", "p99"))
    yield verdict("publish, CPU,", "ms", cpu["stalled"], cpu["alone"])
    yield verdict(
        "publish, p99,", "ms", p99["stalled"], p99["alone"],
        f"; p50 {median(p50['stalled']):.2f} and {median(p50['alone']):.2f} ms; each waits for the fan-out of the one before",
    )
    yield Row(
        f"memory of a stalled stream with {FILL + (ROUNDS + 1) * REQUESTS} events sent", f"≤ {TARGET_MEMORY:.0f} KiB",
        f"{memory:.3g} KiB", share=memory / TARGET_MEMORY, figures={"kib": memory},
    )

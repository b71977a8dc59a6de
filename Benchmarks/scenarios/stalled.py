"""Stalled readers: what a publisher notices of 1000 that do not read, beside 1000 that do."""

import socket
import time
from contextlib import ExitStack
from statistics import median

from harness.clients import Subscribers, publish
from harness.measure import Row, interleave, ratio, spread

from .fanout import fill_screen

LIVE, STALLED, RATE, SECONDS = 1000, 1000, 20, 8
FILL, FILL_SIZE = 24, 4000
"""Enough to fill a stalled reader's buffers on both sides, and with what follows less than what a stream may have
waiting: all of them are there, and blocked, for the whole round."""
TARGET, TARGET_MEMORY = 1.2, 64.0
STREAM, TOASTS = "/v1/channels/stalled/stream", "/v1/channels/stalled/toasts"


def stall(port: int) -> socket.socket:
    """A stream whose reader takes the head and nothing more."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    if not reader.recv(12).endswith(b" 200"):
        raise RuntimeError("a stream was refused")
    return reader


def rows(bench):
    ages: dict[str, list[dict]] = {"stalled": [], "alone": []}
    memory: list[float] = []
    with ExitStack() as stack:

        def side(name: str):
            server = stack.enter_context(bench.servers.toastd("memory"))
            fill_screen(server, "stalled", watch=STREAM)
            subscribers = stack.enter_context(Subscribers(server, STREAM, LIVE, "--marker", "event: enqueued\n"))

            def p99() -> float:
                subscribers.reset()
                before = server.pss_kib()
                with ExitStack() as readers:
                    for _ in range(STALLED if name == "stalled" else 0):
                        readers.enter_context(stall(server.port))
                    publish(server, TOASTS, requests=FILL, size=FILL_SIZE)
                    subscribers.expect(FILL)
                    ages[name].append(publish(server, TOASTS, requests=RATE * SECONDS, rate=RATE, size=100)["latency"])
                    subscribers.expect(FILL + RATE * SECONDS)
                    audience = server.demand("GET", "/v1/channels/stalled")["audience"]["sse"]
                    if audience != LIVE + (STALLED if name == "stalled" else 0):
                        raise RuntimeError(f"{audience} streams are left")
                    if name == "stalled":
                        memory.append((server.pss_kib() - before) / STALLED)
                server.demand("DELETE", TOASTS)
                fill_screen(server, "stalled")
                time.sleep(0.5)
                return ages[name][-1]["p99"]
            return p99

        results = interleave(bench.rounds, {name: side(name) for name in ages})
    share = ratio(results["stalled"], results["alone"])
    middle = {name: {key: median(age[key] for age in values[1:]) / 1000 for key in ("p50", "max")} for name, values in ages.items()}
    yield Row(
        f"publish p99 beside {STALLED} stalled and {LIVE} live streams", f"≤ {TARGET} × without the stalled",
        f"{spread([value / 1000 for value in results['stalled']])} ms", f"{share:.2f} × without", share / TARGET,
        note="; ".join([f"without {spread([value / 1000 for value in results['alone']])} ms"] + [
            f"{name}: p50 {values['p50']:.2f}, max {values['max']:.2f} ms" for name, values in middle.items()
        ]),
        figures={"p99_us": results, "latency_us": ages},
    )
    yield Row(
        f"memory of a stalled stream with {RATE * SECONDS} events waiting", f"≤ {TARGET_MEMORY:.0f} KiB",
        f"{spread(memory)} KiB", share=median(memory) / TARGET_MEMORY, figures={"kib": memory},
    )

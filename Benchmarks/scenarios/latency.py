"""Latency: publish → received at 10 % load with 1000 SSE streams, beside Nchan."""

from contextlib import ExitStack
from statistics import median

from harness.clients import Subscribers, publish
from harness.measure import Row, interleave, ratio
from harness.servers import nchan_missing

from .fanout import fill_screen

STREAMS, RATE, SECONDS = 1000, 17, 3
"""17,000 deliveries a second: a tenth of what one core sends at the C loop's 5.5 to 6 µs each."""


def rows(bench):
    missing = nchan_missing()
    with ExitStack() as stack:
        toastd = stack.enter_context(bench.servers.toastd("memory"))
        fill_screen(toastd, "late")
        targets = {"toastd": (toastd, "/v1/channels/late/stream", "/v1/channels/late/toasts", "event: enqueued\n")}
        if not missing:
            targets["Nchan"] = (stack.enter_context(bench.servers.nchan()), "/sub/late", "/pub/late", "\ndata:")
        ages: dict[str, list[dict]] = {name: [] for name in targets}

        def side(name: str):
            server, stream, path, marker = targets[name]
            subscribers = stack.enter_context(Subscribers(server, stream, STREAMS, "--marker", marker, "--stamp", "ns="))

            def p50() -> float:
                subscribers.reset()
                publish(server, path, requests=RATE * SECONDS, rate=RATE, stamp="ns=", size=100)
                ages[name].append(subscribers.expect(RATE * SECONDS)["latency"])
                return ages[name][-1]["p50"]
            return p50

        interleave(bench.rounds, {name: side(name) for name in targets})
    middle = {name: {key: [age[key] for age in values[1:]] for key in ("p50", "p99", "max")} for name, values in ages.items()}
    text = {name: ", ".join(f"{key} {median(values) / 1000:.2f}" for key, values in keys.items()) + " ms" for name, keys in middle.items()}
    row = Row(f"publish → received, {STREAMS} streams, 10 % load", "p50 and p99 ahead of Nchan", text["toastd"], figures=middle)
    if missing:
        row.note = missing
    else:
        ratios = {key: ratio(middle["toastd"][key], middle["Nchan"][key]) for key in ("p50", "p99")}
        row.ratio = ", ".join(f"{key} {value:.2f} ×" for key, value in ratios.items())
        row.share = max(ratios.values())
        row.note = f"Nchan {text['Nchan']}"
    yield row

"""Fan-out: CPU per delivery at 2000 streams over SSE, WebSocket and long-poll, beside the C send loop and Nchan."""

import time
from contextlib import ExitStack

from harness.clients import Subscribers
from harness.measure import Row, interleave, ratio, spread
from harness.servers import Server, nchan_missing

STREAMS, EVENTS = 2000, 40
TARGETS = {"SSE": {"C loop": 1.05, "Nchan": 0.62}, "WebSocket": {"C loop": 1.05}, "long-poll": {}}
"""For WebSocket the C loop itself takes 0.69–0.81 × of what Nchan takes, so a ratio to Nchan is only told. A long-poll also
costs the reading and answering of a request, for which there is no yardstick but Nchan."""
TARGET_FILTERED = 1.05
TARGET_LANGUAGES = 1.03
# The texts have the same length, so that the languages are measured, not the bytes.
GREETINGS = {"en": "Good morning", "de": "Guten Morgen"}
TRANSPORTS = (("stream", "SSE", ()), ("socket", "WebSocket", ("--websocket",)), ("poll", "long-poll", ("--poll",)))


def spoken_side(stack: ExitStack, bench, languages: str) -> "Side":
    """A toastd with streams that use the languages of a list in turn, and a toast with a different text in each."""
    server = stack.enter_context(bench.servers.toastd("memory"))
    for language, text in GREETINGS.items():
        server.demand("PUT", f"/v1/catalogs/{language}", {"greeting": text})
    fill_screen(server, "fan")
    path = f"/v1/channels/fan/stream?language={languages}"
    subscribers = stack.enter_context(Subscribers(server, path, STREAMS, "--marker", "event: enqueued\n", channels=2))
    return Side(server, subscribers, "/v1/channels/fan/toasts", {"message": {"key": "greeting"}})


class Side:
    """A server with its attached streams; each call publishes a round's events and returns the CPU µs of a delivery."""

    def __init__(self, server: Server, subscribers: Subscribers, path: str, body: object) -> None:
        self.server, self.subscribers, self.path, self.body = server, subscribers, path, body

    def __call__(self, events: int = EVENTS) -> float:
        self.subscribers.reset()
        before = self.server.cpu()
        for sent in range(1, events + 1):
            self.server.demand("POST", self.path, self.body)
            # The next event waits until all streams have this one, because a slow client makes sends cheaper.
            self.subscribers.expect(sent)
        return (self.server.cpu() - before) / (events * self.subscribers.streams) * 1e6

    def frame_bytes(self) -> int:
        """The bytes of one event for one stream."""
        self(events=1)
        return self.subscribers.count()["bytes"] // self.subscribers.streams


def fill_screen(server: Server, channel: str) -> None:
    """Presents a toast that stays, so that from now on a POST is exactly one event: `enqueued`.

    A toast is only presented while there is an audience, so a stream is opened for a moment. This happens before any
    stream is counted, because its events could otherwise still be on their way when the counting begins.
    """
    server.demand("PATCH", f"/v1/channels/{channel}/settings", {"capacity": 10000})
    with Subscribers(server, f"/v1/channels/{channel}/stream", 1):
        server.demand("POST", f"/v1/channels/{channel}/toasts", {"message": "Stays", "duration": "indefinite"})
        until = time.monotonic() + 5
        while not server.demand("GET", f"/v1/channels/{channel}/toasts?state=presented")["toasts"]:
            if time.monotonic() > until:
                raise RuntimeError(f"nothing is presented on {channel}")
            time.sleep(0.05)


def toastd_side(
    stack: ExitStack, bench, kind: str, streams: int = STREAMS, flags: tuple[str, ...] = (), store: str = "memory",
    query: str = "",
) -> Side:
    """A separate toastd with `streams` on one channel; each POST delivers exactly one event to each of them."""
    server = stack.enter_context(bench.servers.toastd(store))
    path = f"/v1/channels/fan/{kind}{query}"
    marker = "event: enqueued\n" if kind == "stream" else '{"type":"enqueued"'
    fill_screen(server, "fan")
    subscribers = stack.enter_context(Subscribers(server, path, streams, "--marker", marker, *flags))
    return Side(server, subscribers, "/v1/channels/fan/toasts", {"message": "Deployed"})


def sendloop_side(stack: ExitStack, bench, size: int, streams: int = STREAMS) -> Side:
    server = stack.enter_context(bench.servers.yardstick("sendloop"))
    subscribers = stack.enter_context(Subscribers(server, "/", streams))
    return Side(server, subscribers, "/", b"data: " + b"x" * (size - 8) + b"\n\n")


def nchan_side(stack: ExitStack, bench, kind: str, size: int, flags: tuple[str, ...] = ()) -> Side:
    """Nchan, with a message whose frame has `size` bytes: a first event shows how many Nchan adds to a message."""
    server = stack.enter_context(bench.servers.nchan())
    probe = b"@" + b"x" * 99
    server.demand("POST", "/pub/fan", probe)
    path, marker = ("/poll/fan" if kind == "poll" else "/sub/fan"), ("\ndata:" if kind == "stream" else "@x")
    subscribers = stack.enter_context(Subscribers(server, path, STREAMS, "--marker", marker, *flags))
    side = Side(server, subscribers, "/pub/fan", probe)
    overhead = side.frame_bytes() - len(probe)
    side.body = b"@" + b"x" * (size - overhead - 1)
    return side


def rows(bench):
    missing = nchan_missing()
    for kind, name, flags in TRANSPORTS:
        with ExitStack() as stack:
            sides = {"toastd": toastd_side(stack, bench, kind, flags=flags)}
            if kind == "stream":
                sides["filtered"] = toastd_side(stack, bench, kind, flags=flags, query="?events=enqueued")
            size = sides["toastd"].frame_bytes()
            if kind != "poll":
                sides["C loop"] = sendloop_side(stack, bench, size)
            if not missing:
                sides["Nchan"] = nchan_side(stack, bench, kind, size, flags)
            results = interleave(bench.rounds, sides)
        ours, filtered = results.pop("toastd"), results.pop("filtered", None)
        ratios = {yardstick: ratio(ours, costs) for yardstick, costs in results.items()}
        limits = TARGETS[name]
        row = Row(f"fan-out, {name}, {STREAMS} streams", "", f"{spread(ours)} µs CPU a delivery")
        row.target = ", ".join(f"≤ {limit} × {yardstick}" for yardstick, limit in limits.items())
        row.ratio = ", ".join(f"{value:.2f} × {yardstick}" for yardstick, value in ratios.items())
        row.share = max((ratios[yardstick] / limit for yardstick, limit in limits.items() if yardstick in ratios), default=None)
        row.note = "; ".join([f"{size} bytes a frame"] + [f"{yardstick} {spread(costs)} µs" for yardstick, costs in results.items()])
        row.note += "; a delivery is an answer and the next request" if kind == "poll" else ""
        if missing:
            row.note += f"; {missing}"
            if "Nchan" in limits and row.share and row.share <= 1:
                row.share = None  # half a target is not met
        row.figures = {"toastd": ours, **results, "bytes": size}
        yield row
        if filtered:
            share = ratio(filtered, ours)
            yield Row(
                f"fan-out, SSE with ?events=, {STREAMS} streams", f"≤ {TARGET_FILTERED} × without", f"{spread(filtered)} µs CPU a delivery",
                f"{share:.2f} × without", share / TARGET_FILTERED, figures={"cpu_us": filtered},
            )
    with ExitStack() as stack:
        # `{n}`, 0 or 1 by the number of the stream, is the weight of German, so every second stream is in German.
        sides = {"one": spoken_side(stack, bench, "en;q=0.5"), "two": spoken_side(stack, bench, "en;q=0.5,de;q={n}")}
        # The second side in a round takes up to a quarter more, so both orders have the same number of rounds.
        results = interleave(max(24, 2 * bench.rounds), sides)
    share = sum(results["two"]) / sum(results["one"])
    yield Row(
        f"fan-out, SSE in two languages, {STREAMS} streams", f"≤ {TARGET_LANGUAGES} × one",
        f"{spread(results['two'])} µs CPU a delivery", f"{share:.2f} × one", share / TARGET_LANGUAGES,
        figures={"two_us": results["two"], "one_us": results["one"]},
    )

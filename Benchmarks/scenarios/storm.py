"""Connect storm: CPU per stream when 10,000 SSE streams come at once, each with 20 missed events."""

from statistics import median

from harness.clients import Subscribers
from harness.measure import Row, interleave, ratio, spread

from .fanout import fill_screen

STREAMS, EVENTS = 10000, 20
TARGET = 30.0


def rows(bench):
    with bench.servers.toastd("memory") as toastd, bench.servers.yardstick("sendloop") as sendloop:
        fill_screen(toastd, "storm")
        cursor = toastd.demand("GET", "/v1/channels/storm/toasts")["cursor"]
        for _ in range(EVENTS):
            toastd.demand("POST", "/v1/channels/storm/toasts", {"message": "Deployed"})
        replay = f"/v1/channels/storm/stream?since={cursor}"

        def side(server, path: str, events: int):
            def cost() -> float:
                before = server.cpu()
                with Subscribers(server, path, STREAMS, "--marker", "event: enqueued\n") as subscribers:
                    subscribers.expect(events)
                    spent = server.cpu() - before
                return spent / STREAMS * 1e6
            return cost

        results = interleave(bench.rounds, {
            "replay": side(toastd, replay, EVENTS),
            "fresh": side(toastd, "/v1/channels/storm/stream", 0),
            "C loop": side(sendloop, "/", 0),
        }, warm_up=False)
    costs = results["replay"]
    yield Row(
        f"connect storm, {STREAMS} streams, {EVENTS} events replayed", f"≤ {TARGET:.0f} µs", f"{spread(costs)} µs CPU a stream",
        f"{ratio(costs, results['C loop']):.2f} × C loop without replay", median(costs) / TARGET,
        note=f"without replay {spread(results['fresh'])} µs; C loop {spread(results['C loop'])} µs", figures=results,
    )

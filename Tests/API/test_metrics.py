"""The content of /metrics, also as Prometheus' own tools read it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_plain

from channel import Channel
from raw import PATIENCE, RawConnection
from streams import EventStream, Socket
from toastd import ROOT, Toastd
from waiting import until

OPENMETRICS = "application/openmetrics-text"


def scrape(url: str) -> dict[tuple[str, ...], float]:
    """The value of each sample, by its name followed by its labels as name=value."""
    samples = {}
    for family in read_plain(httpx.get(f"{url}/metrics").text):
        for sample in family.samples:
            samples[(sample.name, *(f"{name}={value}" for name, value in sorted(sample.labels.items())))] = sample.value
    return samples


def documented_metrics() -> tuple[list[str], list[str]]:
    """The documented metrics: of a single server with SQLite, and those that only a node of a cluster has."""
    before, after = (ROOT / "docs/observability.md").read_text().split("\n### Several nodes\n")
    of_nodes, rest = after.split("\n### ", 1)
    row = re.compile(r"^\| `((?:toastd|http|process)_[a-z_]+)", re.MULTILINE)
    return row.findall(before) + row.findall(rest), row.findall(of_nodes)


@pytest.fixture
def own(launch) -> Toastd:
    return launch("--loops", "2")


@pytest.fixture
def ops(own) -> Iterator[Channel]:
    channel = Channel(own.url, "ops")
    yield channel
    channel.close()


def test_promtool_has_no_complaint(server, channel):
    channel.publish()
    channel.patch({"id": "none"}, {})
    text = httpx.get(f"{server.url}/metrics").content
    verdict = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)
    assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, b"", b"")


def test_the_rules_of_the_documentation_are_rules():
    rules = ROOT / "docs" / "alerts.yaml"
    verdict = subprocess.run(["promtool", "check", "rules", str(rules)], capture_output=True, text=True, check=False)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr


def test_alerts_and_documentation_know_the_metrics_that_there_are(server, channel):
    channel.publish()
    text = httpx.get(f"{server.url}/metrics").text
    names = {family.name + ("_total" if family.type == "counter" else "") for family in read_plain(text)}
    names = {name for name in names if name.startswith(("toastd_", "http_", "process_"))}
    rows, of_nodes = documented_metrics()
    assert sorted(rows) == sorted(names)
    assert not set(of_nodes) & names
    used = set(re.findall(r"(?:toastd|http|process)_[a-z_]+", (ROOT / "docs/alerts.yaml").read_text()))
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in used} <= names


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (None, "text/plain"),
        ("*/*", "text/plain"),
        ("text/plain", "text/plain"),
        ("application/json", "text/plain"),
        (OPENMETRICS, OPENMETRICS),
        (f"{OPENMETRICS}; version=1.0.0; charset=utf-8", OPENMETRICS),
        (f"{OPENMETRICS};version=9.9.9,text/plain;q=0.1", "text/plain"),
        (f"text/plain;q=0.9,{OPENMETRICS};q=0.2", "text/plain"),
        (f"{OPENMETRICS};q=0,*/*", "text/plain"),
        # The `Accept` of Prometheus 2.42 and 3.0.
        (f"{OPENMETRICS};version=1.0.0,{OPENMETRICS};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5", OPENMETRICS),
        (
            f"{OPENMETRICS};version=1.0.0;escaping=allow-utf-8;q=0.5,{OPENMETRICS};version=0.0.1;q=0.4,"
            "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
            OPENMETRICS,
        ),
    ],
)
def test_readers_get_the_format_that_they_want(server, channel, accept, kind):
    channel.publish()
    with httpx.Client() as client:
        client.headers.pop("accept")
        response = client.get(f"{server.url}/metrics", headers={"Accept": accept} if accept else {})
    version = "1.0.0" if kind == OPENMETRICS else "0.0.4"
    assert response.headers["content-type"] == f"{kind}; version={version}; charset=utf-8"
    assert response.headers["vary"] == "Accept"
    families = list((read_openmetrics if kind == OPENMETRICS else read_plain)(response.text))
    assert len(families) > 30
    assert all(family.documentation and family.type != "unknown" for family in families)
    assert response.text.endswith("# EOF\n") == (kind == OPENMETRICS)


def test_each_step_of_a_toast_is_counted(own, ops):
    before = scrape(own.url)
    with EventStream(f"{own.url}{ops.path}/stream") as stream:
        stream.wait("snapshot")
        first = ops.publish("first")
        ops.publish("second")
        ops.publish("third")
        stream.count("enqueued", 3)
        at = scrape(own.url)
        assert at["toastd_toasts_published_total",] - before["toastd_toasts_published_total",] == 3
        assert at["toastd_toasts_presented_total",] == 1
        assert at["toastd_queue_wait_seconds_count",] == 1
        assert at["toastd_queue_depth",] == at["toastd_queue_depth_largest",] == 2
        assert at["toastd_channels_loaded",] == 1
        assert at["toastd_subscribers", "transport=sse"] == 1
        # The head with the snapshot, and the frames of four events.
        assert 2 <= at["toastd_stream_sent_frames_total",] <= 5
        assert at["toastd_stream_sent_bytes_total",] > 1000
        route = "route=/v1/channels/{channel}/toasts"
        assert at["http_server_request_duration_seconds_count", "method=POST", route, "status=2xx"] == 3
        ops.dismiss(first, "swipe")
        ops.http.delete(f"{ops.path}/toasts")
        stream.count("dismissed", 3)
    at = scrape(own.url)
    assert at["toastd_toasts_dismissed_total", "reason=swipe"] == 1
    assert at["toastd_toasts_dismissed_total", "reason=cleared"] == 2
    assert at["toastd_queue_depth",] == at["toastd_queue_depth_largest",] == 0


def test_the_depth_is_of_all_channels_and_of_the_largest(own):
    for name, count in (("a", 3), ("b", 5), ("c", 1)):
        channel = Channel(own.url, name)
        channel.post([{"message": str(number)} for number in range(count)])
        channel.close()
    at = scrape(own.url)
    # Without an audience all toasts stay queued.
    assert (at["toastd_queue_depth",], at["toastd_queue_depth_largest",]) == (9, 5)


def test_refused_toasts_are_counted_by_reason(own, ops):
    ops.configure(capacity=1)
    ops.publish("waits")
    assert ops.post({"message": "too many"}).status_code == 429
    ops.configure(mode="reject")
    assert ops.post({"message": "in the way"}).status_code == 409
    assert ops.post({}).status_code == 422
    at = scrape(own.url)
    assert at["toastd_toasts_dropped_total", "reason=queue-full"] == 1
    assert at["toastd_toasts_dropped_total", "reason=toast-already-presented"] == 1
    for problem in ("queue-full", "toast-already-presented", "invalid-toast"):
        assert at["toastd_problems_total", f"type={problem}"] == 1


def test_streams_are_counted_by_transport_and_by_how_they_began_and_ended(own, ops):
    ops.publish("something to resume from")
    cursor = ops.cursor()
    with EventStream(f"{own.url}{ops.path}/stream", since=cursor) as stream:
        stream.wait("resumed")
    with (
        EventStream(f"{own.url}{ops.path}/stream", since="0" * 8 + "-1") as stream,
        contextlib.suppress(AssertionError),
    ):
        stream.until(lambda events: events)
    with Socket(f"{own.url}{ops.path}/socket") as socket:
        socket.wait("snapshot")
        assert scrape(own.url)["toastd_subscribers", "transport=websocket"] == 1
    ops.poll(wait=0)
    until(lambda: scrape(own.url)["toastd_subscribers", "transport=sse"] == 0)
    until(lambda: scrape(own.url)["toastd_subscribers", "transport=websocket"] == 0)
    at = scrape(own.url)
    assert at["toastd_streams_opened_total", "transport=websocket"] == 1
    assert at["toastd_streams_closed_total", "reason=peer", "transport=websocket"] == 1
    assert at["toastd_streams_closed_total", "reason=answered", "transport=poll"] == 1
    assert at["toastd_resume_total", "outcome=resumed"] == 1
    assert at["toastd_resume_total", "outcome=fresh"] >= 2


def test_commits_are_timed(own, ops):
    for _ in range(5):
        ops.publish()
    at = scrape(own.url)
    assert at["toastd_store_commit_duration_seconds_count",] >= 5
    assert 0 < at["toastd_store_commit_duration_seconds_sum",] < 10
    assert at["toastd_store_commit_changes_sum",] >= 5
    assert at["toastd_store_commit_failures_total",] == 0


def test_values_from_clients_never_become_labels(own):
    with httpx.Client(base_url=own.url) as http, RawConnection(own.address) as raw:

        def visit(word: str) -> None:
            http.post(f"/v1/channels/{word}/toasts", json={"message": word})
            http.get(f"/v1/channels/{word}/toasts/{word}")
            http.get(f"/{word}/{word}")
            http.post(f"/{word}")
            http.request("DELETE", f"/v1/{word}")

        visit("first")
        raw.send(b"FIRST /first HTTP/1.1\r\nHost: a\r\n\r\n")
        raw.until_closed()
        until(
            lambda: (
                ("http_server_request_duration_seconds_count", "method=other", "route=refused", "status=4xx")
                in scrape(own.url)
            )
        )
        scrape(own.url)
        series = set(scrape(own.url))
        for number in range(20):
            visit(f"Wort-{number}")
            with RawConnection(own.address) as other:
                other.send(b"WORT%d /Wort HTTP/1.1\r\nHost: a\r\n\r\n" % number)
                other.until_closed()
        assert set(scrape(own.url)) == series
        assert "Wort" not in http.get("/metrics").text


def test_the_process_metrics_agree_with_the_system(own):
    at = scrape(own.url)
    assert abs(at["process_resident_memory_bytes",] - own.resident_bytes) < 20e6
    assert abs(at["process_open_fds",] - len(os.listdir(own.proc / "fd"))) <= 2
    limits = (own.proc / "limits").read_text()
    assert at["process_max_fds",] == int(re.search(r"Max open files\s+(\d+)", limits)[1])
    assert 0 < at["process_cpu_seconds_total",] < 60
    assert abs(at["process_start_time_seconds",] - time.time()) < 60
    version = subprocess.run([own.command[0], "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert at["toastd_build_info", f"version={version}"] == 1


class HeldThread:
    """A thread of another process that ptrace stops, as if it were blocked."""

    SEIZE, INTERRUPT, DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000

    def __init__(self, server: Toastd, name: str) -> None:
        tasks = (server.proc / "task").iterdir()
        self.thread = next(int(task.name) for task in tasks if (Path(task) / "comm").read_text().strip() == name)
        self.libc = ctypes.CDLL(None, use_errno=True)

    def call(self, request: int) -> None:
        if self.libc.ptrace(request, self.thread, None, None) != 0:
            raise OSError(ctypes.get_errno(), f"ptrace({request:#x})")

    def __enter__(self) -> HeldThread:
        self.call(self.SEIZE)
        self.call(self.INTERRUPT)
        assert self.libc.waitpid(self.thread, None, self.WALL) == self.thread
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self.DETACH)


def test_a_blocked_loop_is_noticed(own):
    assert scrape(own.url)["toastd_loop_stall_seconds", "loop=0"] == 0
    # Enough connections that both loops have some.
    connections = [RawConnection(own.address) for _ in range(16)]
    for connection in connections:
        connection.send(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.answer()[0] == 200

    def number(sample: str) -> float:
        """A metric, read through a connection of the other loop."""
        other.send(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        text = other.answer()[2].decode()
        return float(re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)[1])

    with HeldThread(own, "loop-0"):
        for connection in connections:
            connection.send(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        answered = select.select([connection.socket for connection in connections], [], [], PATIENCE)[0]
        assert answered, "no loop answers"
        other = next(connection for connection in connections if connection.socket is answered[0])
        assert other.answer()[0] == 200
        until(lambda: number('toastd_loop_stall_seconds{loop="0"}') > 1)
        until(lambda: number('toastd_loop_stalls_total{loop="0"}') == 1)
        assert number('toastd_loop_stall_seconds{loop="1"}') == 0
        until(lambda: number('toastd_loop_stall_seconds{loop="0"}') > 2)
    until(lambda: scrape(own.url)["toastd_loop_stall_seconds", "loop=0"] == 0)
    assert scrape(own.url)["toastd_loop_stalls_total", "loop=0"] == 1
    until(lambda: scrape(own.url)["toastd_loop_lag_seconds_sum", "loop=0"] > 2)
    told = [line for line in own.log if "does not come back" in line]
    assert len(told) == 1
    assert "level=warning" in told[0]
    assert "loop=loop-0" in told[0]
    for connection in connections:
        connection.socket.close()

"""Clients that do not read take a limited part of memory, are disconnected, and affect no other client."""

from __future__ import annotations

import os
import select
import socket
import statistics
import threading
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from raw import RawConnection
from streams import EventStream, Socket
from toastd import IS_INSTRUMENTED
from waiting import until

READERS = 200
ROUNDS = 400
FILLER = "m" * 4000


def stall(server, path: str = "/v1/channels/a/stream") -> RawConnection:
    """A stream whose client reads only the response head."""
    connection = RawConnection(server.address, receive_buffer=4096)
    connection.send(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: toastd\r\n\r\n")
    assert connection.answer(has_body=False)[0] == 200
    return connection


def publish(server, rounds: int) -> list[float]:
    """Posts toasts that end at once, and returns the seconds that each post took."""
    times = []
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.patch("/v1/channels/a/settings", json={"mode": "replaceAll"}).raise_for_status()
        for _ in range(rounds):
            started = time.perf_counter()
            client.post("/v1/channels/a/toasts", json={"message": FILLER}).raise_for_status()
            times.append(time.perf_counter() - started)
    return times


def slow_streams(server) -> int:
    for line in httpx.get(f"{server.url}/metrics").text.splitlines():
        if line.startswith("toastd_slow_consumer_disconnects_total"):
            return int(line.split()[-1])
    raise AssertionError("the metric is missing")


def test_stalled_readers_do_not_slow_publishers(launch):
    server = launch("--stall-timeout", "3600", store="memory")
    alone = publish(server, ROUNDS)
    with EventStream(f"{server.url}/v1/channels/a/stream") as live:
        live.wait("snapshot")
        before = server.resident_bytes
        readers = [stall(server) for _ in range(READERS)]
        crowded = publish(server, ROUNDS)
        last = live.wait("enqueued")
        live.count("enqueued", ROUNDS)
        grown = server.resident_bytes - before
        assert last and not live.is_over
        assert slow_streams(server) == READERS
        until(lambda: httpx.get(f"{server.url}/v1/channels/a").json()["audience"]["sse"] == 1)
    print(f"\n{READERS} stalled readers: {grown / 2**20:.1f} MiB, medians", end=" ")
    print(f"{statistics.median(alone) * 1e3:.2f} ms alone, {statistics.median(crowded) * 1e3:.2f} ms with them")
    # 1 MiB may wait for each reader, but all share it: 200 readers must not cost 200 MiB.
    assert grown < 60 * 2**20 or IS_INSTRUMENTED
    # Medians of a debug build on a busy machine; Benchmarks/scenarios/stalled.py measures precisely.
    assert statistics.median(crowded) < 5 * statistics.median(alone) + 0.02
    # A reader that continues gets complete events, and then the time after which to reconnect.
    for reader in readers[:5]:
        text = reader.until_closed().decode()
        assert text.endswith("\n\n")
        assert text.rstrip("\n").rsplit("\n", 1)[-1].startswith("retry: ")
        assert all(line.startswith(("id: ", "event: ", "data: ", "retry: ", ":")) for line in text.split("\n") if line)
    for reader in readers:
        reader.socket.close()


def test_a_socket_that_does_not_read_is_told_to_try_again(launch):
    # With a long timeout, so that only the waiting data can end the socket.
    server = launch("--stall-timeout", "3600", store="memory")
    address = f"{server.url}/v1/channels/a/socket".replace("http", "ws", 1)
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(server.address)
    # A queue of one message stops the thread of the client library that would read on.
    with connect(address, sock=raw, subprotocols=["toastd.v1"], ping_interval=None, max_queue=1) as ws:
        publish(server, ROUNDS)
        assert slow_streams(server) == 1
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                ws.recv(60)
        assert closed.value.rcvd.code == 1013


def test_a_stalled_reader_with_little_waiting_data_is_timed_out(launch):
    """A stream that stalls with less waiting data than the limit is ended by a timeout."""
    server = launch("--stall-timeout", "1", store="memory")
    reader = stall(server)
    # 180 events and at most half a MiB: less than the limit.
    publish(server, 60)
    deadline = time.monotonic() + 60
    while slow_streams(server) == 0:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with pytest.raises(ConnectionResetError):
        reader.until_closed()


@pytest.mark.soak
def test_the_kernel_does_not_end_a_stalled_reader_before_the_timeout(launch):
    server = launch("--stall-timeout", "40", store="memory")
    started = time.monotonic()
    reader = stall(server)
    publish(server, 60)
    # The poll notices the end of the connection without reading.
    gone = select.poll()
    gone.register(reader.socket, 0)
    assert gone.poll(120_000)
    assert time.monotonic() - started > 40
    assert slow_streams(server) == 1


def test_a_peer_that_answers_no_ping_is_gone(launch):
    server = launch("--ping-interval", "1", store="memory")
    with Socket(f"{server.url}/v1/channels/a/socket") as live, RawConnection(server.address) as dead:
        live.wait("snapshot")
        dead.send(
            b"GET /v1/channels/a/socket HTTP/1.1\r\nHost: toastd\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert dead.answer(has_body=False)[0] == 101
        started = time.monotonic()
        assert dead.until_closed().count(b"\x89\x00") == 2
        assert 1 < time.monotonic() - started < 30
        assert not live.is_over
        # The server leaves the audience a moment after it closes the connection.
        until(lambda: httpx.get(f"{server.url}/v1/channels/a").json()["audience"]["websocket"] == 1)


def test_a_stream_of_the_maximum_age_ends_and_resumes(launch):
    server = launch("--stream-age", "2", store="memory")
    with (
        EventStream(f"{server.url}/v1/channels/a/stream") as stream,
        Socket(f"{server.url}/v1/channels/a/socket") as ws,
    ):
        stream.wait("snapshot")
        ws.wait("snapshot")
        stream.over()
        ws.over()
        assert stream.error is None
        assert ws.connection.close_code == 1001


def test_comments_are_sent_at_the_configured_interval(launch):
    server = launch("--comment-interval", "1", store="memory")
    stream = stall(server)
    deadline = time.monotonic() + 60
    text = b""
    while text.count(b"\n:\n") < 3:
        assert time.monotonic() < deadline
        text += stream.socket.recv(4096)


def test_thousands_of_frames_cannot_hide_in_one_message(launch):
    server = launch(store="memory")
    with RawConnection(server.address) as ws:
        ws.send(
            b"GET /v1/channels/a/socket HTTP/1.1\r\nHost: toastd\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert ws.answer(has_body=False)[0] == 101
        before = server.resident_bytes
        # A text frame without FIN, and continuations without FIN, all empty and masked with zeros.
        ws.send(b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 100_000)
        assert ws.until_closed()[-4:] == b"\x88\x02\x03\xf0"
        assert server.resident_bytes - before < 2**24 or IS_INSTRUMENTED


def test_streams_that_end_leave_nothing_behind(launch):
    server = launch(store="memory")

    def sockets() -> int:
        # Only sockets, because the runtime opens other descriptors, such as timers, when it first needs them.
        return sum(is_socket(link) for link in (server.proc / "fd").iterdir())

    def is_socket(link: Path) -> bool:
        try:
            return os.readlink(link).startswith("socket:")
        except FileNotFoundError:
            # The descriptor was closed after it was listed.
            return False

    before = sockets()

    def visit() -> None:
        for _ in range(20):
            stall(server).socket.close()

    visitors = [threading.Thread(target=visit) for _ in range(5)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    deadline = time.monotonic() + 60
    while sockets() > before:
        assert time.monotonic() < deadline
        time.sleep(0.05)

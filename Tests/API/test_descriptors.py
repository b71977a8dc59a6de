"""A server without free descriptors pauses: existing connections continue, and no loop spins."""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import socket
import time

import httpx
import pytest

from raw import PATIENCE, RawConnection
from toastd import Toastd
from waiting import wait_for_log

POST = b'POST /v1/channels/ops/toasts HTTP/1.1\r\nHost: a\r\nContent-Length: 15\r\n\r\n{"message":"m"}'
ASK = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
LISTEN = b"GET /v1/channels/ops/stream HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def server(launch) -> Toastd:
    return launch("--loops", "1", store="memory")


def limit_descriptors(server: Toastd, spare: int | None) -> None:
    """Lets the process open only `spare` more descriptors; None removes this limit. The kernel limits the number of a
    descriptor, and a new one gets the lowest free number.
    """
    pid, kind = server.process.pid, resource.RLIMIT_NOFILE
    _, hard = resource.prlimit(pid, kind)
    taken = {int(name) for name in os.listdir(server.proc / "fd")}
    free = (number for number in itertools.count() if number not in taken)
    resource.prlimit(pid, kind, (hard if spare is None else next(itertools.islice(free, spare, None)), hard))


def cpu_seconds(server: Toastd) -> float:
    fields = (server.proc / "stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_connections(server: Toastd, count: int, words: bytes = b"") -> list[socket.socket]:
    """Connections in the kernel's accept queue; the server may or may not accept them."""
    connections = []
    for _ in range(count):
        connections.append(socket.create_connection(server.address, timeout=PATIENCE))
        connections[-1].sendall(words)
    return connections


def close(connections: list[socket.socket]) -> None:
    for connection in connections:
        connection.close()


def answers(server: Toastd, within: float) -> bool:
    """Whether a new connection is served within so many seconds."""
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{server.url}/livez", timeout=within).status_code == 200
    return False


def test_accepting_pauses_and_goes_on(server):
    with RawConnection(server.address) as friend:
        friend.send(POST)
        assert friend.answer()[0] == 201
        limit_descriptors(server, 10)
        crowd = open_connections(server, 30)
        wait_for_log(server, "accepting pauses")
        assert not answers(server, within=0.5)

        before = cpu_seconds(server)
        # A loop that retries without a pause would use nearly two seconds of CPU time.
        time.sleep(2)
        assert cpu_seconds(server) - before < 0.5
        # Existing connections are served.
        for _ in range(3):
            friend.send(POST)
            assert friend.answer()[0] == 201

        close(crowd)
        assert answers(server, within=60)
        friend.send(POST)
        assert friend.answer()[0] == 201
    metrics = httpx.get(f"{server.url}/metrics").text
    pauses = float(
        next(line.split()[1] for line in metrics.splitlines() if line.startswith("toastd_accept_pauses_total "))
    )
    assert 1 <= pauses < 100


def test_a_server_whose_descriptors_are_all_streams_does_not_spin(server):
    # The HTTP library does not count streams as connections, so it would retry to accept without end.
    streams = open_connections(server, 30, LISTEN)
    for stream in streams:
        assert stream.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
    # Waits until the number of descriptors no longer changes: then the library has closed its own.
    settled, last = 0, -1
    while settled < 20:
        time.sleep(0.01)
        now = len(os.listdir(server.proc / "fd"))
        settled, last = (settled + 1, last) if now == last else (0, now)
    limit_descriptors(server, 0)
    crowd = open_connections(server, 3, LISTEN)
    wait_for_log(server, "accepting pauses")
    before = cpu_seconds(server)
    time.sleep(2)
    assert cpu_seconds(server) - before < 0.5
    assert server.process.poll() is None
    close(streams + crowd)
    limit_descriptors(server, None)
    assert answers(server, within=60)
    assert httpx.post(f"{server.url}/v1/channels/ops/toasts", json={"message": "m"}).status_code == 201


def test_a_refused_stream_is_told_when_to_reconnect(server):
    streams = open_connections(server, 8, ASK)
    for stream in streams:
        assert stream.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
    # A stream needs a second descriptor until the library closes that of the connection, and none is free at first.
    limit_descriptors(server, 0)
    for stream in streams:
        stream.sendall(LISTEN)
    refused = [text for text in map(beginning, streams) if b"event: snapshot" not in text]
    assert refused
    for text in refused:
        assert text.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"retry: " in text
    close(streams)


def beginning(stream: socket.socket) -> bytes:
    """The bytes of a stream up to its snapshot, or up to its end."""
    text = b""
    while b"event: snapshot" not in text and (more := stream.recv(65536)):
        text += more
    return text


def test_a_server_with_few_descriptors_serves(tmp_path):
    server = Toastd(tmp_path, "--loops", "1", store="memory")
    server.command = ["prlimit", "--nofile=64:64", *server.command]
    with server:
        crowd = open_connections(server, 100, LISTEN)
        told = 0
        for stream in crowd:
            told += stream.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
        # Each client has a stream, or was told when to reconnect.
        assert told == 100
        refused = httpx.get(f"{server.url}/v1/channels/ops/poll")
        assert (refused.status_code, refused.json()["type"]) == (503, "urn:toastd:problem:too-many-streams")
        close(crowd)
        assert answers(server, within=60)

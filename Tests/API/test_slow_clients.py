"""Clients that send or read slowly hold a connection no longer than its deadline, and affect no other client."""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from raw import RawConnection
from toastd import Toastd

HOST = b"Host: toastd\r\n"
# Seconds: the timeouts of these servers, and how much later they may act.
LIMIT, GRACE = 1, 20


@pytest.fixture
def server(launch) -> Toastd:
    return launch("--request-timeout", str(LIMIT), "--idle-timeout", str(LIMIT), store="memory")


def time_until_closed(connection: RawConnection, started: float, drip: Callable[[], None]) -> float:
    """The seconds from `started`, before the connection was opened, until the server closes it."""
    connection.socket.settimeout(0.2)
    while time.monotonic() - started < LIMIT + GRACE:
        try:
            drip()
            if connection.socket.recv(65536) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - started


HEADS = [b"", b"GET /", b"GET /livez HTTP/1.1\r\n", b"GET /livez HTTP/1.1\r\n" + HOST + b"X: "]
POST = b"POST /v1/channels/a/toasts HTTP/1.1\r\n" + HOST
DRIPS = [
    *((head, b"a") for head in HEADS),
    (POST + b"Content-Length: 60000\r\n\r\n", b"a"),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    # A complete request, and then nothing.
    (b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n", b""),
]


def test_a_request_has_to_come_in_time(server):
    """Heads and bodies that arrive a byte at a time, and no request at all."""

    def hold(first: bytes, drop: bytes) -> float:
        started = time.monotonic()
        with RawConnection(server.address) as connection:
            connection.send(first)
            if not drop:
                assert connection.answer()[0] == 200
            return time_until_closed(connection, started, lambda: connection.socket.sendall(drop))

    with ThreadPoolExecutor(len(DRIPS)) as pool:
        times = list(pool.map(lambda drip: hold(*drip), DRIPS))
    assert all(LIMIT - 0.5 < elapsed < LIMIT + GRACE for elapsed in times), times


def test_an_answer_has_to_be_read_in_time(server):
    """A client reads a few bytes at a time of a response that is larger than the socket buffers of both ends."""
    with httpx.Client(base_url=server.url) as client:
        client.patch("/v1/channels/a/settings", json={"capacity": 10_000}).raise_for_status()
        for _ in range(60):
            batch = [{"message": "m" * 500}] * 100
            client.post("/v1/channels/a/toasts", json=batch, headers={"Prefer": "return=minimal"}).raise_for_status()
    with RawConnection(server.address, receive_buffer=4096) as connection:
        started = time.monotonic()
        connection.send(b"GET /v1/channels/a/toasts HTTP/1.1\r\n" + HOST + b"\r\n")
        assert connection.socket.recv(256)
        with pytest.raises(ConnectionResetError):
            while connection.socket.recv(256):
                assert time.monotonic() - started < LIMIT + GRACE
                time.sleep(0.05)
        assert time.monotonic() - started > LIMIT - 0.5


def test_a_client_that_waits_for_the_server_has_no_deadline(server):
    """The timeouts do not apply to a client that waits for a delayed response, or reads a stream."""
    with RawConnection(server.address) as stream:
        stream.send(b"GET /v1/channels/a/stream HTTP/1.1\r\n" + HOST + b"\r\n")
        stream.answer(has_body=False)
        started = time.monotonic()
        answer = httpx.post(
            f"{server.url}/v1/channels/a/toasts",
            json={"message": "m", "duration": "indefinite"},
            headers={"Prefer": "wait=3"},
            timeout=20,
        )
        assert (answer.status_code, time.monotonic() - started > LIMIT + 1) == (202, True)
        stream.send(b"x")
        httpx.post(f"{server.url}/v1/channels/a/toasts", json={"message": "afterwards"}).raise_for_status()
        text = b""
        while b"afterwards" not in text:
            part = stream.socket.recv(65536)
            assert part, text
            text += part


def test_others_are_served_meanwhile(server):
    crowd = [socket.create_connection(server.address) for _ in range(200)]
    try:
        for connection in crowd:
            connection.sendall(b"GET /livez HTTP/1.1\r\n" + HOST + b"X: ")
        with httpx.Client(base_url=server.url) as client:
            times = []
            for _ in range(50):
                started = time.monotonic()
                assert client.get("/livez").status_code == 200
                times.append(time.monotonic() - started)
        # A client that had to wait for one of the crowd would wait until its timeout.
        assert sorted(times)[25] < LIMIT / 2
        for connection in crowd:
            connection.settimeout(LIMIT + GRACE)
            with contextlib.suppress(ConnectionResetError):
                assert connection.recv(100) == b""
    finally:
        for connection in crowd:
            connection.close()


@pytest.mark.soak
@pytest.mark.parametrize(
    "mode",
    [["-H"], ["-B"], ["-X", "-w", "10", "-y", "20", "-n", "3", "-z", "32"], ["-R"]],
    ids=["slow heads", "slow bodies", "slow readers", "ranges"],
)
def test_slowhttptest_finds_the_server_up(launch, mode, tmp_path):
    assert shutil.which("slowhttptest"), "apt-get install slowhttptest"
    server = launch("--request-timeout", "5", "--idle-timeout", "5", store="memory")
    url = f"{server.url}/openapi.yaml" if mode[0] == "-X" else f"{server.url}/v1/channels/a/toasts"
    verb = ["-t", "POST"] if mode[0] == "-B" else []
    command = ["slowhttptest", *mode, *verb, "-c", "1000", "-r", "500", "-i", "2", "-l", "20", "-p", "3", "-u", url]
    run = subprocess.run(command, capture_output=True, text=True, timeout=90, cwd=tmp_path)
    text = re.sub(r"\x1b\[[0-9;]*m", "", run.stdout)
    states = re.findall(r"service available:\s+(\w+)", text)
    print("\n".join(text.splitlines()[-12:]))
    assert states and set(states) == {"YES"}
    deadline = time.monotonic() + 15
    while len(list((server.proc / "fd").iterdir())) > 60:
        assert time.monotonic() < deadline, "connections are still open"
        time.sleep(0.1)

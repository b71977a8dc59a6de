"""The number of connections of one address, apart from streams, is limited."""

from __future__ import annotations

import json
import re
import socket
import struct

import httpx

from limits import counted, counted_as
from raw import PATIENCE, RawConnection
from toastd import IS_INSTRUMENTED, Toastd
from waiting import until

REQUEST = b"GET /livez HTTP/1.1\r\nHost: toastd\r\n\r\n"
LIMIT = 8


class Place(RawConnection):
    """A connection from a chosen address of this machine."""

    def __init__(self, server: Toastd, address: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(server.address, timeout=PATIENCE, source_address=(address, 0))
        self.rest = b""

    def asks(self) -> int:
        self.send(REQUEST)
        return self.answer()[0]


def connections(server: Toastd) -> int:
    # This connection is accepted after all earlier ones, so all of them are counted.
    text = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
    return int(re.search(r"^toastd_connections (\d+)", text, re.MULTILINE)[1])


def test_one_address_cannot_hold_all_connections(launch):
    server = launch("--max-connections-per-source", str(LIMIT), "--loops", "2", store="memory")
    held = [Place(server, "127.0.0.2") for _ in range(LIMIT)]
    assert [place.asks() for place in held] == [200] * LIMIT
    refused = Place(server, "127.0.0.2")
    # Any request gets the reason, and the connection is closed.
    refused.send(REQUEST)
    status, headers, body = refused.answer()
    assert (status, headers["connection"], headers["content-type"]) == (429, "close", "application/problem+json")
    assert json.loads(body)["type"] == "urn:toastd:problem:too-many-connections-from-source"
    assert int(headers["retry-after"]) > 0 and headers["x-request-id"]
    assert refused.until_closed() == b""
    # Existing connections continue, and other addresses can connect.
    assert [place.asks() for place in held] == [200] * LIMIT
    others = [Place(server, f"127.0.0.{number}") for number in (3, 4, 5)]
    assert [place.asks() for place in others] == [200] * 3
    assert counted_as(server, "toastd_connections_refused_total") == 1
    assert counted(server, "too-many-connections-from-source") == 1
    # A closed connection makes room.
    held.pop().socket.close()

    def comes_in() -> bool:
        held.append(Place(server, "127.0.0.2"))
        return held[-1].asks() == 200

    until(comes_in)
    for place in held + others + [refused]:
        place.socket.close()


def test_connections_that_come_at_once_are_each_counted_once(launch):
    server = launch("--max-connections-per-source", "16", "--loops", "1", store="memory")
    places = [Place(server, "127.0.0.2") for _ in range(30)]
    # While the server stands still, the connections wait in the kernel, so that it then accepts them together.
    server.pause()
    for place in places:
        place.send(REQUEST)
    server.resume()
    answers = [place.answer()[0] for place in places]
    assert (answers.count(200), answers.count(429)) == (16, 14)


def test_streams_are_no_connections(launch):
    server = launch("--max-connections-per-source", "2", "--loops", "1", store="memory")
    streams = []
    for _ in range(6):
        streams.append(Place(server, "127.0.0.2"))
        streams[-1].send(b"GET /v1/channels/a/stream HTTP/1.1\r\nHost: toastd\r\n\r\n")
        assert streams[-1].answer(has_body=False)[0] == 200
    assert Place(server, "127.0.0.2").asks() == 200
    for stream in streams:
        stream.socket.close()


def test_a_connection_counts_again_after_a_long_poll(launch):
    """A long-poll leaves the library and returns after its response."""
    server = launch("--max-connections-per-source", "2", "--loops", "1", store="memory")
    polls = [Place(server, "127.0.0.2") for _ in range(2)]
    for poll in polls:
        poll.send(b"GET /v1/channels/a/poll?wait=60&events=presented HTTP/1.1\r\nHost: toastd\r\n\r\n")
        cursor = json.loads(poll.answer()[2])["cursor"]
        target = f"/v1/channels/a/poll?wait=60&events=presented&since={cursor}"
        poll.send(f"GET {target} HTTP/1.1\r\nHost: toastd\r\n\r\n".encode())
    until(lambda: httpx.get(f"{server.url}/v1/channels/a").json()["audience"]["poll"] == 2)
    httpx.post(f"{server.url}/v1/channels/a/toasts", json={"message": "m"}).raise_for_status()
    assert [poll.answer()[0] for poll in polls] == [200, 200]
    assert [poll.asks() for poll in polls] == [200, 200]
    assert Place(server, "127.0.0.2").asks() == 429
    for poll in polls:
        poll.socket.close()
    until(lambda: Place(server, "127.0.0.2").asks() == 200)


def test_the_connections_of_a_trusted_proxy_are_not_limited(launch):
    options = ("--max-connections-per-source", "2", "--trusted-proxies", "127.0.0.2")
    server = launch(*options, store="memory")
    proxied = [Place(server, "127.0.0.2") for _ in range(10)]
    assert [place.asks() for place in proxied] == [200] * 10
    strangers = [Place(server, "127.0.0.3") for _ in range(2)]
    assert [place.asks() for place in strangers] == [200, 200]
    assert Place(server, "127.0.0.3").asks() == 429


def test_connections_of_this_machine_are_not_limited_by_default(launch):
    server = launch("--max-connections", "64", "--loops", "1", store="memory")
    held = [Place(server) for _ in range(40)]
    assert [place.asks() for place in held] == [200] * 40
    assert connections(server) >= 40


def test_without_a_limit_all_connections_are_served(launch):
    server = launch("--max-connections-per-source", "0", store="memory")
    held = [Place(server) for _ in range(40)]
    assert [place.asks() for place in held] == [200] * 40


def test_the_memory_of_many_reset_connections_is_given_back(launch):
    """Incomplete heads and bodies, and streams, all of them reset: the heap returns their memory."""
    server = launch("--max-connections", "4000", "--loops", "2", store="memory")
    fill = b"X: " + b"a" * 15_000 + b"\r\n"
    starts = [
        REQUEST[:-2] + fill,
        REQUEST[:-2] + fill + b"\r\n",
        b"POST /v1/channels/a/toasts HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + b"x" * 30_000,
        b"GET /v1/channels/a/stream HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    before = server.resident_bytes
    for _ in range(2):
        storm = []
        for number in range(2000):
            storm.append(Place(server))
            storm[-1].send(starts[number % len(starts)])
        until(lambda: connections(server) > 500)
        for place in storm:
            place.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            place.socket.close()
        until(lambda: connections(server) < 10)
    if not IS_INSTRUMENTED:
        # Some 11 MiB are in use or code. Up to 16 MiB of free heap stay, if the server last returned memory while the
        # connections were being reset. At the peak it has 60 to 70 MiB more than before.
        until(lambda: server.resident_bytes < before + 28 * 1024 * 1024)

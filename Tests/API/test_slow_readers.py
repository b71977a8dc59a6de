"""Slow readers get all that was sent to them, also when the server ends their connections."""

from __future__ import annotations

import json
import re
import threading

import httpx

from raw import RawConnection
from toastd import Toastd

BATCH = json.dumps([{"message": "x" * 550}] * 100).encode()


def connect(server: Toastd) -> RawConnection:
    """A client with small buffers and segments, as on a slow network."""
    return RawConnection(server.address, receive_buffer=8192, segment=1400)


def test_a_stop_waits_until_long_responses_are_sent(launch):
    server = launch(store="memory")
    with connect(server) as client:
        client.send(b"GET /openapi.json HTTP/1.1\r\nHost: toastd\r\n\r\n")
        client.rest = client.socket.recv(1)
        server.tell_to_stop()
        # In two seconds a server that did not wait for its readers would end; one that waits does so for longer.
        threading.Event().wait(2)
        status, headers, body = client.answer()
        assert (status, len(body)) == (200, int(headers["content-length"]))
        assert json.loads(body)["openapi"]
    server.stop()


def test_a_stop_does_not_wait_for_a_client_that_reads_nothing(launch):
    server = launch(store="memory")
    with connect(server) as client:
        client.send(b"GET /openapi.json HTTP/1.1\r\nHost: toastd\r\n\r\n")
        client.socket.recv(1)
        server.stop()


def test_the_last_response_of_a_connection_waits_for_its_reader(launch):
    """The server ends the connection after a request with a chunked body."""
    server = launch(store="memory")
    with connect(server) as client:
        head = b"POST /v1/channels/a/toasts HTTP/1.1\r\nHost: toastd\r\nContent-Type: application/json\r\n"
        client.send(head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(BATCH) + BATCH + b"\r\n0\r\n\r\n")
        client.rest = client.socket.recv(1)
        # Longer than a peer that has read everything may take to close its half of the connection.
        threading.Event().wait(3)
        status, _, body = client.answer()
        assert (status, len(json.loads(body)["toasts"])) == (201, 100)


def test_a_stream_that_is_ended_has_no_gap(launch):
    """A client resumes after the last event that it got, so it would never get an event that was left out before."""
    server = launch("--max-backlog-bytes", "8388608", "--max-backlog-frames", "10000", store="memory")
    with connect(server) as client, httpx.Client(base_url=f"{server.url}/v1/channels/a") as publisher:
        client.send(b"GET /v1/channels/a/stream HTTP/1.1\r\nHost: toastd\r\n\r\n")
        assert client.answer(has_body=False)[0] == 200
        for number in range(84):
            publisher.post("/toasts", json={"message": "\N{GRINNING FACE}" * 4000}).raise_for_status()
            if number >= 64:
                publisher.post("/toasts", json={"message": "small"}).raise_for_status()
        cursor = httpx.get(f"{server.url}/v1/channels/a").json()["cursor"]
        server.tell_to_stop()
        text = client.until_closed().decode()
    offsets = [int(offset) for offset in re.findall(r"^id: \w+-(\d+)$", text, re.MULTILINE)]
    assert offsets == list(range(int(cursor.split("-")[1]) + 1))
    assert "event: shutdown" in text
    server.stop()

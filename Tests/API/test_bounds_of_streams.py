"""Limits on data that waits for a peer: each is reached on a running server, reported, and affects no other peer."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable

import httpx
import pytest

from limits import counted_as, post
from raw import RawConnection
from receiver import Delivery, Receiver
from streams import EventStream, Socket
from toastd import Toastd
from waiting import until

Launch = Callable[..., Toastd]

HANDSHAKE = (
    b"GET /v1/channels/ops/socket HTTP/1.1\r\nHost: toastd\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
SLOW = "toastd_slow_consumer_disconnects_total"
FILLER = {"message": "m" * 4000}

# Data that waits for a stream


def stall(server: Toastd) -> RawConnection:
    """An event stream whose client reads only the response head."""
    reader = RawConnection(server.address, receive_buffer=4096)
    reader.send(b"GET /v1/channels/ops/stream HTTP/1.1\r\nHost: toastd\r\n\r\n")
    assert reader.answer(has_body=False)[0] == 200
    return reader


def replace_all(server: Toastd) -> None:
    """Lets each toast end at once, by the next one, so that many fit into a channel."""
    path = f"{server.url}/v1/channels/ops/settings"
    assert httpx.patch(path, json={"mode": "replaceAll"}).status_code == 200


@pytest.mark.parametrize(
    "bound",
    [
        ("--max-backlog-frames", "16", "--max-backlog-bytes", "67108864"),
        ("--max-backlog-bytes", "65536", "--max-backlog-frames", "65536"),
    ],
)
def test_the_data_that_waits_for_a_stream_is_limited(launch: Launch, bound: tuple[str, ...]) -> None:
    # With a long timeout, so that only the waiting data can end the stream.
    server = launch(*bound, "--stall-timeout", "3600", store="memory")
    replace_all(server)
    with EventStream(f"{server.url}/v1/channels/ops/stream") as live, stall(server) as reader:
        live.wait("snapshot")
        rounds = next(
            count
            for count in itertools.count(1)
            if post(server, FILLER).status_code == 201 and counted_as(server, SLOW) == 1
        )
        # A disconnected client can read complete frames and is told when to reconnect; others are not affected.
        assert re.search(r"\n\nretry: \d+\n\n$", reader.until_closed().decode())
        live.count("enqueued", rounds)
        assert post(server).status_code == 201
        live.count("enqueued", rounds + 1)
        assert not live.is_over
    assert counted_as(server, 'toastd_streams_closed_total{transport="sse",reason="slow"}') == 1
    # By default more data may wait.
    usual = launch("--stall-timeout", "3600", store="memory")
    replace_all(usual)
    with stall(usual):
        for _ in range(rounds):
            assert post(usual, FILLER).status_code == 201
        assert counted_as(usual, SLOW) == 0


# Commands that wait on a socket


def frames(*commands: dict) -> bytes:
    """Commands as WebSocket text frames, with a masking key of zeros."""
    texts = [json.dumps(command).encode() for command in commands]
    assert all(len(text) < 126 for text in texts)
    return b"".join(b"\x81" + bytes([0x80 | len(text)]) + bytes(4) + text for text in texts)


def test_the_waiting_commands_of_a_socket_are_limited(launch: Launch) -> None:
    server = launch("--max-commands", "2", store="memory")
    commands = [{"ref": number, "command": "publish", "toast": {"message": "x"}} for number in range(3)]
    with Socket(f"{server.url}/v1/channels/ops/socket") as other, RawConnection(server.address) as greedy:
        other.wait("snapshot")
        greedy.send(HANDSHAKE)
        assert greedy.answer(has_body=False)[0] == 101
        # In one TCP segment, so that the server reads all commands at once.
        greedy.send(frames(*commands))
        assert greedy.until_closed().endswith(b"\x88\x1b\x03\xf0too many commands at once")
        assert counted_as(server, 'toastd_streams_closed_total{transport="websocket",reason="refused"}') == 1
        # None of the excess is carried out; other sockets continue, and the maximum number of commands is answered.
        assert httpx.get(f"{server.url}/v1/channels/ops/toasts").json()["toasts"] == []
        assert other.send(command="publish", toast={"message": "y"})["type"] == "ack"
        with RawConnection(server.address) as modest:
            modest.send(HANDSHAKE)
            assert modest.answer(has_body=False)[0] == 101
            modest.send(frames(*commands[:2]))
            while modest.rest.count(b'"type":"ack"') < 2:
                data = modest.socket.recv(65_536)
                assert data, modest.rest
                modest.rest += data
        assert other.send(command="publish", toast={"message": "z"})["type"] == "ack"


# Deliveries that wait for a webhook


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def test_the_waiting_deliveries_of_a_webhook_are_limited(launch: Launch, receiver: Receiver) -> None:
    flags = ("--max-deliveries", "3", "--webhook-allow", "127.0.0.0/8", "--webhook-retry-seconds", "0.2")
    server = launch(*flags)
    taken: list[Delivery] = []
    is_down = True

    def answer(delivery: Delivery) -> int:
        if delivery.path == "/bad" and is_down:
            return 503
        taken.append(delivery)
        return 204

    receiver.answer = answer
    hooks = [{"url": receiver.url(path), "events": ["enqueued"]} for path in ("/bad", "/good")]
    settings = f"{server.url}/v1/channels/ops/settings"
    assert httpx.patch(settings, json={"webhooks": hooks}).status_code == 200

    def ids(path: str) -> list[str]:
        return [d.event["data"]["toast"]["id"] for d in list(taken) if d.path == path]

    toasts = []
    for number in range(1, 7):
        toasts.append(post(server, {"message": f"{number}"}).json()["id"])
        # A receiver that accepts its deliveries never exceeds the limit.
        until(lambda: ids("/good") == toasts)
    # The oldest deliveries are given up, and only those for the receiver that accepts none.
    assert counted_as(server, "toastd_webhook_given_up_total") == 3
    assert ids("/bad") == []
    is_down = False
    until(lambda: len(ids("/bad")) == 3)
    until(lambda: counted_as(server, "toastd_webhook_delivered_total") == 9)
    assert sorted(ids("/bad")) == sorted(toasts[3:])
    assert counted_as(server, "toastd_webhook_given_up_total") == 3

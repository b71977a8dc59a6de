"""After a delayed response the connection stays open: the next request is answered as usual, and nothing is lost."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator

import pytest

from channel import Channel
from raw import RawConnection
from test_descriptors import cpu_seconds
from toastd import Toastd
from waiting import until

HOST = b"Host: toastd\r\n"
JSON = b"Content-Type: application/json\r\n"
BODY = b'{"message":"from the connection"}'
IN_VAIN = 60


class Caller(RawConnection):
    """A connection that sends long-polls, whose responses are delayed."""

    def __init__(self, home: House, receive_buffer: int | None = None) -> None:
        super().__init__(home.server.address, receive_buffer)
        self.home = home
        self.channel = home.channel
        self.path = home.channel.path.encode()

    def ask(self, before: bytes = b"", fields: bytes = b"", version: bytes = b"1.1", behind: bytes = b"") -> None:
        """Sends a long-poll, and returns when the server has it waiting."""
        target = self.path + b"/poll?wait=60&events=enqueued&since=" + self.channel.cursor().encode()
        self.send(before + b"GET " + target + b" HTTP/" + version + b"\r\n" + HOST + fields + b"\r\n" + behind)
        self.home.waiting += 1
        until(lambda: self.home.polls() == self.home.waiting)

    def hear(self, message: str) -> dict[str, str]:
        """Publishes a toast, which ends the long-poll, and returns the header fields of its response."""
        self.channel.publish(message)
        return self.heard(message)

    def heard(self, message: str) -> dict[str, str]:
        status, headers, body = self.answer()
        self.home.waiting -= 1
        assert status == 200
        assert [event["toast"]["message"] for event in json.loads(body)["events"]] == [message]
        return headers

    def order(self, more: bytes = b"") -> bytes:
        """The bytes of a request that publishes a toast."""
        return b"POST %s/toasts HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s" % (
            self.path,
            HOST + JSON + more,
            len(BODY),
            BODY,
        )

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class House:
    """A separate server, one channel, and the connections to it."""

    def __init__(self, server: Toastd) -> None:
        self.server = server
        self.channel = Channel(server.url, "late")
        self.callers: list[Caller] = []
        # Long-polls without a response so far.
        self.waiting = 0
        self.channel.configure(capacity=10_000)

    def call(self, receive_buffer: int | None = None) -> Caller:
        self.callers.append(Caller(self, receive_buffer))
        return self.callers[-1]

    def measure(self, sample: str) -> int:
        found = re.search(rf"^{re.escape(sample)} (\d+)$", self.channel.http.get("/metrics").text, re.MULTILINE)
        return int(found[1]) if found else 0

    def polls(self) -> int:
        return self.measure('toastd_subscribers{transport="poll"}')

    def connections(self) -> int:
        """The number of connections, without that of this request."""
        return self.measure("toastd_connections") - 1

    def descriptors(self) -> int:
        return len(list((self.server.proc / "fd").iterdir()))

    def messages(self) -> list[str]:
        return [toast["message"] for toast in self.channel.toasts()]


@pytest.fixture
def house(launch) -> Iterator[Callable[..., House]]:
    houses: list[House] = []

    def build(*options: str) -> House:
        houses.append(House(launch("--loops", "1", *options, store="memory")))
        return houses[-1]

    yield build
    for built in houses:
        built.channel.close()
        for caller in built.callers:
            caller.socket.close()


def test_a_hundred_polls_go_over_one_connection(house):
    home = house()
    before = home.descriptors()
    caller = home.call()
    for number in range(100):
        caller.ask()
        assert "connection" not in caller.hear(str(number))
    until(lambda: home.connections() == 1)
    assert home.descriptors() == before + 1
    assert home.polls() == 0
    assert home.measure('toastd_streams_closed_total{transport="poll",reason="answered"}') == 100
    caller.socket.close()
    until(lambda: (home.connections(), home.descriptors()) == (0, before))


def test_other_requests_may_precede_and_follow_a_poll(house):
    caller = house().call()
    for number in range(3):
        caller.send(caller.order())
        assert caller.answer()[0] == 201
        caller.ask()
        assert "connection" not in caller.hear(str(number))
        caller.send(b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n")
        assert caller.answer()[0] == 200


def test_a_connection_continues_after_a_waiting_publish(house):
    home = house()
    caller = home.call()
    for _ in range(3):
        caller.send(caller.order(b"Prefer: wait=60\r\n"))
        until(lambda: home.messages() == ["from the connection"])
        assert home.channel.delete(home.channel.toasts()[0]).status_code < 300
        status, headers, body = caller.answer()
        assert (status, json.loads(body)["dismissReason"]) == (200, "api")
        assert "connection" not in headers


def test_a_request_after_a_waiting_poll_is_answered_after_it(house):
    home = house()
    caller = home.call()
    for number in range(5):
        caller.ask()
        before = cpu_seconds(home.server)
        caller.send(caller.order())
        home.channel.let_pass(0.2)
        # The request is not read before the poll has ended; its descriptor must not keep the loop busy meanwhile.
        assert cpu_seconds(home.server) - before < 0.15
        assert "from the connection" not in home.messages()[number:]
        assert "connection" not in caller.hear(f"first {number}")
        status, _, body = caller.answer()
        assert (status, json.loads(body)["message"]) == (201, "from the connection")
        home.channel.http.delete(f"{home.channel.path}/toasts")
        assert caller.rest == b""


def test_bytes_that_were_read_with_the_poll_end_the_connection(house):
    """The library has read the next request and drops it: no response is better than the one to another request."""
    home = house()
    caller = home.call()
    caller.ask(behind=caller.order())
    assert caller.hear("the answer")["connection"] == "close"
    assert caller.until_closed() == b""
    assert home.messages() == ["the answer"]


@pytest.mark.parametrize(
    "request_",
    [
        {"version": b"1.0"},
        {"version": b"1.0", "fields": b"Connection: keep-alive\r\n"},
        {"fields": b"Connection: close\r\n"},
        {"fields": b"Connection: x, Close\r\n"},
        {"before": b"\r\n"},
        {"behind": b"\r\n"},
        {"behind": b"G"},
    ],
    ids=lambda request: repr(request)[:60],
)
def test_the_connection_ends_after_requests_that_demand_it(house, request_):
    caller = house().call()
    caller.ask(**request_)
    assert caller.hear("the last")["connection"] == "close"
    assert caller.until_closed() == b""


def test_a_body_that_came_in_pieces_is_counted_once(house):
    home = house()
    caller = home.call()
    for _ in range(3):
        order = caller.order()
        for start in range(0, len(order), 50):
            caller.send(order[start : start + 50])
            home.channel.summary()
        assert caller.answer()[0] == 201
        caller.ask()
        assert "connection" not in caller.hear("behind it")


def test_a_response_larger_than_the_buffer_arrives_whole_and_is_the_last(house):
    home = house()
    caller = home.call(receive_buffer=4096)
    caller.ask()
    home.channel.post([{"message": "m" * 600}] * 100, headers={"Prefer": "return=minimal"}).raise_for_status()
    status, _, body = caller.answer()
    assert (status, len(json.loads(body)["events"])) == (200, 100)
    assert caller.until_closed() == b""


@pytest.mark.parametrize("leave", ["close", "half", "reset"])
def test_a_peer_may_leave_between_two_requests(house, leave):
    home = house()
    before = home.descriptors()
    caller = home.call()
    caller.ask()
    assert "connection" not in caller.hear("before it leaves")
    match leave:
        case "close":
            caller.socket.close()
        case "half":
            caller.socket.shutdown(socket.SHUT_WR)
            assert caller.until_closed() == b""
        case "reset":
            caller.reset()
    until(lambda: (home.connections(), home.descriptors()) == (0, before))


@pytest.mark.parametrize("leave", ["close", "half", "reset", "behind a request"])
def test_a_peer_may_leave_while_its_poll_waits(house, leave):
    home = house()
    before = home.descriptors()
    caller = home.call()
    caller.ask()
    match leave:
        case "close":
            caller.socket.close()
        case "half":
            caller.socket.shutdown(socket.SHUT_WR)
        case "reset":
            caller.reset()
        case "behind a request":
            caller.send(caller.order())
            caller.socket.close()
    until(lambda: home.polls() == 0)
    caller.socket.close()
    until(lambda: (home.connections(), home.descriptors()) == (0, before))
    assert home.messages() == []


def test_a_last_request_may_come_with_a_half_close(house):
    caller = house().call()
    caller.ask()
    caller.hear("the first")
    caller.send(b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n")
    caller.socket.shutdown(socket.SHUT_WR)
    assert caller.answer()[0] == 200
    assert caller.until_closed() == b""


@pytest.mark.parametrize(("words", "idle", "request_"), [(b"", "1", "100"), (b"GET /livez HT", "100", "1")])
def test_the_next_request_has_to_come_in_time(house, words, idle, request_):
    caller = house("--idle-timeout", idle, "--request-timeout", request_).call()
    caller.ask()
    # The timeout begins when the response is sent, which is between `started` and `heard`.
    started = time.monotonic()
    caller.hear("the first")
    heard = time.monotonic()
    caller.send(words)
    with contextlib.suppress(ConnectionResetError):
        assert caller.until_closed() == b""
    ended = time.monotonic()
    assert ended - heard > 0.4 or heard - started > 0.5
    assert ended - started < 30


def test_parked_connections_count_towards_the_limit(house):
    home = house("--max-connections", "8")
    crowd = [home.call() for _ in range(20)]
    for caller in crowd:
        caller.ask()
    assert home.connections() <= 2
    home.channel.publish("to all")
    ends = [caller.heard("to all").get("connection") for caller in crowd]
    # A quarter of the slots is reserved for new connections.
    assert 1 <= ends.count(None) <= 6
    assert home.connections() <= 6


def test_parked_connections_do_not_delay_a_stop(house):
    home = house()
    idle, waiting = home.call(), home.call()
    idle.ask()
    assert "connection" not in idle.hear("the first")
    waiting.ask()
    home.server.stop()
    assert waiting.answer()[1]["connection"] == "close"
    assert (waiting.until_closed(), idle.until_closed()) == (b"", b"")


def test_a_draining_server_still_parks_connections(house):
    home = house("--drain-delay", "15")
    caller = home.call()
    caller.ask()
    home.server.tell_to_stop()
    until(lambda: home.channel.http.get("/readyz").status_code == 503)
    assert "connection" not in caller.hear("the first")
    caller.send(b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n")
    assert caller.answer()[0] == 200
    home.server.stop()

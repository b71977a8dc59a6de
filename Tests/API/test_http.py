"""HTTP itself, spoken byte by byte where clients would not."""

import socket
from contextlib import contextmanager

import httpx
import pytest

HOST = b"Host: toastd\r\n"


class Connection:
    """A connection that reads one answer after the other."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.rest = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def _until(self, is_enough) -> None:
        while not is_enough():
            data = self.socket.recv(65536)
            if not data:
                raise EOFError(self.rest)
            self.rest += data

    def answer(self, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
        self._until(lambda: b"\r\n\r\n" in self.rest)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode("latin1").split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        length = int(headers.get("content-length", 0)) if has_body else 0
        self._until(lambda: len(self.rest) >= length)
        body, self.rest = self.rest[:length], self.rest[length:]
        return int(status.split()[1]), headers, body

    def is_closed(self) -> bool:
        """Waits for the server to close, and checks that it says nothing more."""
        try:
            return self.socket.recv(65536) == b"" and self.rest == b""
        except ConnectionResetError:
            return self.rest == b""


@pytest.fixture
def connect(server):
    @contextmanager
    def connect():
        with socket.create_connection(server.address, timeout=10) as connection:
            yield Connection(connection)

    return connect


def request(method: bytes, target: bytes, *headers: bytes, body: bytes = b"") -> bytes:
    fields = [b"Host: toastd", *headers]
    if body:
        fields += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
    return method + b" " + target + b" HTTP/1.1\r\n" + b"\r\n".join(fields) + b"\r\n\r\n" + body


def test_one_connection_serves_many_requests(connect):
    with connect() as connection:
        for _ in range(50):
            connection.send(request(b"GET", b"/livez"))
            assert connection.answer()[0] == 200


def test_requests_may_come_before_the_answers(connect, name):
    target = f"/v1/channels/{name}/toasts".encode()
    bodies = [b'{"message":"%d"}' % number for number in range(10)]
    with connect() as connection:
        connection.send(b"".join(request(b"POST", target, body=body) for body in bodies) + request(b"GET", target))
        answers = [connection.answer() for _ in range(11)]
    assert [status for status, _, _ in answers] == [201] * 10 + [200]
    assert all(b'"message":"%d"' % number in body for number, (_, _, body) in enumerate(answers[:10]))
    positions = [answers[10][2].index(b'"message":"%d"' % number) for number in range(10)]
    assert positions == sorted(positions)


def test_a_body_may_come_in_chunks(connect, name):
    with connect() as connection:
        connection.send(
            request(
                b"POST",
                f"/v1/channels/{name}/toasts".encode(),
                b"Transfer-Encoding: chunked",
                b"Content-Type: application/json",
            )
        )
        for part in (b'{"mess', b'age": "', b'chunks"}'):
            connection.send(b"%x\r\n%s\r\n" % (len(part), part))
        connection.send(b"0\r\n\r\n")
        status, _, body = connection.answer()
    assert (status, b'"message":"chunks"' in body) == (201, True)


def test_a_client_that_asks_first_is_told_to_go_on(connect, name):
    with connect() as connection:
        whole = request(
            b"POST", f"/v1/channels/{name}/toasts".encode(), b"Expect: 100-continue", body=b'{"message":"m"}'
        )
        head, body = whole.split(b"\r\n\r\n", 1)
        connection.send(head + b"\r\n\r\n")
        assert connection.answer()[0] == 100
        connection.send(body)
        assert connection.answer()[0] == 201


def test_a_body_that_is_too_long_is_refused(connect, name):
    target = f"/v1/channels/{name}/toasts".encode()
    with connect() as connection:
        connection.send(request(b"POST", target, b"Content-Type: application/json", b"Content-Length: 70000"))
        connection.send(b'"' + b"a" * 69_000)
        status, headers, body = connection.answer()
    assert (status, headers["content-type"]) == (413, "application/problem+json")
    assert b"payload-too-large" in body


def test_a_body_in_chunks_that_is_too_long_is_refused(connect, name):
    with connect() as connection:
        connection.send(
            request(
                b"POST",
                f"/v1/channels/{name}/toasts".encode(),
                b"Transfer-Encoding: chunked",
                b"Content-Type: application/json",
            )
        )
        connection.send((b"1000\r\n" + b"a" * 4096 + b"\r\n") * 20 + b"0\r\n\r\n")
        assert connection.answer()[0] == 413


def test_headers_that_are_too_long_are_refused(connect):
    with connect() as connection:
        connection.send(request(b"GET", b"/livez", b"X-Long: " + b"a" * 40_000))
        assert connection.answer()[0] == 431
        assert connection.is_closed()


def test_a_target_that_is_too_long_is_refused(connect):
    with connect() as connection:
        connection.send(request(b"GET", b"/" + b"a" * 40_000))
        assert connection.answer()[0] in (414, 431)
        assert connection.is_closed()


SMUGGLED = request(b"GET", b"/v1/channels")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (
            b"POST /v1/channels/s/toasts HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\nContent-Length: 40\r\n\r\nabcd",
            {400},
        ),
        (
            b"POST /v1/channels/s/toasts HTTP/1.1\r\n"
            + HOST
            + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            {400},
        ),
        (
            b"POST /v1/channels/s/toasts HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            {400, 501},
        ),
        (
            b"POST /v1/channels/s/toasts HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            {400, 501},
        ),
        (b"POST /v1/channels/s/toasts HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: identity\r\n\r\n", {400, 501}),
        (b"GET /livez HTTP/1.1\r\n\r\n", {400}),
        (b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", {400}),
        (b"GET /livez HTTP/1.1\r\n" + HOST + b"Bad Name: x\r\n\r\n", {400}),
        (b"GET /livez HTTP/1.1\r\n" + HOST + b"Name : x\r\n\r\n", {400}),
        (b"GET /livez HTTP/1.1\r\n" + HOST + b"X: a\rb\r\n\r\n", {400}),
        (b"GET /livez HTTP/1.2\r\n" + HOST + b"\r\n", {400, 505}),
        (b"GET /v1/channels/a%2Fb HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
        (b"GET /v1/channels/a%00 HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
        (b"GET /v1/channels/%zz HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
        (b"GET http://elsewhere/livez HTTP/1.1\r\n" + HOST + b"\r\n", {400}),
        (b"CONNECT elsewhere:443 HTTP/1.1\r\n" + HOST + b"\r\n", {400, 405, 501}),
        (b"get /livez HTTP/1.1\r\n" + HOST + b"\r\n", {400, 405, 501}),
        (b"BREW /livez HTTP/1.1\r\n" + HOST + b"\r\n", {400, 405, 501}),
    ],
    ids=lambda value: (
        value.replace(HOST, b"")[:70].decode("latin1").replace("\r\n", " ") if isinstance(value, bytes) else ""
    ),
)
def test_what_smugglers_send_is_refused_once(connect, text, status):
    with connect() as connection:
        connection.send(text + SMUGGLED)
        code, _, _ = connection.answer()
        assert code in status
        assert connection.is_closed()


def test_a_head_has_no_body(server):
    for path in ("/livez", "/v1/channels", "/v1/channels/ops", "/v1/channels/ops/toasts"):
        response = httpx.head(server.url + path)
        assert (response.status_code, response.content) == (200, b"")
        assert int(response.headers["content-length"]) > 0


def test_options_say_what_is_allowed(server):
    response = httpx.options(f"{server.url}/v1/channels/ops/settings")
    assert (response.status_code, response.content) == (204, b"")
    allowed = {name.strip() for name in response.headers["allow"].split(",")}
    assert allowed == {"GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"}


def test_an_old_client_is_served(connect):
    with connect() as connection:
        connection.send(b"GET /livez HTTP/1.0\r\n\r\n")
        status, _, body = connection.answer()
        assert (status, body) == (200, b'{"status":"ok"}')
        assert connection.is_closed()


def test_the_server_is_well(server):
    for path in ("/livez", "/readyz"):
        response = httpx.get(server.url + path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_metrics_can_be_read(server, channel):
    from prometheus_client.parser import text_string_to_metric_families

    channel.publish()
    response = httpx.get(f"{server.url}/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    families = list(text_string_to_metric_families(response.text))
    assert families
    assert all(family.name.startswith(("toastd_", "process_")) and family.documentation for family in families)

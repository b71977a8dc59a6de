"""HTTP itself. Invalid HTTP is in test_hygiene.py."""

import httpx
import pytest

from raw import RawConnection


@pytest.fixture
def connect(server):
    return lambda: RawConnection(server.address)


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


def test_a_client_that_expects_100_continue_gets_it(connect, name):
    with connect() as connection:
        whole = request(
            b"POST", f"/v1/channels/{name}/toasts".encode(), b"Expect: 100-continue", body=b'{"message":"m"}'
        )
        head, body = whole.split(b"\r\n\r\n", 1)
        connection.send(head + b"\r\n\r\n")
        assert connection.answer()[0] == 100
        connection.send(body)
        assert connection.answer()[0] == 201


def test_the_response_to_head_has_no_body(server):
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
        assert connection.until_closed() == b""


def test_health_and_readiness_are_reported(server):
    for path in ("/livez", "/readyz"):
        response = httpx.get(server.url + path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})

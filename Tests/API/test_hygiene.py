"""Malformed requests, byte by byte: each is answered once, and nothing after a refused one is carried out."""

from __future__ import annotations

import json
import select
from dataclasses import dataclass

import pytest

from raw import PATIENCE, RawConnection
from toastd import Toastd

HOST = b"Host: toastd\r\n"
JSON = b"Content-Type: application/json\r\n"
BODY = b'{"message":"here"}'


@dataclass(frozen=True)
class Case:
    """A request, with `@` for the channel's path, its expected status, and whether the connection stays open."""

    name: str
    text: bytes
    status: int
    is_open: bool = False


def get(head: bytes, name: str, status: int = 400, is_open: bool = False) -> Case:
    """A GET with these bytes between its Host and the end of its head."""
    return Case(name, b"GET /livez HTTP/1.1\r\n" + HOST + head + b"\r\n", status, is_open)


def line(text: bytes, status: int = 400, is_open: bool = False) -> Case:
    """A request line."""
    return Case(f"line {text.decode('latin1')!r:.40}", text + b"\r\n" + HOST + b"\r\n", status, is_open)


def post(head: bytes, body: bytes, name: str, status: int = 400, is_open: bool = False) -> Case:
    """A POST with these header lines and this body."""
    return Case(name, b"POST @/toasts HTTP/1.1\r\n" + HOST + JSON + head + b"\r\n" + body, status, is_open)


def chunks(*parts: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + end


LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n"

HANDSHAKE = b"GET @/socket HTTP/1.%s\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
HANDSHAKE += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

CASES = [
    # Valid but rare: the connection continues.
    get(b"", "plain", 200, is_open=True),
    get(b"X-Empty:\r\n", "empty value", 200, is_open=True),
    get(b"X-Blank: \t \r\n", "blank value", 200, is_open=True),
    get(b"x-MiXeD: a b\tc\r\n", "tab in a value", 200, is_open=True),
    get(b"X-Latin: caf\xe9 \xff\r\n", "obs-text in a value", 200, is_open=True),
    get(b"!#$%&'*+-.^_`|~0A: odd\r\n", "every token character", 200, is_open=True),
    get(b"X: 1\r\nX: 2\r\n", "a list in two fields", 200, is_open=True),
    get(b"Cookie: a=b; c\r\n", "a cookie", 200, is_open=True),
    Case("empty lines before", b"\r\n\r\nGET /livez HTTP/1.1\r\n" + HOST + b"\r\n", 200, True),
    Case("HEAD", b"HEAD /livez HTTP/1.1\r\n" + HOST + b"\r\n", 200, True),
    line(b"OPTIONS * HTTP/1.1", 204, is_open=True),
    line(b"GET /v1/channels?limit=%31 HTTP/1.1", 200, is_open=True),
    line(b"GET /v1/channels?limit=1&limit=%32 HTTP/1.1", 400, is_open=True),
    post(LENGTH, BODY, "a body", 201, is_open=True),
    post(b"Content-Length: 00000018\r\n", BODY, "zeros before a length", 201, is_open=True),
    # A chunked body is the last thing on its connection.
    post(CHUNKED, chunks(BODY[:5], BODY[5:]), "chunks", 201),
    post(b"Transfer-Encoding: Chunked\r\n", chunks(BODY), "Chunked", 201),
    post(CHUNKED, b'12;a=b;c="d"\r\n' + BODY + b"\r\n0;e\r\n\r\n", "chunk extensions", 201),
    post(CHUNKED, chunks(BODY, end=b"0\r\nX-Trailer: a\r\nContent-Length: 3\r\n\r\n"), "trailers", 201),
    post(CHUNKED, b"0012\r\n" + BODY + b"\r\n0000\r\n\r\n", "zeros before a chunk size", 201),
    # The length of the message.
    post(LENGTH + LENGTH, BODY, "one length twice"),
    post(LENGTH + b"Content-Length: 3\r\n", BODY, "two lengths"),
    post(b"Content-Length: 3\r\n" + LENGTH, BODY, "two lengths, the short one first"),
    post(LENGTH + CHUNKED, chunks(BODY), "length and coding"),
    post(CHUNKED + LENGTH, chunks(BODY), "coding and length"),
    post(CHUNKED + CHUNKED, chunks(BODY), "one coding twice"),
    post(CHUNKED + b"Transfer-Encoding: identity\r\n", chunks(BODY), "two codings"),
    post(b"Transfer-Encoding: xchunked\r\n", chunks(BODY), "coding xchunked", 501),
    post(b"Transfer-Encoding: identity\r\n", BODY, "coding identity", 501),
    post(b"Transfer-Encoding: gzip, chunked\r\n", chunks(BODY), "coding gzip, chunked", 501),
    post(b"Transfer-Encoding: chunked, chunked\r\n", chunks(BODY), "coding chunked, chunked", 501),
    post(b"Transfer-Encoding: chunked \r\n", chunks(BODY), "a blank behind chunked", 501),
    post(b"Transfer-Encoding: \x0bchunked\r\n", chunks(BODY), "a control before chunked", 501),
    post(b"Transfer-Encoding:\r\n", chunks(BODY), "no coding", 501),
    post(b"Transfer-Encoding : chunked\r\n", chunks(BODY), "a blank behind Transfer-Encoding"),
    post(b"Transfer-Encoding\x00: chunked\r\n", chunks(BODY), "NUL behind Transfer-Encoding"),
    Case(
        "coding in HTTP/1.0",
        b"POST @/toasts HTTP/1.0\r\n" + HOST + JSON + CHUNKED + b"Connection: keep-alive\r\n\r\n" + chunks(BODY),
        400,
    ),
    post(CHUNKED, b"12\n" + BODY + b"\n0\n\n", "chunks that end in bare LF", 201),
    post(CHUNKED, b"+12\r\n" + BODY + b"\r\n0\r\n\r\n", "a sign before a chunk size"),
    post(CHUNKED, b"0x12\r\n" + BODY + b"\r\n0\r\n\r\n", "0x before a chunk size"),
    post(CHUNKED, b"12 \r\n" + BODY + b"\r\n0\r\n\r\n", "a blank behind a chunk size"),
    post(CHUNKED, b"12\r\n" + BODY + b"xx0\r\n\r\n", "a chunk longer than it says"),
    post(CHUNKED, b"ffffffffffffffff1\r\n" + BODY, "a chunk size past 64 bits", 413),
    # The target.
    Case("no Host", b"GET /livez HTTP/1.1\r\n\r\n", 400),
    get(HOST, "Host twice"),
    get(b"Host: other\r\n", "two Hosts"),
    Case("a blank in Host", b"GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    Case("a user in Host", b"GET /livez HTTP/1.1\r\nHost: user@a\r\n\r\n", 400),
    Case("a path in Host", b"GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    Case("half an address in Host", b"GET /livez HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    Case("a bracket in Host", b"GET /livez HTTP/1.1\r\nHost: a[b\r\n\r\n", 400),
    Case("no address in brackets", b"GET /livez HTTP/1.1\r\nHost: [zz]\r\n\r\n", 400),
    Case("something after an address in Host", b"GET /livez HTTP/1.1\r\nHost: [::1]x\r\n\r\n", 400),
    Case("two ports in Host", b"GET /livez HTTP/1.1\r\nHost: a:1:2\r\n\r\n", 400),
    Case("a port that is no number", b"GET /livez HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
    Case("a percent sign that encodes nothing in Host", b"GET /livez HTTP/1.1\r\nHost: a%zz\r\n\r\n", 400),
    Case("a zone and a port in Host", b"GET /livez HTTP/1.1\r\nHost: [fe80::1%25e0]:80\r\n\r\n", 200, True),
    Case("a path in a zone", b"GET /livez HTTP/1.1\r\nHost: [fe80::1%25a/b]\r\n\r\n", 400),
    Case("two Hosts in a zone", b"GET /livez HTTP/1.1\r\nHost: [::1%25, b]\r\n\r\n", 400),
    Case("a zone that is not encoded", b"GET /livez HTTP/1.1\r\nHost: [fe80::1%eth0]\r\n\r\n", 200, True),
    Case("an encoded name in Host", b"GET /livez HTTP/1.1\r\nHost: caf%C3%A9:\r\n\r\n", 200, True),
    Case("two Hosts in one", b"GET /livez HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    get(b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", "Authorization twice"),
    get(b"Origin: http://a\r\nOrigin: http://toastd\r\n", "Origin twice"),
    get(b"Last-Event-ID: a-1\r\nLast-Event-ID: a-2\r\n", "Last-Event-ID twice"),
    # RFC 6455 §11.3.5, and RFC 9110 §7.8: HTTP/1.0 has no upgrades.
    Case("two versions of WebSocket", HANDSHAKE % b"1" + b"Sec-WebSocket-Version: 8\r\n\r\n", 400),
    Case("a handshake in HTTP/1.0", HANDSHAKE % b"0" + b"Connection: close\r\n\r\n", 426),
    # Encodings of a body: a proxy that decodes it would see another body than toastd.
    post(b"Content-Encoding: gzip\r\n" + LENGTH, BODY, "a coded body", 415, is_open=True),
    post(
        b"Content-Encoding: identity\r\nContent-Encoding: BR\r\n" + LENGTH,
        BODY,
        "two codings of the content",
        415,
        is_open=True,
    ),
    post(b"Content-Encoding: Identity\r\n" + LENGTH, BODY, "a body that is not coded", 201, is_open=True),
    # Field names and values.
    get(b"Bad Name: x\r\n", "a blank in a name"),
    get(b"Name : x\r\n", "a blank behind a name"),
    get(b"Name\t: x\r\n", "a tab behind a name"),
    get(b": x\r\n", "no name"),
    get(b"(Name): x\r\n", "brackets in a name"),
    get(b"N\xe4me: x\r\n", "a name that is not ASCII"),
    get(b"Nothing\r\n", "no colon"),
    get(b"Na\x00me: x\r\n", "NUL in a name"),
    get(b"Na\rme: x\r\n", "CR in a name"),
    get(b"X: a\rb\r\n", "CR in a value"),
    get(b"X: a\r\rb: c\r\n", "two CR in a value"),
    get(b"X: a\x00b\r\n", "NUL in the last value"),
    get(b"X: a\x00\r\n", "NUL at the end of the last value"),
    get(b"X: \x00\x00\r\n", "a value of NULs"),
    get(b"X: a\x00b\r\nY: c\r\n", "NUL in a value"),
    get(b"X:\x00Y: c\r\n", "NUL before a value"),
    get(b"X: a\r\n b\r\n", "a folded line"),
    get(b"X: a\r\n\tb\r\nY: c\r\n", "a folded line before another"),
    get(b"X: a\r\n \r\n", "a folded line with nothing in it"),
    get(b"Conn: close\r\n ection\r\n", "a folded line that would change a name"),
    Case("a folded line at the beginning", b"GET /livez HTTP/1.1\r\n " + HOST + b"\r\n", 400),
    get(b"X: a\nY: b\r\n", "bare LF behind a field"),
    get(b"X: a\n", "bare LF behind the last field"),
    Case("bare LF everywhere", b"GET /livez HTTP/1.1\nHost: toastd\n\n", 400),
    Case("bare LF behind the request line", b"GET /livez HTTP/1.1\n" + HOST + b"\r\n", 400),
    Case("bare LF at the end", b"GET /livez HTTP/1.1\r\n" + HOST + b"\n", 400),
    # The request line.
    line(b"GET /livez HTTP/1.2"),
    line(b"GET /livez HTTP/1.01"),
    line(b"GET /livez HTTP/2.0", 505),
    line(b"GET /livez http/1.1"),
    line(b"GET /livez"),
    line(b"GET  /livez HTTP/1.1"),
    line(b"GET /livez  HTTP/1.1"),
    line(b"GET /livez HTTP/1.1 "),
    line(b"GET\t/livez HTTP/1.1"),
    line(b"GET /livez\tHTTP/1.1"),
    line(b"GET /li vez HTTP/1.1"),
    line(b"GET /livez\x00 HTTP/1.1"),
    line(b"GET /livez#top HTTP/1.1"),
    line(b"GET http://toastd/livez HTTP/1.1"),
    line(b"GET //livez HTTP/1.1", 404, is_open=True),
    line(b"GET livez HTTP/1.1"),
    line(b"GET * HTTP/1.1"),
    line(b"CONNECT toastd:80 HTTP/1.1"),
    line(b"get /livez HTTP/1.1", 405),
    line(b"BREW /livez HTTP/1.1", 405),
    line(b"TRACE /livez HTTP/1.1", 405),
    line(b"GE(T /livez HTTP/1.1"),
    # The path.
    line(b"GET /v1/channels/a%2Fb HTTP/1.1"),
    line(b"GET /v1/channels/a%00 HTTP/1.1"),
    line(b"GET /v1/channels/%zz HTTP/1.1"),
    line(b"GET /v1/channels/%c0%af HTTP/1.1"),
    line(b"GET /v1/../livez HTTP/1.1"),
    line(b"GET /v1/%2e%2e/livez HTTP/1.1"),
    line(b"GET /livez?a=%00 HTTP/1.1"),
    # Limits.
    get(b"X: " + b"a" * 40_000 + b"\r\n", "a value that is too long", 431),
    get(b"".join(b"X-%d: a\r\n" % number for number in range(2000)), "too many fields", 431),
    line(b"GET /" + b"a" * 40_000 + b" HTTP/1.1", 414),
    post(b"Content-Length: 70000\r\n", b"a" * 70_000, "a body that is too long", 413),
    post(CHUNKED, chunks(*[b"a" * 4096] * 20), "a body in chunks that is too long", 413),
    post(b"Content-Length: 9223372036854775808\r\n", b"", "a length of 2^63", 413),
    post(b"Content-Length: 18446744073709551614\r\n", b"", "a length of 2^64 - 2", 413),
]


def test_the_response_to_a_refused_head_request_has_no_body(server: Toastd) -> None:
    with RawConnection(server.address) as connection:
        connection.send(b"HEAD /livez HTTP/1.1\r\n" + HOST + HOST + b"\r\n")
        head, body = connection.until_closed().split(b"\r\n\r\n", 1)
    assert (head.split()[1], body) == (b"400", b"")


# The library itself refuses these (RFC 9112 §6.3, item 5), and sends the head of its response twice.
LENGTHS = [b"+18", b"18x", b"-1", b"0x12", b"18, 18", b"18 18", b"", b"1 8"]
LENGTHS += [b"18446744073709551615", b"18446744073709551616", b"99999999999999999999999"]


def published(server, path: bytes) -> set[str]:
    """The messages of the toasts of a channel."""
    with RawConnection(server.address) as connection:
        connection.send(b"GET " + path + b"/toasts HTTP/1.1\r\n" + HOST + b"\r\n")
        return {toast["message"] for toast in json.loads(connection.answer()[2])["toasts"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_request_is_answered_once(server, name, case):
    """A second request follows in the same write; it may publish a toast only if the connection stays open."""
    path = b"/v1/channels/" + name.encode()
    behind = b"POST " + path + b"/toasts HTTP/1.1\r\n" + HOST + b"Content-Type: text/plain\r\n"
    behind += b"Connection: close\r\nContent-Length: 8\r\n\r\nsmuggled"
    with RawConnection(server.address) as connection:
        connection.send(case.text.replace(b"@", path, 1) + behind)
        status, headers, body = connection.answer(has_body=not case.text.startswith(b"HEAD"))
        assert status == case.status, body
        if case.is_open:
            assert connection.answer()[0] == 201
        else:
            assert headers["connection"] == "close"
        assert connection.until_closed() == b""
    messages = published(server, path)
    assert ("smuggled" in messages) == case.is_open
    assert ("here" in messages) == (case.status == 201)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_length_that_is_no_number_ends_the_connection(server, name, length):
    path = b"/v1/channels/" + name.encode()
    head = b"POST " + path + b"/toasts HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: " + length + b"\r\n\r\n"
    behind = b"POST " + path + b"/toasts HTTP/1.1\r\n" + HOST + LENGTH + b"\r\n" + BODY
    with RawConnection(server.address) as connection:
        connection.send(head + BODY + behind)
        assert connection.answer()[0] in (400, 413)
        connection.until_closed()
    assert not published(server, path)


def test_a_request_of_http_0_9_is_refused(server):
    with RawConnection(server.address) as connection:
        connection.send(b"GET /livez\r\n\r\n")
        assert connection.answer()[0] == 400
        assert connection.until_closed() == b""


@pytest.mark.parametrize("size", [1, 7])
def test_it_does_not_matter_how_a_request_is_cut(server, size):
    """A head with a folded line, one with a NUL and a valid one, in pieces of `size` bytes."""
    texts = [
        (b"X: a\r\n b\r\n", 400),
        (b"X: a\x00b\r\n", 400),
        (b"X: a\r\nY: " + b"b" * 500 + b"\r\n", 200),
    ]
    for text, status in texts:
        with RawConnection(server.address) as connection:
            request = b"GET /livez HTTP/1.1\r\n" + HOST + text + b"\r\n"
            for start in range(0, len(request), size):
                connection.send(request[start : start + size])
            assert connection.answer()[0] == status


def test_heads_of_all_sizes_are_read_completely(server):
    """A head stays contiguous in the library's buffer, which grows and is reused."""
    with RawConnection(server.address) as connection:
        for length in [*range(1, 200, 7), *range(200, 20_000, 611)]:
            line = b"GET /livez?" + b"q" * (length // 3) + b" HTTP/1.1\r\n" + HOST
            connection.send(line + b"X-A: " + b"a" * (length // 3) + b"\r\nX-B:" + b"b" * (length // 3) + b"\r\n\r\n")
            assert connection.answer()[0] == 200, length


def test_refusals_reach_a_client_that_sends_on(server):
    """A reset would overtake the response, so the server reads the rest for a while."""
    with RawConnection(server.address) as connection:
        connection.send(b"POST /v1/channels/a/toasts HTTP/1.1\r\n" + HOST + b"Content-Length: 500000\r\n\r\n")
        for _ in range(50):
            connection.send(b"a" * 10_000)
        assert connection.answer()[0] == 413
        assert connection.until_closed() == b""


def test_a_body_that_is_too_large_is_refused_before_100_continue(server):
    with RawConnection(server.address) as connection:
        head = b"Content-Length: 70000\r\nExpect: 100-continue\r\n\r\n"
        connection.send(b"POST /v1/channels/a/toasts HTTP/1.1\r\n" + HOST + head)
        assert connection.answer()[0] == 413
        assert connection.until_closed() == b""


def test_a_poll_of_the_most_channels_can_resume(server):
    """128 of the longest names in the target, and all of them again in the cursor."""
    names = [f"{number:03}-" + "n" * 60 for number in range(128)]
    query = "&".join(f"channel={name}" for name in names).encode()
    with RawConnection(server.address) as connection:
        cursor, resumption = "", b""
        # The snapshots of all channels need several pages, and each cursor has the channels of the pages so far.
        for _ in range(3):
            connection.send(b"GET /v1/poll?wait=0&" + query + b" HTTP/1.1\r\n" + HOST + resumption + b"\r\n")
            status, _, body = connection.answer()
            assert status == 200
            cursor = json.loads(body)["cursor"]
            resumption = b"Last-Event-ID: " + cursor.encode() + b"\r\n"
        assert all(name in cursor for name in names)
        fields = b"Last-Event-ID: " + cursor.encode() + b"\r\nUser-Agent: " + b"a" * 500 + b"\r\n"
        connection.send(b"GET /v1/poll?wait=0&" + query + b" HTTP/1.1\r\n" + HOST + fields + b"\r\n")
        status, _, body = connection.answer()
        assert (status, json.loads(body)) == (200, {"cursor": cursor, "events": []})


def test_bytes_after_a_chunked_body_do_not_lose_the_response(server, name):
    """A client that keeps sending, and reads the response only then, gets all of it, and an end instead of a reset."""
    path = b"/v1/channels/" + name.encode()
    head = b"POST " + path + b"/toasts HTTP/1.1\r\n" + HOST + JSON + CHUNKED + b"\r\n"
    for _ in range(20):
        with RawConnection(server.address) as connection:
            connection.send(head + chunks(BODY))
            # The response is there, but unread: the server has sent everything.
            assert select.select([connection.socket], [], [], PATIENCE)[0]
            for _ in range(3):
                connection.socket.sendall(b"GET /livez HTTP/1.1\r\n" + HOST + b"\r\n")
                # A reset would have arrived by now, because both ends are on one machine.
                assert not select.select([], [], [connection.socket], 0.005)[2]
            status, headers, _ = connection.answer()
            assert (status, headers["connection"]) == (201, "close")
            assert connection.until_closed() == b""

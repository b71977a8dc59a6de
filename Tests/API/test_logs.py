"""The log has one line for each request, whatever the request contains, and never a secret."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

import httpx
import pytest

from channel import Channel
from logs import lines, wait_for
from raw import RawConnection
from streams import EventStream, Poller, Socket
from toastd import Toastd

NAME = re.compile(r"[0-9a-z]{13}")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"


@pytest.fixture(scope="module", params=["json", "text"])
def server(request, tmp_path_factory) -> Iterator[Toastd]:
    directory = tmp_path_factory.mktemp("logs")
    with Toastd(directory, "--log-format", request.param, store="memory") as server:
        yield server


def test_each_request_has_a_line(server):
    channel = Channel(server.url, "lines")
    answer = channel.post({"message": "hello"}, params={"secret": "in-the-query"})
    (line,) = wait_for(server, logger="access", request=answer.headers["x-request-id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert 0 < float(line.pop("duration")) < 10
    assert NAME.fullmatch(line.pop("request"))
    assert int(line.pop("bytes")) == len(answer.content)
    assert {name: str(value) for name, value in line.items()} == {
        "level": "info",
        "logger": "access",
        "message": "request",
        "source": "127.0.0.1",
        "caller": "anonymous",
        "method": "POST",
        "path": "/v1/channels/lines/toasts",
        "route": "/v1/channels/{channel}/toasts",
        "status": "201",
    }
    assert "in-the-query" not in "".join(server.log)
    channel.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("POST /nowhere HTTP/1.1\r\nHost: a", 404),
        ("PUT /livez HTTP/1.1\r\nHost: a", 405),
        ("BREW /livez HTTP/1.1\r\nHost: a", 405),
        ("GET /livez HTTP/1.1", 400),
        ("GET /v1/channels/no%20channel HTTP/1.1\r\nHost: a", 400),
    ],
)
def test_a_problem_names_the_request_that_it_is_about(server, head, status):
    with RawConnection(server.address) as connection:
        connection.send(f"{head}\r\nX-Request-Id: mine!\r\n\r\n".encode())
        answer = connection.answer()
    assert answer[0] == status
    assert json.loads(answer[2])["instance"] == "urn:toastd:request:mine%21"


@pytest.mark.parametrize(
    ("kind", "transport", "status"), [(EventStream, "sse", 200), (Socket, "websocket", 101), (Poller, "poll", 200)]
)
def test_a_stream_has_a_line_when_it_opens_and_one_when_it_ends(server, name, kind, transport, status):
    channel = Channel(server.url, name)
    path = {"sse": "stream", "websocket": "socket", "poll": "poll"}[transport]
    if transport == "poll":
        with RawConnection(server.address) as connection:
            target = f"{channel.path}/poll?since={channel.cursor()}&wait=30"
            connection.send(f"GET {target} HTTP/1.1\r\nHost: toastd\r\n\r\n".encode())
            wait_for(server, message="stream opened", path=f"{channel.path}/poll")
        reason, frames = "peer", 0
    else:
        with kind(f"{channel.url}{channel.path}/{path}") as stream:
            stream.wait("snapshot")
            channel.publish()
            stream.wait("presented")
        reason, frames = "peer", 2
    (opened,) = wait_for(server, message="stream opened", path=f"{channel.path}/{path}")
    assert (opened["method"], int(opened["status"])) == ("GET", status)
    (closed,) = wait_for(server, message="stream closed", request=opened["request"])
    assert (closed["transport"], closed["reason"], closed["caller"]) == (transport, reason, "anonymous")
    assert int(closed["frames"]) >= frames
    assert (int(closed["bytes"]) > 500) == (frames > 0)
    assert 0 < float(closed["duration"]) < 10
    channel.close()


HOSTILE = [
    "%0Alevel=error%20message=forged",
    "%0D%0A%7B%22level%22:%22error%22%7D",
    "%1B%5B31mred%1B%5B0m",
    "%22%20status=200%20forged=%22",
    "%5C%22%5C",
    "%C2%85next-line",
    "%E2%80%A8separator",
    "%E2%80%AEturned-around",
    "%EF%BB%BFmark",
    "a%3Db",
    "%F0%9F%8D%9E",
    "x" * 900,
]


@pytest.mark.parametrize("segment", HOSTILE, ids=range(len(HOSTILE)))
def test_a_path_stays_in_its_line(server, segment):
    answer = httpx.get(f"{server.url}/v1/channels/{segment}/toasts")
    assert answer.status_code == 400
    (line,) = wait_for(server, request=answer.headers["x-request-id"])
    assert line["path"].startswith("/v1/channels/")
    assert_clean(server)


def assert_clean(server: Toastd) -> None:
    assert {line["logger"] for line in lines(server)} <= {"toastd", "access", "audit"}
    assert not [line for line in lines(server) if line["level"] == "error" or "forged" in line]
    for line in server.log:
        assert len(line) < 6000
        bad = {c for c in line.removesuffix("\n") if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn")}
        assert not bad, line


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /\x1b[31m HTTP/1.1\r\nHost: a\r\n\r\n",
        b"G\x1bT / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"FORGED\xe2\x80\xae / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\xff\xfe?ticket=geheim HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /a?ticket=geheim HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\x1b[31mb\r\nHost: b\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: \xe2\x80\xae\r\ntraceparent: \x1b[31m\r\n\r\n",
        b'GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: " forged="1\r\n\r\n',
    ],
)
def test_an_invalid_request_stays_in_its_line(server, request_):
    with RawConnection(server.address) as connection:
        connection.send(request_)
        _, headers, _ = connection.answer()
    assert NAME.fullmatch(headers["x-request-id"])
    (line,) = wait_for(server, request=headers["x-request-id"])
    assert "forged" not in line
    assert "trace" not in line
    assert_clean(server)
    assert "geheim" not in "".join(server.log)


def test_every_request_has_an_id(server):
    channel = Channel(server.url, "ops")
    tag = channel.http.get(channel.path + "/settings").headers["etag"]
    answers = [
        channel.post({"message": "m"}),
        channel.post({}),
        channel.post([{"message": "m"}], headers={"Prefer": "return=minimal"}),
        channel.http.get("/livez"),
        channel.http.head("/livez"),
        channel.http.options("/livez"),
        channel.http.put("/livez"),
        channel.http.get("/nothing"),
        channel.http.post("/nothing"),
        channel.http.get("/toast-viewer.js"),
        channel.http.get(channel.path + "/settings", headers={"If-None-Match": tag}),
        channel.http.get(channel.path + "/poll", params={"wait": 0}),
        channel.http.get(channel.path + "/poll", params={"since": channel.cursor(), "wait": 0.2}),
        channel.http.get(channel.path + "/socket"),
    ]
    names = [answer.headers["x-request-id"] for answer in answers]
    assert all(map(NAME.fullmatch, names))
    assert len(set(names)) == len(names)
    assert answers[1].json()["instance"] == f"urn:toastd:request:{names[1]}"
    with EventStream(f"{channel.url}{channel.path}/stream") as stream:
        stream.wait("snapshot")
        assert NAME.fullmatch(stream.response.headers["x-request-id"])
    with Socket(f"{channel.url}{channel.path}/socket") as socket:
        assert NAME.fullmatch(socket.connection.response.headers["x-request-id"])
    channel.close()


def test_a_waiting_publisher_gets_its_request_id(server, name):
    channel = Channel(server.url, "ops")
    answer = channel.post({"message": "m"}, headers={"Prefer": "wait=1", "X-Request-Id": name})
    assert (answer.status_code, answer.headers["x-request-id"]) == (202, name)
    wait_for(server, message="stream closed", request=name, reason="answered", transport="wait")
    channel.close()


@pytest.mark.parametrize(
    "name", ["a", "a" * 128, "01J9Z-abc_def.~", "!#$%&'*+-.^_`|~", "0f8fad5b-d9cb-469f-a165-70867728950e"]
)
def test_a_valid_request_id_is_kept(server, name):
    answer = httpx.get(f"{server.url}/v1/channels", params={"limit": 0}, headers={"X-Request-Id": name})
    assert answer.headers["x-request-id"] == name
    wait_for(server, logger="access", request=name)
    assert answer.json()["instance"].startswith("urn:toastd:request:")
    assert httpx.URL(answer.json()["instance"])


@pytest.mark.parametrize("name", ["", "a" * 129, "a b", "a,b", 'a"b', "a;b", "a/b", "a:b", "ä", "a\tb"])
def test_an_invalid_request_id_is_replaced(server, name):
    answer = httpx.get(f"{server.url}/livez", headers={"X-Request-Id": name.encode()})
    assert answer.status_code == 200
    assert NAME.fullmatch(answer.headers["x-request-id"])


def test_of_two_request_ids_none_is_kept(server):
    headers = [("X-Request-Id", "one"), ("X-Request-Id", "two")]
    assert NAME.fullmatch(httpx.get(f"{server.url}/livez", headers=headers).headers["x-request-id"])


@pytest.mark.parametrize(
    ("traceparent", "is_read"),
    [
        (f"00-{TRACE}-{SPAN}-01", True),
        (f"00-{TRACE}-{SPAN}-00", True),
        (f"cc-{TRACE}-{SPAN}-01", True),
        (f"cc-{TRACE}-{SPAN}-01-what-comes-later", True),
        (f"00-{TRACE}-{SPAN}-01-more", False),
        (f"cc-{TRACE}-{SPAN}-01.more", False),
        (f"ff-{TRACE}-{SPAN}-01", False),
        (f"00-{TRACE.upper()}-{SPAN}-01", False),
        (f"00-{'0' * 32}-{SPAN}-01", False),
        (f"00-{TRACE}-{'0' * 16}-01", False),
        (f"00-{TRACE}-{SPAN}", False),
        (f"00-{TRACE}-{SPAN}-0", False),
        (f"0-{TRACE}-{SPAN}-01", False),
        (f"00-{TRACE}_{SPAN}-01", False),
        (f"00-{TRACE[:-1]}g-{SPAN}-01", False),
        ("", False),
    ],
)
def test_traces_are_read_strictly(server, traceparent, is_read):
    answer = httpx.get(f"{server.url}/livez", headers={"traceparent": traceparent})
    (line,) = wait_for(server, request=answer.headers["x-request-id"])
    assert (line.get("trace"), line.get("span")) == ((TRACE, SPAN) if is_read else (None, None))


def test_two_traceparents_are_ignored(server):
    traces = [("traceparent", f"00-{TRACE}-{SPAN}-01"), ("traceparent", f"00-{SPAN * 2}-{SPAN}-01")]
    answer = httpx.get(f"{server.url}/livez", headers=traces)
    (line,) = wait_for(server, request=answer.headers["x-request-id"])
    assert "trace" not in line


@pytest.mark.parametrize("level", ["warning", "error", "critical"])
def test_the_address_is_logged_at_every_level(tmp_path, level):
    """With port 0 only the log tells the port."""
    with Toastd(tmp_path, "--log-level", level, store="memory") as server:
        assert httpx.get(f"{server.url}/livez").status_code == 200
    said = [line for line in server.log if "serving at" in line]
    assert len(said) == 1
    assert not any("stopping" in line for line in server.log)

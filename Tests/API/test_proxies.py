"""toastd behind the proxies in docs/operations.md, with the configurations shown there."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from channel import Channel
from proxy import CADDYFILE, NGINX_CONF, Proxy
from streams import EventStream, Socket
from toastd import BINARY, ROOT, Toastd

PROXIES = ["caddy", "nginx"]


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("proxies")


@pytest.fixture(scope="module")
def house(directory):
    """A server as the configurations need it, and a key with all scopes."""
    access = directory / "access.json"
    command = [BINARY, "key", "create", "--access", access, "--name", "all"]
    key = subprocess.run(
        [*command, "--scopes", "publish,subscribe,respond,manage"], check=True, capture_output=True, text=True
    ).stdout.strip()
    with Toastd(directory, "--trusted-proxies", "127.0.0.1", "--access", str(access)) as server:
        server.rights = {"Authorization": f"Bearer {key}"}
        yield server


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request, directory, house):
    with Proxy(request.param, directory, house) as proxy:
        yield proxy


@pytest.fixture
def channel(proxy, house, name, monkeypatch):
    """A channel behind the proxy. All clients that its test creates trust the proxy's certificate, too."""
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.authority))
    channel = Channel(proxy.url, name)
    channel.http = httpx.Client(base_url=proxy.url, timeout=30, headers=house.rights)
    yield channel
    channel.close()


@pytest.mark.parametrize("file", [CADDYFILE, NGINX_CONF, ROOT / "deploy/systemd/toastd.service"], ids=lambda f: f.name)
def test_the_documentation_shows_the_files_as_they_are(file):
    indented = [line.rstrip() for line in file.read_text().splitlines()]
    assert "\n".join(indented) in (ROOT / "docs/operations.md").read_text()


def test_each_event_comes_when_it_happens(channel, house):
    with EventStream(f"{channel.url}{channel.path}/stream", house.rights) as stream:
        stream.wait("snapshot")
        for number in range(5):
            toast = channel.publish(str(number))
            stream.wait("enqueued", id=toast["id"])
        assert stream.response.headers["content-type"] == "text/event-stream"
        assert "content-encoding" not in stream.response.headers


def test_each_event_comes_when_it_happens_over_http2(channel, proxy, house):
    """As a browser does: several streams and a request on one connection."""
    command = ["curl", "--silent", "--no-buffer", "--http2", "--cacert", str(proxy.authority)]
    rights = ["--header", f"Authorization: {house.rights['Authorization']}"]
    version = subprocess.run(
        [*command, "--write-out", "%{http_version}", "--output", "/dev/null", f"{proxy.url}/livez"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert version.stdout == "2"
    stream = subprocess.Popen(
        [*command, *rights, f"{channel.url}{channel.path}/stream"], stdout=subprocess.PIPE, text=True
    )
    try:
        lines = (line.strip() for line in stream.stdout)
        assert next(line for line in lines if line.startswith("event:")) == "event: snapshot"
        for number in range(3):
            toast = channel.publish(str(number))
            started = time.monotonic()
            assert next(line for line in lines if toast["id"] in line)
            # The event arrives although no later data follows.
            assert time.monotonic() - started < 30
    finally:
        stream.kill()
        stream.wait()


def test_a_socket_gets_through_with_the_origin_of_the_page(channel, proxy, house):
    address = f"{proxy.url}{channel.path}/socket".replace("http", "ws", 1)
    ticket = channel.http.post("/v1/tickets").json()["ticket"]
    with Socket(f"{proxy.url}{channel.path}/socket", ticket=ticket) as ws:
        ws.wait("snapshot")
        assert ws.send(command="publish", toast={"message": "m"})["type"] == "ack"
        ws.wait("enqueued", message="m")
    options = {"subprotocols": ["toastd.v1"], "additional_headers": house.rights, "open_timeout": 60}
    with connect(address, origin=proxy.url, **options) as ws:
        assert json.loads(ws.recv(60))["type"] == "snapshot"
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(address, origin="https://other.example", **options),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_a_proxy_refuses_a_nul_in_a_head(proxy, house):
    """A NUL right before a bare LF is the one byte in a head that toastd does not see: docs/security.md."""
    with (
        socket.create_connection(("localhost", proxy.port), timeout=60) as plain,
        proxy.trust.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        head = f"GET /livez HTTP/1.1\r\nHost: localhost:{proxy.port}\r\nX: a\0\nX-Request-Id: smuggled-{proxy.kind}"
        connection.sendall(head.encode() + b"\r\n\r\n")
        assert connection.recv(65_536).split()[1] == b"400"
    assert not any(f"smuggled-{proxy.kind}" in line for line in house.log)


def test_a_long_poll_waits_and_is_answered_at_once(channel):
    cursor = channel.cursor()
    started = time.monotonic()
    assert channel.poll(cursor, wait=1)["events"] == []
    assert time.monotonic() - started >= 0.9
    with ThreadPoolExecutor(1) as pool:
        poll = pool.submit(channel.poll, channel.cursor(), wait=20)
        started = time.monotonic()
        toast = channel.publish()
        assert toast["id"] in json.dumps(poll.result(18)["events"])
        assert time.monotonic() - started < 18


def test_everyone_is_counted_for_themselves(proxy, house):
    """Only the address from the proxy counts, not the fields that clients and other senders write."""
    first = 10 + 20 * PROXIES.index(proxy.kind)
    wrong = {"Authorization": "Bearer toastd_00000000_wrong"}
    path = "/v1/channels/a/toasts"
    with proxy.client(f"127.0.0.{first}") as guesser:
        answers = []
        for number in range(32):
            lie = f"198.51.100.{number}"
            said = {"X-Forwarded-For": lie, "Forwarded": f"for={lie};proto=https", "X-Real-IP": lie}
            answers.append(guesser.get(path, headers={**wrong, **said}).status_code)
    assert answers[0] == 401 and answers[-1] == 429, answers
    with proxy.client(f"127.0.0.{first + 1}") as other:
        assert other.get(path, headers=wrong).status_code == 401
    around = httpx.HTTPTransport(local_address=f"127.0.0.{first + 2}")
    with httpx.Client(base_url=house.url, transport=around) as stranger:
        said = [{"X-Forwarded-For": f"198.51.100.{number}", **wrong} for number in range(32)]
        assert stranger.get(path, headers=said[0]).status_code == 401
        assert [stranger.get(path, headers=headers).status_code for headers in said][-1] == 429


def test_fields_that_a_proxy_passes_on_unchanged_are_ignored(launch, tmp_path):
    """A proxy that sets X-Forwarded-For, and forwards the client's own Forwarded."""
    access = tmp_path / "access.json"
    access.write_text(json.dumps({"keys": []}))
    server = launch("--trusted-proxies", "127.0.0.1", "--access", str(access), store="memory")
    with httpx.Client(base_url=server.url) as client:

        def guess(**said: str) -> int:
            wrong = {"Authorization": "Bearer toastd_00000000_wrong"}
            said = {name.replace("_", "-"): value for name, value in said.items()}
            return client.get("/v1/channels/a/toasts", headers={**wrong, **said}).status_code

        lies = [f"for=198.51.100.{number}" for number in range(32)]
        answers = [guess(X_Forwarded_For="203.0.113.9", Forwarded=lie) for lie in lies]
        assert answers[0] == 401 and answers[-1] == 429
        # One field, or two that agree, are trusted.
        assert guess(X_Forwarded_For="203.0.113.9") == 401
        assert guess(Forwarded="for=203.0.113.10") == 401
        assert guess(X_Forwarded_For="203.0.113.11", Forwarded="for=203.0.113.11;proto=https") == 401


def test_a_client_that_a_proxy_does_not_identify_is_limited(launch):
    """Requests of this machine have no limits, but those of a proxy on it are of other clients."""
    server = launch("--trusted-proxies", "127.0.0.1", store="memory")

    def is_counted(**said: str) -> bool:
        fields = {name.replace("_", "-"): value for name, value in said.items()}
        return "ratelimit" in httpx.get(f"{server.url}/v1/channels", headers=fields).headers

    assert not is_counted()
    assert is_counted(X_Forwarded_For="203.0.113.9")
    assert is_counted(X_Forwarded_For="203.0.113.9", Forwarded="for=198.51.100.7")
    assert is_counted(X_Forwarded_For="nonsense")
    assert is_counted(Forwarded="for=_hidden;proto=https")
    assert is_counted(Forwarded="for=unknown")


def test_over_tls_only_the_host_cookie_counts(launch, tmp_path):
    access = tmp_path / "access.json"
    command = [BINARY, "key", "create", "--access", access, "--name", "k", "--scopes", "subscribe"]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    server = launch("--trusted-proxies", "127.0.0.1", "--access", str(access), store="memory")
    shown, secure = {"Authorization": f"Bearer {key}"}, {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
    plain = httpx.post(f"{server.url}/v1/session", headers=shown).headers["set-cookie"].split(";")[0]
    bound = httpx.post(f"{server.url}/v1/session", headers={**shown, **secure}).headers["set-cookie"].split(";")[0]
    assert plain.startswith("toastd=") and bound.startswith("__Host-toastd=")

    def status(cookie: str, **said: str) -> int:
        return httpx.get(f"{server.url}/v1/channels/ops", headers={"Cookie": cookie, **said}).status_code

    assert status(plain) == 200 and status(bound, **secure) == 200
    # A page of evil.example.org can set the plain cookie for all of example.org.
    assert status(plain, **secure) == 401
    assert status(f"{plain}; {bound}", **secure) == 200
    assert status(bound) == 401


def test_a_session_is_bound_to_the_host_by_tls(proxy, house, channel):
    with proxy.client() as page:
        answer = page.post("/v1/session", headers=house.rights)
        assert answer.status_code in (200, 201, 204), answer.text
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-toastd=") and "Secure" in cookie and "HttpOnly" in cookie
        said = {"Cookie": cookie.split(";")[0]}
        with EventStream(f"{channel.url}{channel.path}/stream", said) as stream:
            stream.wait("snapshot")
    # `X-Forwarded-Proto` of an untrusted sender is ignored.
    around = httpx.HTTPTransport(local_address="127.0.0.8")
    with httpx.Client(base_url=house.url, transport=around) as stranger:
        answer = stranger.post("/v1/session", headers={**house.rights, "X-Forwarded-Proto": "https"})
        assert answer.headers["set-cookie"].startswith("toastd=") and "Secure" not in answer.headers["set-cookie"]


def test_a_body_of_64_kib_gets_through_and_a_larger_one_is_refused_by_toastd(channel):
    def body(size: int) -> bytes:
        empty = json.dumps({"message": "m", "data": ""})
        return json.dumps({"message": "m", "data": "x" * (size - len(empty))}).encode()

    json_type = {"Content-Type": "application/json"}
    assert channel.post(content=body(65_536), headers=json_type).status_code == 201
    for size in (65_537, 500_000):
        for _ in range(5):
            refused = channel.post(content=body(size), headers=json_type)
            assert (refused.status_code, refused.json()["type"]) == (413, "urn:toastd:problem:payload-too-large")


def test_errors_arrive_whole(channel, proxy):
    assert channel.post({"message": 1}).json()["type"] == "urn:toastd:problem:invalid-toast"
    assert channel.http.get("/v1/nothing").json()["type"] == "urn:toastd:problem:not-found"
    # Requests after which toastd closes the connection.
    for _ in range(5):
        answer = channel.http.get("/v1/channels/a%2Fb/toasts")
        assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
        assert answer.json()["status"] == 400


def test_a_proxy_does_not_serve_metrics(proxy, house):
    with proxy.client() as client:
        assert client.get("/metrics", headers=house.rights).status_code == 404
    assert httpx.get(f"{house.url}/metrics", headers=house.rights).status_code == 200


@pytest.mark.parametrize("kind", PROXIES)
def test_a_restart_behind_the_proxy_loses_nothing(kind, tmp_path, monkeypatch):
    server = Toastd(tmp_path, "--trusted-proxies", "127.0.0.1").start()
    server.command[server.command.index("127.0.0.1:0")] = server.url.removeprefix("http://")
    with Proxy(kind, tmp_path, server) as proxy:
        monkeypatch.setenv("SSL_CERT_FILE", str(proxy.authority))
        channel = Channel(proxy.url, "a")
        address = f"{proxy.url}{channel.path}/stream"
        with EventStream(address) as stream:
            stream.wait("snapshot")
            seen = channel.publish("before", duration="indefinite")
            cursor = stream.wait("presented", id=seen["id"])["cursor"]
            server.stop()
            assert stream.wait("shutdown")["retry"] >= 1
            stream.over()
        # While the server is down, nginx answers 200 with `retry`: an EventSource gives up at any other status.
        if kind == "nginx":
            answer = httpx.get(address, params={"since": cursor})
            assert (answer.status_code, answer.text) == (200, "retry: 3000\n\n")
            assert answer.headers["content-type"] == "text/event-stream"
            server.start()
            after = EventStream(address, since=cursor)
        else:
            after = EventStream(address, since=cursor)
            server.start()
        with after:
            after.wait("resumed")
            toast = channel.publish("after")
            after.wait("enqueued", id=toast["id"])
            assert not any(event["type"] == "snapshot" for event in after.events)
        channel.close()
    server.stop()

"""Pages of other origins: which may read, which may change, and the header fields of every response."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from streams import EventStream
from toastd import BINARY, PUBLIC, ROOT, Toastd

APP = "https://app.example"
EVIL = "https://evil.example"
TOASTS = "/v1/channels/ops/toasts"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    options = ("--allow-origin", f"{APP}, http://localhost:5173", "--frame-ancestors", f"self,{APP}")
    with Toastd(tmp_path_factory.mktemp("house"), *options, "--limit-publish", "100/s:1000") as server:
        yield server


def ask(server: Toastd, method: str, path: str, origin: str | None = None, **options: object) -> httpx.Response:
    headers = {**({"Origin": origin} if origin else {}), **options.pop("headers", {})}
    return httpx.request(method, server.url + path, headers=headers, **options)


def varies(response: httpx.Response) -> set[str]:
    return {word.strip().lower() for word in response.headers.get("vary", "").split(",")}


def is_shared(response: httpx.Response) -> bool:
    return "access-control-allow-origin" in response.headers


def test_an_allowed_page_reads_and_changes(house: Toastd) -> None:
    posted = ask(house, "POST", TOASTS, APP, json={"message": "x"})
    read = ask(house, "GET", TOASTS, APP)
    missing = ask(house, "GET", "/v1/nothing", APP)
    wrong = ask(house, "POST", TOASTS, APP, json={})
    assert [answer.status_code for answer in (posted, read, missing, wrong)] == [201, 200, 404, 422]
    for answer in (posted, read, missing, wrong):
        assert answer.headers["access-control-allow-origin"] == APP
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert "origin" in varies(answer)
    too_long = ask(house, "POST", TOASTS, APP, content=b" " * 99_999)
    assert too_long.status_code == 413
    assert too_long.headers["access-control-allow-origin"] == APP
    assert "origin" in varies(too_long)
    exposed = {name.strip().lower() for name in posted.headers["access-control-expose-headers"].split(",")}
    assert {"etag", "location", "ratelimit", "ratelimit-policy", "retry-after"} <= exposed
    assert {"location", "etag", "ratelimit"} <= set(posted.headers)


@pytest.mark.parametrize(
    "origin", [EVIL, "null", "http://app.example", f"{APP}:8443", f"{APP}.evil.example", "https://x"]
)
def test_a_page_of_another_origin_is_refused(house: Toastd, origin: str) -> None:
    refused = [
        ask(house, "POST", TOASTS, origin, json={"message": "x"}),
        ask(house, "POST", TOASTS, origin, content="x", headers={"Content-Type": "text/plain"}),
        ask(house, "DELETE", TOASTS, origin),
        ask(house, "POST", "/v1/session", origin),
        ask(house, "GET", "/v1/channels/ops/stream", origin),
        ask(house, "GET", "/v1/channels/ops/poll", origin, params={"wait": 0}),
        ask(house, "GET", "/v1/stream", origin, params={"channel": "ops"}),
    ]
    for answer in refused:
        assert answer.status_code == 403
        assert answer.json()["type"] == "urn:toastd:problem:origin-not-allowed"
        assert not is_shared(answer) and "origin" in varies(answer)
    read = ask(house, "GET", TOASTS, origin)
    # The server responds, and the browser hides the response from the page.
    assert not is_shared(read) and "origin" in varies(read)


def test_responses_that_depend_on_the_origin_vary_by_it(house: Toastd) -> None:
    for path in (TOASTS, "/", "/toast-viewer.js", "/metrics", "/openapi.yaml", "/v1/nothing", "/livez"):
        answer = ask(house, "GET", path)
        assert "origin" in varies(answer) and not is_shared(answer), path


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "GET"])
def test_a_preflight_says_what_may_be_sent(house: Toastd, method: str) -> None:
    path = f"{TOASTS}/00000000-0000-7000-8000-000000000000"
    headers = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization,content-type"}
    answer = ask(house, "OPTIONS", path, APP, headers=headers)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == APP
    assert method in answer.headers["access-control-allow-methods"].split(", ")
    accepted = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert {"authorization", "content-type", "idempotency-key", "if-match", "prefer"} <= accepted
    assert answer.headers["access-control-max-age"] == "7200"


def test_a_preflight_of_another_page_says_nothing(house: Toastd) -> None:
    answer = ask(house, "OPTIONS", TOASTS, EVIL, headers={"Access-Control-Request-Method": "POST"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_an_allowed_page_opens_streams(house: Toastd) -> None:
    path = f"{house.url}/v1/channels/heard"
    with EventStream(f"{path}/stream", headers={"Origin": APP}) as stream:
        stream.wait("snapshot")
        assert stream.response.headers["access-control-allow-origin"] == APP
        assert "origin" in varies(stream.response)
        # Delayed responses take another path, with the same fields.
        ask(house, "POST", "/v1/channels/heard/toasts", json={"message": "x", "duration": 0.1})
    answer = ask(house, "GET", "/v1/channels/quiet/poll", APP, params={"wait": 0.1, "since": cursor(house)})
    assert answer.headers["access-control-allow-origin"] == APP
    waited = ask(house, "POST", TOASTS, APP, json={"message": "x", "expiresAfter": 0.1}, headers={"Prefer": "wait=5"})
    assert waited.headers["access-control-allow-origin"] == APP
    assert waited.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("form", ["json", "sse", "raw"])
def test_an_allowed_page_opens_streams_of_ntfy(launch: Callable[..., Toastd], form: str) -> None:
    server = launch("--allow-origin", APP, "--ntfy", "on", store="memory")
    with httpx.stream("GET", f"{server.url}/ops/{form}", headers={"Origin": APP}) as response:
        assert response.headers["access-control-allow-origin"] == APP
        assert "origin" in varies(response)


def cursor(server: Toastd) -> str:
    return httpx.get(f"{server.url}/v1/channels/quiet/toasts").json()["cursor"]


def test_a_socket_is_opened_by_an_allowed_page_only(house: Toastd) -> None:
    url = house.url.replace("http", "ws", 1) + "/v1/channels/ops/socket"
    with connect(url, subprotocols=["toastd.v1"], origin=APP, open_timeout=60) as socket:
        assert "snapshot" in socket.recv(timeout=60)
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(url, subprotocols=["toastd.v1"], origin=EVIL, open_timeout=60),
    ):
        pass
    assert refused.value.response.status_code == 403


SITES = {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}


@pytest.mark.parametrize("site", SITES, ids=lambda site: site["Sec-Fetch-Site"])
@pytest.mark.parametrize("mode", ["no-cors", "cors", "websocket", "navigate"])
def test_a_page_that_hides_its_origin_is_refused(house: Toastd, site: dict, mode: str) -> None:
    """An `<img>`, a `fetch` with `no-cors` and the navigation of a frame send no `Origin`."""
    channel = "/v1/channels/unheard"
    fetch = {**site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "iframe" if mode == "navigate" else "image"}
    paths = [f"{channel}/stream", f"{channel}/poll?wait=9", "/v1/stream?channel=unheard", "/v1/poll?channel=unheard"]
    paths += [channel, f"{channel}/toasts", "/v1/channels", "/v1/presets", "/metrics", "/livez", "/openapi.yaml"]
    for path in [*paths, f"{channel}/poll?ticket=nonsense"]:
        answer = ask(house, "GET", path, headers=fetch)
        assert answer.status_code == 403, path
        assert answer.json()["type"] == "urn:toastd:problem:origin-not-allowed"
    upgrade = {**fetch, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    socket = ask(
        house, "GET", f"{channel}/socket", headers={**upgrade, "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    )
    assert socket.status_code == 403
    assert ask(house, "POST", f"{channel}/toasts", headers=fetch, content="x").status_code == 403
    assert ask(house, "GET", channel).json()["audience"] == {"sse": 0, "websocket": 0, "poll": 0}


@pytest.mark.parametrize("site", SITES, ids=lambda site: site["Sec-Fetch-Site"])
def test_a_followed_link_can_read_but_opens_no_stream(house: Toastd, site: dict) -> None:
    fetch = {**site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}
    for path in ("/openapi.yaml", "/metrics", TOASTS, "/livez"):
        assert ask(house, "GET", path, headers=fetch).status_code == 200
    for path in ("/v1/channels/ops/stream", "/v1/channels/ops/poll?wait=0", "/v1/poll?channel=ops&wait=0"):
        assert ask(house, "GET", path, headers=fetch).status_code == 403
    assert ask(house, "POST", TOASTS, headers=fetch, content="x").status_code == 403
    assert ask(house, "DELETE", TOASTS, headers=fetch).status_code == 403


@pytest.mark.parametrize("site", SITES, ids=lambda site: site["Sec-Fetch-Site"])
def test_an_allowed_page_is_let_in_from_any_site(house: Toastd, site: dict) -> None:
    fetch = {**site, "Sec-Fetch-Mode": "cors"}
    assert ask(house, "POST", TOASTS, APP, headers=fetch, json={"message": "x"}).status_code == 201
    assert ask(house, "GET", TOASTS, APP, headers=fetch).status_code == 200
    assert ask(house, "GET", "/v1/channels/ops/poll", APP, headers=fetch, params={"wait": 0}).status_code == 200
    # The server's own page under another host name, or without TLS, is only same-site, and refused.
    for origin in (house.url, EVIL):
        assert ask(house, "GET", TOASTS, origin, headers=fetch).status_code == 403


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_servers_own_pages_and_typed_addresses_are_served(house: Toastd, site: str) -> None:
    fetch = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors"}
    assert ask(house, "GET", TOASTS, headers=fetch).status_code == 200
    assert ask(house, "GET", "/v1/channels/ops/poll", headers=fetch, params={"wait": 0}).status_code == 200
    assert ask(house, "POST", TOASTS, house.url, headers=fetch, json={"message": "x"}).status_code == 201


@pytest.mark.parametrize("mode", ["navigate", "cors", "no-cors"])
def test_any_page_links_to_pages_and_loads_files(house: Toastd, mode: str) -> None:
    fetch = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "iframe"}
    for path in ("/", "/?channel=ops", "/toast-viewer.js", "/styles/glass.css", "/examples/eventsource.html"):
        assert ask(house, "GET", path, headers=fetch).status_code == 200, path


def test_without_a_list_no_other_page_gets_anything(server: Toastd) -> None:
    assert ask(server, "POST", TOASTS, APP, json={"message": "x"}).status_code == 403
    read = ask(server, "GET", TOASTS, APP)
    assert not [name for name in read.headers if name.startswith("access-control")]
    assert "origin" not in varies(read)
    own = server.url
    assert ask(server, "POST", TOASTS, own, json={"message": "x"}).status_code == 201


@pytest.mark.parametrize("path", [TOASTS, "/v1/nothing", "/nothing", "/metrics", "/livez", "/v1/presets", "/%00"])
def test_responses_of_the_api_cannot_run_as_pages(server: Toastd, path: str) -> None:
    headers = httpx.get(server.url + path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_every_method_is_answered_with_the_same_care(server: Toastd) -> None:
    for method in ("POST", "DELETE", "PUT", "OPTIONS"):
        headers = httpx.request(method, f"{server.url}/v1/presets").headers
        assert headers["x-content-type-options"] == "nosniff", method


def directives(response: httpx.Response) -> dict[str, str]:
    policy = response.headers["content-security-policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in policy)}


def test_pages_run_only_their_own_scripts(server: Toastd) -> None:
    page = httpx.get(f"{server.url}/")
    policy = directives(page)
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'" and policy["style-src"] == "'self'"
    assert (
        policy["frame-ancestors"] == "'none'" and policy["base-uri"] == "'none'" and policy["form-action"] == "'none'"
    )
    assert policy["require-trusted-types-for"] == "'script'" and policy["trusted-types"] == "toastd-worker"
    for name, value in {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }.items():
        assert page.headers[name] == value
        assert page.headers.get_list(name) == [value]


def test_allowed_pages_load_modules_and_frame_the_viewer(house: Toastd) -> None:
    module = ask(house, "GET", "/toast-viewer.js", APP)
    assert module.headers["access-control-allow-origin"] == APP
    assert module.headers["cross-origin-resource-policy"] == "cross-origin"
    assert directives(ask(house, "GET", "/"))["frame-ancestors"] == f"'self' {APP}"
    # API responses are for scripts of allowed origins, not for an <img> of any page.
    assert ask(house, "GET", TOASTS, APP).headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("flag", "value", "word"),
    [
        ("--allow-origin", "*", "every web page"),
        ("--allow-origin", "https://*.example", "every web page"),
        ("--allow-origin", "https://app.example/", "origins"),
        ("--frame-ancestors", "*", "self"),
        ("--frame-ancestors", "https://a.example; script-src *", "self"),
    ],
)
def test_an_origin_is_named_exactly(flag: str, value: str, word: str, tmp_path: Path) -> None:
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", PUBLIC, flag, value]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert ended.returncode != 0
    assert word in ended.stderr


@pytest.mark.parametrize("path", ["/", "/v1/channels/ops/toasts", "/v1/channels/ops/stream", "/metrics", "/livez"])
@pytest.mark.parametrize(
    "host", ["evil.example", "EVIL.example:8080", "127.0.0.1.evil.example", "evil.", "notlocalhost.x"]
)
def test_an_open_server_refuses_public_host_names(server: Toastd, path: str, host: str) -> None:
    answer = httpx.get(server.url + path, headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:toastd:problem:host-not-allowed"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "localhost", "LOCALHOST:8080", "app.localhost:80", "toastd"]
)
def test_an_open_server_accepts_the_names_of_its_machine(server: Toastd, host: str) -> None:
    assert httpx.get(server.url + "/v1/channels", headers={"Host": host}).status_code == 200


def test_an_open_server_accepts_the_host_of_an_allowed_origin(house: Toastd) -> None:
    assert ask(house, "GET", TOASTS, headers={"Host": "App.example"}).status_code == 200
    assert ask(house, "GET", TOASTS, headers={"Host": "other.example"}).status_code == 403


def test_anonymous_requests_are_answered_under_known_names_only(tmp_path: Path) -> None:
    """Anonymous permissions are for each client that reaches the server, not for every page in its browser."""
    access = tmp_path / "access.json"
    command = [BINARY, "key", "create", "--name", "k", "--scopes", "subscribe,publish", "--access", access]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    shown = {"Authorization": f"Bearer {key}"}
    options = ("--access", str(access), "--allow-anonymous", "subscribe", "--allow-origin", "https://toasts.example")
    with Toastd(tmp_path, *options) as server:
        for path in (TOASTS, "/", "/v1/channels/ops/stream", "/v1/channels/ops/poll?wait=0"):
            refused = httpx.get(server.url + path, headers={"Host": "evil.example"})
            assert refused.status_code == 403
            assert refused.json()["type"] == "urn:toastd:problem:host-not-allowed"
            assert "--allow-origin" in refused.json()["detail"]
        assert httpx.get(server.url + TOASTS, headers={"Host": "toasts.example"}).status_code == 200
        # A key is enough: a page whose host name was rebound to this server cannot have one.
        assert httpx.get(server.url + TOASTS, headers={"Host": "evil.example", **shown}).status_code == 200


def test_a_server_that_always_needs_a_key_answers_under_any_name(tmp_path: Path) -> None:
    access = tmp_path / "access.json"
    access.write_text('{"keys": []}')
    with Toastd(tmp_path, "--access", str(access)) as server:
        assert httpx.get(f"{server.url}/", headers={"Host": "toasts.example"}).status_code == 200
        assert httpx.get(server.url + TOASTS, headers={"Host": "toasts.example"}).status_code == 401

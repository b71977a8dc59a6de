"""Permissions: every route of the API's description with every kind of credential."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
import yaml

from rights import NAMES, RIGHTS
from streams import EventStream, Socket
from toastd import BINARY, PUBLIC, ROOT, Toastd
from waiting import hang_up, until

SECRET = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA=="
NOBODY = "00000000-0000-7000-8000-000000000000"

NEEDING = {route: right for route, right in RIGHTS.items() if right}
SCOPES = ["publish", "subscribe", "respond", "manage"]


class House:
    """A server with keys and tokens."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "access.json"
        tokens = {"audience": "toastd", "keys": [{"kid": "a", "algorithm": "HS256", "secret": SECRET}]}
        self.file.write_text(json.dumps({"keys": [], "tokens": tokens}))
        self.server = Toastd(directory, "--access", str(self.file))

    def run(self, *arguments: str) -> str:
        command = [BINARY, *arguments, "--access", self.file]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()

    def key(self, scopes: str, channels: str = "*") -> str:
        """A key that the server knows from its start."""
        return self.run("key", "create", "--name", "test", "--scopes", scopes, "--channels", channels)

    def token(self, scopes: str, channels: str = "*", seconds: int = 600) -> dict[str, str]:
        options = ["--subject", "alice", "--scopes", scopes, "--channels", channels, f"--seconds={seconds}"]
        return {"Authorization": f"Bearer {self.run('token', *options)}"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.publisher = {"Authorization": f"Bearer {house.key('publish', 'ops*')}"}
    with house.server:
        yield house


@pytest.fixture(scope="module")
def tokens(house: House) -> dict[str, dict[str, str]]:
    """One token for each scope, and for the other cases of the matrix."""
    tokens = {scope: house.token(scope) for scope in SCOPES}
    tokens["others"] = house.token(",".join(SCOPES), "other*")
    tokens["expired"] = house.token(",".join(SCOPES), seconds=-60)
    return tokens


def send(house: House, route: tuple[str, str], headers: dict[str, str]) -> httpx.Response:
    method, path = route
    path = path.format(channel="ops", id=NOBODY, **NAMES)
    if path in ("/v1/stream", "/v1/poll", "/v1/socket"):
        path += "?channel=ops"
    if path.startswith("/v1/") and "poll" in path:
        path += "&wait=0" if "?" in path else "?wait=0"
    body = {} if method in ("get", "delete") else {"json": {"message": "x"}}
    with httpx.stream(method, house.server.url + path, headers=headers, timeout=60, **body) as response:
        if "event-stream" not in response.headers.get("content-type", ""):
            response.read()
    return response


def refusal(response: httpx.Response) -> str | None:
    """The name of the problem, if the caller was refused."""
    if response.status_code not in (401, 403):
        return None
    return response.json()["type"].removeprefix("urn:toastd:problem:")


def test_several_blanks_may_follow_the_scheme(house: House) -> None:
    """RFC 9110 §11.4: credentials are a scheme, 1*SP, and the rest."""
    scheme, key = house.publisher["Authorization"].split(" ")
    response = httpx.post(
        f"{house.server.url}/v1/channels/ops/toasts",
        json={"message": "m"},
        headers={"Authorization": f"{scheme}   {key}"},
    )
    assert response.status_code == 201, response.text


def test_the_table_names_every_operation_of_the_description() -> None:
    paths = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)["paths"]
    methods = {"get", "put", "post", "patch", "delete"}
    assert {(method, path) for path, item in paths.items() for method in item if method in methods} <= set(RIGHTS)


@pytest.mark.parametrize("route", NEEDING, ids=" ".join)
def test_each_operation_needs_a_token(house: House, route: tuple[str, str]) -> None:
    response = send(house, route, {})
    assert refusal(response) == "credentials-required"
    assert response.headers["www-authenticate"] == 'Bearer realm="toastd"'


@pytest.mark.parametrize("route", NEEDING, ids=" ".join)
def test_a_wrong_scope_is_not_enough(house: House, tokens: dict[str, dict[str, str]], route: tuple[str, str]) -> None:
    scope = NEEDING[route].split()[0]
    for other in set(SCOPES) - {scope}:
        response = send(house, route, tokens[other])
        assert refusal(response) == "not-permitted", other
        assert f'scope="{scope}"' in response.headers["www-authenticate"]


@pytest.mark.parametrize("route", NEEDING, ids=" ".join)
def test_rights_on_other_channels_are_not_enough(
    house: House, tokens: dict[str, dict[str, str]], route: tuple[str, str]
) -> None:
    assert refusal(send(house, route, tokens["others"])) == "not-permitted"


@pytest.mark.parametrize("route", NEEDING, ids=" ".join)
def test_the_right_scope_is_enough(house: House, tokens: dict[str, dict[str, str]], route: tuple[str, str]) -> None:
    scope = NEEDING[route].split()[0]
    assert refusal(send(house, route, tokens[scope])) is None


@pytest.mark.parametrize("route", RIGHTS, ids=" ".join)
def test_an_expired_token_is_refused(house: House, tokens: dict[str, dict[str, str]], route: tuple[str, str]) -> None:
    # From a separate address, because failed attempts are counted by address.
    transport = httpx.HTTPTransport(local_address="127.0.0.9")
    method, path = route
    path = path.format(channel="ops", id=NOBODY, **NAMES)
    with httpx.Client(transport=transport, base_url=house.server.url) as client:
        response = client.request(method, path, headers=tokens["expired"])
    # A hook checks only the secret in its path. After too many failures all routes answer 429.
    assert response.status_code in ((404, 429) if path.startswith("/v1/hooks/") else (401, 429))


def test_publishing_to_many_is_answered_for_each_channel(house: House) -> None:
    body = {"channels": ["ops-1", "other"], "toast": {"message": "x"}}
    response = httpx.post(f"{house.server.url}/v1/toasts", json=body, headers=house.publisher)
    assert response.status_code == 207
    assert [result["status"] for result in response.json()["results"]] == [201, 403]


def test_a_list_of_channels_has_only_readable_ones(house: House) -> None:
    for channel in ("seen-1", "hidden-1"):
        path = f"{house.server.url}/v1/channels/{channel}/toasts"
        assert httpx.post(path, json={"message": "x"}, headers=house.token("publish")).status_code == 201
    response = httpx.get(f"{house.server.url}/v1/channels", headers=house.token("subscribe", "seen*"))
    assert [channel["name"] for channel in response.json()["channels"]] == ["seen-1"]


def test_each_page_of_channels_has_only_readable_ones(house: House) -> None:
    for channel in ("page-1", "page-2", "page-3", "quiet-1", "quiet-2", "sound"):
        path = f"{house.server.url}/v1/channels/{channel}/toasts"
        assert httpx.post(path, json={"message": "x"}, headers=house.token("publish")).status_code == 201
    reader = house.token("subscribe", "page-2,quiet-2,page-3*,sound")
    seen, after = [], None
    while after is not None or not seen:
        params = {"limit": 1} | ({"after": after} if after else {})
        page = httpx.get(f"{house.server.url}/v1/channels", params=params, headers=reader).json()
        seen += [channel["name"] for channel in page["channels"]]
        after = page.get("next")
        assert after is None or seen[-1:] == [after], page
    assert seen == ["page-2", "page-3", "quiet-2", "sound"]


def test_webhook_urls_are_shown_only_with_manage(house: House) -> None:
    url = f"{house.server.url}/v1/channels/hooked/settings"
    settings = {"webhooks": [{"url": "https://hooks.example/T0/secret-path"}]}
    assert httpx.put(url, json=settings, headers=house.token("manage")).status_code == 200
    assert "secret-path" in httpx.get(url, headers=house.token("subscribe,manage")).text
    assert "secret-path" not in httpx.get(url, headers=house.token("subscribe")).text


def test_a_session_is_a_cookie_for_pages(house: House) -> None:
    with httpx.Client(base_url=house.server.url) as client:
        opened = client.post("/v1/session", headers=house.token("subscribe", "ops*", 300))
        assert opened.status_code == 201
        # Clocks may be 30 seconds apart.
        assert 320 <= opened.json()["expiresIn"] <= 330
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and cookie.startswith("toastd=")
        assert client.get("/v1/channels/ops/toasts").status_code == 200
        assert client.get("/v1/channels/other/toasts").status_code == 403
        # A session cannot create a credential that lives longer than itself.
        assert client.post("/v1/session").status_code == 401
        assert client.post("/v1/tickets").status_code == 401
        session = client.cookies["toastd"]
        assert client.delete("/v1/session").status_code == 204
        late = httpx.get(f"{house.server.url}/v1/channels/ops/toasts", headers={"Cookie": f"toastd={session}"})
        assert late.status_code == 401


def test_a_ticket_opens_one_stream(house: House) -> None:
    url = f"{house.server.url}/v1/channels/ops"
    made = httpx.post(f"{house.server.url}/v1/tickets", json={"channels": ["ops"]}, headers=house.token("subscribe"))
    assert made.status_code == 201
    ticket = made.json()["ticket"]
    with EventStream(f"{url}/stream", ticket=ticket) as stream:
        stream.wait("snapshot")
    assert httpx.get(f"{url}/stream", params={"ticket": ticket}).status_code == 401
    assert httpx.get(f"{url}/toasts", params={"ticket": ticket}).status_code == 401


@pytest.mark.parametrize(
    ("body", "pointer"), [({"scopes": ["root"]}, "/scopes"), ({"channels": ["a b"]}, "/channels"), ([], "")]
)
def test_an_invalid_request_for_a_ticket_is_refused(house: House, body: object, pointer: str) -> None:
    response = httpx.post(f"{house.server.url}/v1/tickets", json=body, headers=house.token("subscribe"))
    assert response.status_code == 422
    assert pointer in [issue["pointer"] for issue in response.json().get("errors", [{"pointer": ""}])]


def test_a_stream_ends_with_its_token(house: House) -> None:
    # Expired 25 s ago, but valid for 5 s more, because the issuer's clock may be 30 s slow.
    headers = house.token("subscribe", seconds=-25)
    started = time.monotonic()
    url = f"{house.server.url}/v1/channels/ops/stream"
    with httpx.stream("GET", url, headers=headers, timeout=60) as response:
        assert response.status_code == 200
        text = "".join(response.iter_text())
    assert "snapshot" in text
    assert time.monotonic() - started < 30


def test_each_command_of_a_socket_needs_its_permission(house: House) -> None:
    headers = house.token("subscribe")
    ticket = httpx.post(f"{house.server.url}/v1/tickets", headers=headers).json()["ticket"]
    with Socket(f"{house.server.url}/v1/channels/ops/socket", ticket=ticket) as socket:
        socket.wait("snapshot")
        error = socket.send(command="publish", toast={"message": "x"})
        assert error["problem"]["type"] == "urn:toastd:problem:not-permitted"


def test_secrets_are_never_logged(house: House) -> None:
    token = house.token("subscribe")["Authorization"]
    httpx.get(f"{house.server.url}/v1/channels/ops/toasts", headers={"Authorization": token + "x"})
    httpx.get(f"{house.server.url}/v1/channels/ops/stream", params={"ticket": "guess-the-ticket"})
    log = "".join(house.server.log)
    assert token.removeprefix("Bearer ") not in log
    assert "guess-the-ticket" not in log


def test_sighup_reads_the_access_file_again(tmp_path: Path) -> None:
    house = House(tmp_path)
    old = {"Authorization": f"Bearer {house.key('subscribe')}"}
    with house.server:
        url = f"{house.server.url}/v1/channels/ops/toasts"
        session = httpx.post(f"{house.server.url}/v1/session", headers=old).cookies["toastd"]
        cookie = {"Cookie": f"toastd={session}"}
        assert [httpx.get(url, headers=headers).status_code for headers in (old, cookie)] == [200, 200]
        stream = EventStream(f"{house.server.url}/v1/channels/ops/stream", headers=old)
        stream.wait("snapshot")
        pool = ThreadPoolExecutor(1)
        channel, cursor = url.removesuffix("/toasts"), httpx.get(url, headers=old).json()["cursor"]
        poll = pool.submit(httpx.get, f"{channel}/poll", params={"since": cursor, "wait": 60}, headers=old, timeout=90)
        until(lambda: httpx.get(channel, headers=old).json()["audience"]["poll"] == 1)
        house.run("key", "revoke", old["Authorization"].split("_")[1])
        new = {"Authorization": f"Bearer {house.key('subscribe')}"}
        assert httpx.get(url, headers=new).status_code == 401
        hang_up(house.server, "read again")
        assert [httpx.get(url, headers=headers).status_code for headers in (new, old, cookie)] == [200, 401, 401]
        stream.over()
        assert poll.result(30).json()["events"] == []
        # An invalid file changes nothing.
        house.file.write_text("{")
        hang_up(house.server, "stays as it was")
        assert httpx.get(url, headers=new).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_a_server_without_keys_listens_on_loopback_only(tmp_path: Path, host: str) -> None:
    command = [BINARY, "serve", "--listen", f"{host}:0", "--store", "memory", "--public", PUBLIC]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert ended.returncode != 0
    assert "--access" in ended.stderr and "--allow-anonymous" in ended.stderr


def test_anonymous_rights_are_what_the_flag_says(launch) -> None:
    server = launch("--allow-anonymous", "publish,subscribe")
    toast = httpx.post(f"{server.url}/v1/channels/ops/toasts", json={"message": "x"})
    assert toast.status_code == 201
    assert httpx.get(f"{server.url}/v1/channels/ops/toasts").status_code == 200
    assert httpx.put(f"{server.url}/v1/channels/ops/settings", json={}).status_code == 401


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"keys": [{}]}', '{"tokens": {"audience": "a", "keys": [{"kid": "a", "algorithm": "none"}]}}'],
)
def test_a_broken_access_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "access.json"
    path.write_text(text)
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", PUBLIC, "--access", path]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert ended.returncode != 0
    assert str(path) in ended.stderr


def test_a_wrong_access_file_is_refused_with_its_path_and_a_remedy(tmp_path: Path) -> None:
    closed = tmp_path / "closed.json"
    closed.write_text('{"keys": 3}')
    reasons = {
        tmp_path / "none.json": f"toastd key create --access {tmp_path / 'none.json'}",
        tmp_path: "is a directory",
        closed: "/keys",
    }
    for path, reason in reasons.items():
        server = Toastd(tmp_path, "--access", str(path), store="memory")
        run = subprocess.run(server.command, capture_output=True, text=True, cwd=ROOT, timeout=120)
        assert run.returncode != 0
        assert f"{path}: " in run.stderr and reason in run.stderr


@pytest.mark.parametrize(
    "length", [["key", "create", "--name", "k", "--days"], ["token", "--subject", "a", "--seconds"]]
)
@pytest.mark.parametrize("count", ["9223372036854775807", "99999999999"])
def test_a_lifetime_beyond_every_date_is_refused(house: House, length: list[str], count: str) -> None:
    command = [BINARY, *length, count, "--scopes", "publish", "--access", house.file]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (ended.returncode, ended.stdout) == (64, "")
    assert f"{length[-1]}: expected" in ended.stderr


def test_a_trusted_proxy_and_anonymous_access_cause_a_warning(launch, tmp_path: Path) -> None:
    warning = "everybody whom the trusted proxies let through may do anything"
    careless = launch("--trusted-proxies", "127.0.0.1", store="memory")
    careless.stop()
    assert sum(warning in line for line in careless.log) == 1
    decided = launch("--trusted-proxies", "127.0.0.1", "--allow-anonymous", "subscribe", store="memory")
    decided.stop()
    assert warning not in "".join(decided.log)

"""Limits on one document, message or head: each has a flag, its own problem, and is counted."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError

from limits import counted, post, problem
from raw import RawConnection
from streams import Socket
from toastd import BINARY, PUBLIC, ROOT, Toastd

Launch = Callable[..., Toastd]
PLAIN = {"message": "x"}


def nested(depth: int) -> dict[str, Any]:
    """A toast whose data has this depth."""
    return {**PLAIN, "data": json.loads("[" * (depth - 1) + "]" * (depth - 1))}


def localized(count: int) -> dict[str, Any]:
    return {"message": {"key": "k", "default": "d", "arguments": [1] * count}}


def acting(count: int) -> dict[str, Any]:
    return {**PLAIN, "actions": [{"id": f"a{number}", "title": "A"} for number in range(count)]}


# Flags, limits, functions that make a toast of a size, and the answer to a toast that exceeds the limit by one.
TOASTS = [
    ("--max-json-depth", 8, nested, 422, "document-too-deep"),
    ("--max-json-depth", 24, nested, 422, "document-too-deep"),
    ("--max-actions", 1, acting, 422, "too-many-actions"),
    ("--max-arguments", 2, localized, 422, "too-many-arguments"),
    ("--max-text-length", 10, lambda size: {"message": "x" * size}, 422, "text-too-long"),
    ("--max-name-length", 16, lambda size: {**PLAIN, "reuseIdentifier": "r" * size}, 422, "text-too-long"),
    (
        "--max-url-length",
        64,
        lambda size: {**PLAIN, "actions": [{"id": "a", "title": "A", "url": "https://e.example/".ljust(size, "u")}]},
        422,
        "text-too-long",
    ),
    ("--max-body-bytes", 2048, lambda size: {"message": "x" * (size - 14)}, 413, "payload-too-large"),
]


def spelled(value: object) -> str:
    """The name of a test case; for a function its name, because its default text has an address."""
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("flag", "bound", "make", "status", "name"), TOASTS, ids=spelled)
def test_the_content_of_a_toast_is_limited(
    launch: Launch, flag: str, bound: int, make: Callable[[int], Any], status: int, name: str
) -> None:
    server = launch(flag, str(bound))

    def send(size: int) -> httpx.Response:
        body = json.dumps(make(size), separators=(",", ":"))
        path = f"{server.url}/v1/channels/ops/toasts"
        return httpx.post(path, content=body, headers={"Content-Type": "application/json"})

    taken = send(bound)
    assert taken.status_code == 201, taken.text
    refused = send(bound + 1)
    assert refused.status_code == status
    assert problem(refused) == name
    assert counted(server, name) == 1
    # An accepted document can be read from the store, where it is nested in another one.
    server.stop()
    server = launch()
    assert httpx.get(f"{server.url}{taken.headers['location']}").status_code == 200


def test_an_invalid_member_takes_precedence_over_an_exceeded_limit(launch: Launch) -> None:
    server = launch("--max-actions", "1", "--max-text-length", "4")
    assert problem(post(server, {**acting(2), "role": "fatal"})) == "invalid-toast"
    assert problem(post(server, {"message": "x" * 5, **{"actions": acting(2)["actions"]}})) == "invalid-toast"
    assert problem(post(server, [PLAIN, acting(2)])) == "too-many-actions"
    toast = post(server).json()
    patch = httpx.patch(f"{server.url}/v1/channels/ops/toasts/{toast['id']}", json={"message": "x" * 5})
    assert problem(patch) == "text-too-long"
    with Socket(f"{server.url}/v1/channels/ops/socket") as socket:
        reply = socket.send(command="publish", toast=acting(2))
        assert reply["problem"]["type"] == "urn:toastd:problem:too-many-actions"
        assert reply["problem"]["errors"][0]["pointer"] == "/toast/actions"


def test_the_length_of_an_idempotency_key_is_limited(launch: Launch) -> None:
    server = launch("--max-idempotency-key-bytes", "36")
    for size, status in ((36, 201), (37, 400)):
        assert post(server, headers={"Idempotency-Key": "k" * size}).status_code == status
    assert counted(server, "idempotency-key-invalid") == 1


def test_the_webhooks_of_a_channel_are_limited(launch: Launch) -> None:
    server = launch("--max-webhooks", "2")
    for count, status in ((2, 200), (3, 422)):
        hooks = {"webhooks": [{"url": f"https://hooks.example/{number}"} for number in range(count)]}
        answer = httpx.patch(f"{server.url}/v1/channels/ops/settings", json=hooks)
        assert answer.status_code == status
    assert problem(answer) == "too-many-webhooks"
    assert counted(server, "too-many-webhooks") == 1


def test_the_queue_limit_applies_whatever_the_channels_capacity(launch: Launch) -> None:
    server = launch("--max-queue", "2")
    assert httpx.patch(f"{server.url}/v1/channels/ops/settings", json={"capacity": 100}).status_code == 200
    assert [post(server).status_code for _ in range(3)] == [201, 201, 429]
    refused = post(server)
    assert problem(refused) == "queue-full"
    assert "2 toasts" in refused.json()["detail"]


def test_the_size_and_the_number_of_catalogs_are_limited(launch: Launch) -> None:
    server = launch("--max-languages", "2", "--max-catalog-keys", "3", "--max-catalog-bytes", "1024")

    def put(language: str, count: int = 1, kind: str = "application/json", size: int = 0) -> httpx.Response:
        texts = {f"k{number}": "t".ljust(size, "t") for number in range(count)}
        lines = "".join(f'"{key}" = "{text}";\n' for key, text in texts.items())
        body = json.dumps(texts) if kind == "application/json" else lines
        return httpx.put(f"{server.url}/v1/catalogs/{language}", content=body, headers={"Content-Type": kind})

    assert put("de", 3).status_code == 201
    for kind in ("application/json", "text/x-strings"):
        assert problem(put("fr", 4, kind)) == "catalog-too-large"
    assert problem(put("fr", size=1024)) == "payload-too-large"
    assert put("fr").status_code == 201
    assert problem(put("it")) == "catalog-too-large"
    assert counted(server, "catalog-too-large") == 3
    server.stop()
    # Data that was accepted before a limit was lowered stays, and does not prevent a start of the server.
    server = launch("--max-languages", "1", "--max-catalog-keys", "1")
    assert len(httpx.get(f"{server.url}/v1/catalogs/de").json()) >= 3


@pytest.mark.parametrize(
    ("flags", "fields", "name"),
    [
        ([], [b"X: " + b"a" * 20_000], None),
        ([], [b"X: " + b"a" * 21_000], "head-too-large"),
        ([], [b"X-%d: " % number + b"a" * 195 for number in range(97)], "head-too-large"),
        (["--max-head-bytes", "4096"], [b"X: " + b"a" * 4096], "head-too-large"),
        (["--max-head-bytes", "65536"], [b"X: " + b"a" * 60_000], None),
        ([], [b"X-%d: a" % number for number in range(99)], None),
        ([], [b"X-%d: a" % number for number in range(100)], "too-many-header-fields"),
        (["--max-header-fields", "16"], [b"X-%d: a" % number for number in range(15)], None),
        (["--max-header-fields", "16"], [b"X-%d: a" % number for number in range(16)], "too-many-header-fields"),
    ],
)
def test_the_length_and_the_fields_of_a_head_are_limited(
    launch: Launch, flags: list[str], fields: list[bytes], name: str | None
) -> None:
    server = launch(*flags)
    head = b"\r\n".join([b"GET /livez HTTP/1.1", b"Host: toastd", *fields])
    with RawConnection(server.address) as connection:
        connection.send(head + b"\r\n\r\n")
        status, _, body = connection.answer()
    if name is None:
        assert status == 200
        return
    assert status == 431
    assert json.loads(body)["type"] == f"urn:toastd:problem:{name}"
    assert counted(server, name) == 1


def test_connections_are_limited_and_idle_ones_are_closed(launch: Launch) -> None:
    server = launch("--max-connections", "8", "--loops", "1")
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            connection = stack.enter_context(RawConnection(server.address))
            connection.send(b"GET /livez HTTP/1.1\r\nHost: toastd\r\n\r\n")
            assert connection.answer()[0] == 200
        text = httpx.get(f"{server.url}/metrics").text
    assert 1 <= int(re.search(r"^toastd_connections (\d+)", text, re.MULTILINE)[1]) <= 8


def closed(server: Toastd) -> int:
    text = httpx.get(f"{server.url}/metrics").text
    found = re.search(r'toastd_streams_closed_total\{transport="websocket",reason="refused"\} (\d+)', text)
    return int(found[1]) if found else 0


def test_the_length_of_a_socket_message_is_limited(launch: Launch) -> None:
    server = launch("--max-message-bytes", "1024")
    path = f"{server.url}/v1/channels/ops/socket"
    with Socket(path) as socket:
        assert socket.send(command="publish", toast={"message": "x" * 900})["type"] == "ack"
        socket.connection.send(json.dumps({"command": "publish", "toast": {"message": "x" * 1024}}))
        assert socket.close_code == 1009
    assert closed(server) == 1


def test_the_frames_of_a_socket_message_are_limited(launch: Launch) -> None:
    server = launch("--max-message-frames", "2")
    with Socket(f"{server.url}/v1/channels/ops/socket") as socket:
        # The server may refuse before the client has sent the last of the frames.
        with contextlib.suppress(ConnectionClosedError):
            socket.connection.send(["{", '"command":', '"sing"}'])
        assert socket.close_code == 1008
    assert closed(server) == 1


def test_the_failed_attempts_of_an_address_are_limited(launch: Launch, tmp_path) -> None:
    access = tmp_path / "access.json"
    options = ["--name", "k", "--scopes", "publish,subscribe", "--access", str(access)]
    subprocess.run([BINARY, "key", "create", *options], check=True, capture_output=True)

    def statuses(server: Toastd, count: int) -> list[int]:
        wrong = {"Authorization": "Bearer wrong"}
        return [httpx.get(f"{server.url}/v1/channels", headers=wrong).status_code for _ in range(count)]

    everything = ("--allow-anonymous", "publish,subscribe,respond,manage")
    server = launch("--access", str(access), *everything, "--limit-attempts", "1/h:2")
    assert statuses(server, 4) == [401, 401, 429, 429]
    assert counted(server, "too-many-attempts") == 2
    server.stop()
    server = launch("--access", str(access), "--limit-attempts", "none")
    assert statuses(server, 40) == [401] * 40


NONSENSE = [
    ("--max-json-depth", "25"), ("--max-queue", "10001"), ("--max-webhooks", "-1"), ("--max-languages", "0"),
    ("--max-catalog-bytes", "1"), ("--max-head-bytes", "1024"), ("--max-header-fields", "0"),
    ("--max-backlog-frames", "1"), ("--max-backlog-bytes", "100"), ("--max-commands", "0"),
    ("--max-message-bytes", "0"), ("--max-message-frames", "0"), ("--max-deliveries", "0"),
    ("--max-stored-channels", "0"), ("--max-idempotency-key-bytes", "2000"), ("--max-arguments", "-1"),
    ("--max-name-length", "1"), ("--max-url-length", "1"), ("--max-connections", "-1"), ("--limit-attempts", "often"),
]  # fmt: skip


@pytest.mark.parametrize(("flag", "value"), NONSENSE)
def test_an_invalid_limit_is_refused_at_the_start(flag: str, value: str) -> None:
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", PUBLIC, f"{flag}={value}"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert ended.returncode != 0
    words = flag.removeprefix("--").split("-")
    assert words[0] + "".join(word.capitalize() for word in words[1:]) + ": expected" in ended.stderr

"""Limits on numbers: each is reached, answered with its own problem, and counted."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from limits import counted, counted_as, post, problem, wait_for_room
from streams import EventStream, Socket
from toastd import BINARY, IS_INSTRUMENTED, Toastd
from waiting import wait_for_log

Launch = Callable[..., Toastd]

# How many


def test_streams_in_all_are_limited(launch: Launch) -> None:
    server = launch("--max-streams", "2")
    path = f"{server.url}/v1/channels/ops"
    with EventStream(f"{path}/stream") as one, EventStream(f"{path}/stream") as two:
        one.wait("snapshot")
        two.wait("snapshot")
        refused = httpx.get(f"{path}/poll")
        assert refused.status_code == 503
        assert problem(refused) == "too-many-streams"
        assert refused.headers["retry-after"] == "10"
        assert re.fullmatch(r"retry: \d+\n\n", httpx.get(f"{path}/stream").text)
        # A publisher that cannot wait gets its response at once.
        assert post(server, headers={"Prefer": "wait=30"}).status_code == 201
        assert counted(server, "too-many-streams") == 2
    wait_for_room(f"{path}/poll")


def test_streams_from_one_address_are_limited(launch: Launch) -> None:
    server = launch("--max-streams-per-source", "1")
    path = f"{server.url}/v1/channels/ops"
    with EventStream(f"{path}/stream") as stream:
        stream.wait("snapshot")
        refused = httpx.get(f"{path}/poll")
        assert refused.status_code == 429
        assert problem(refused) == "too-many-streams-from-source"
        assert refused.headers["retry-after"] == "30"
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.5")) as other:
            assert other.get(f"{path}/poll", params={"wait": 0}).status_code == 200
    assert counted(server, "too-many-streams-from-source") == 1
    wait_for_room(f"{path}/poll")


def test_streams_of_one_channel_are_limited(launch: Launch) -> None:
    server = launch("--max-streams-per-channel", "1")
    with EventStream(f"{server.url}/v1/channels/ops/stream") as stream:
        stream.wait("snapshot")
        refused = httpx.get(f"{server.url}/v1/channels/ops/poll")
        assert refused.status_code == 503
        assert problem(refused) == "too-many-streams-of-channel"
        both = httpx.get(f"{server.url}/v1/poll", params={"channel": ["lobby", "ops"]})
        assert problem(both) == "too-many-streams-of-channel"
        # The refused stream left no trace in the channel that had room.
        wait_for_room(f"{server.url}/v1/channels/lobby/poll")
        with EventStream(f"{server.url}/v1/channels/lobby/stream") as other:
            other.wait("snapshot")
    wait_for_room(f"{server.url}/v1/channels/ops/poll")


def test_a_socket_that_unsubscribes_makes_room_in_the_channel(launch: Launch) -> None:
    server = launch("--max-streams-per-channel", "1")
    with Socket(f"{server.url}/v1/socket") as socket:
        assert socket.send(command="subscribe", channel="ops")["type"] == "ack"
        assert problem(httpx.get(f"{server.url}/v1/channels/ops/poll")) == "too-many-streams-of-channel"
        assert socket.send(command="unsubscribe", channel="ops")["type"] == "ack"
        wait_for_room(f"{server.url}/v1/channels/ops/poll")


def test_channels_in_memory_are_limited_and_idle_ones_make_room(launch: Launch) -> None:
    server = launch("--max-channels", "2", "--loops", "1")
    streams = [EventStream(f"{server.url}/v1/channels/c{number}/stream") for number in range(2)]
    for stream in streams:
        stream.wait("snapshot")
    refused = post(server, channel="c2")
    assert refused.status_code == 503
    assert problem(refused) == "too-many-channels"
    assert refused.headers["retry-after"] == "10"
    assert counted(server, "too-many-channels") == 1
    for stream in streams:
        stream.close()
    deadline = time.monotonic() + 60
    while post(server, channel="c2").status_code != 201:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    # An unloaded channel is read again when it is needed.
    for number in range(10):
        while (answer := httpx.get(f"{server.url}/v1/channels/c{number}")).status_code != 200:
            assert problem(answer) == "too-many-channels"
            assert time.monotonic() < deadline + 60
            time.sleep(0.1)


def test_the_queue_is_limited(launch: Launch) -> None:
    server = launch()
    httpx.patch(f"{server.url}/v1/channels/ops/settings", json={"capacity": 2})
    assert [post(server).status_code for _ in range(2)] == [201, 201]
    assert problem(post(server)) == "queue-full"
    assert counted(server, "queue-full") == 1


def test_the_history_is_limited(launch: Launch) -> None:
    server = launch("--history-events", "10", store="memory")
    path = f"{server.url}/v1/channels/ops"
    start = httpx.get(f"{path}/toasts").json()["cursor"]
    for _ in range(12):
        assert post(server, [{"message": "x"}] * 100).status_code == 201
        assert httpx.delete(f"{path}/toasts").status_code == 200
    events = httpx.get(f"{path}/poll", params={"since": start, "wait": 0}).json()["events"]
    assert [event["type"] for event in events] == ["snapshot"]
    assert events[0]["reset"] is True


# How much


def test_a_document_is_limited(launch: Launch) -> None:
    server = launch("--max-batch", "3", "--max-actions", "1", "--max-text-length", "10")
    assert problem(post(server, [{"message": "x"}] * 4)) == "batch-too-large"
    actions = [{"id": name, "title": name} for name in "ab"]
    assert problem(post(server, {"message": "x", "actions": actions})) == "too-many-actions"
    assert problem(post(server, {"message": "x" * 11})) == "text-too-long"
    path, headers = f"{server.url}/v1/channels/ops/toasts", {"Content-Type": "application/json"}
    assert problem(httpx.post(path, content=b"[" * 17 + b"]" * 17, headers=headers)) == "document-too-deep"
    assert problem(httpx.post(path, content=b" " * 65_537, headers=headers)) == "payload-too-large"
    assert httpx.get(path, headers={"X-Filler": "x" * 40_000}).status_code == 431
    assert problem(post(server, headers={"Idempotency-Key": "k" * 256})) == "idempotency-key-invalid"
    hooks = {"webhooks": [{"url": f"https://hooks.example/{number}"} for number in range(100)]}
    assert problem(httpx.patch(f"{server.url}/v1/channels/ops/settings", json=hooks)) == "too-many-webhooks"
    for name in ("batch-too-large", "document-too-deep", "payload-too-large", "too-many-webhooks"):
        assert counted(server, name) >= 1, name


def test_the_channels_of_a_stream_are_limited(launch: Launch, server: Toastd) -> None:
    names = [f"c{number}" for number in range(129)]
    assert problem(httpx.get(f"{server.url}/v1/stream", params={"channel": names})) == "invalid-parameter"


@pytest.mark.timeout(300)
def test_a_hostile_publisher_does_not_fill_the_memory(launch: Launch) -> None:
    server = launch("--max-channels", "2", "--history-events", "10", "--loops", "1")
    body = json.dumps({"message": "m" * 4096, "data": {"x": "d" * 60_000}})
    assert len(body) <= 65_536
    headers = {"Content-Type": "application/json"}
    # Each toast replaces the one before; the channel keeps the last hundred dismissed toasts.
    settings = {"mode": "replace", "whenUnattended": "present"}
    with httpx.Client(base_url=server.url, timeout=30) as client:
        statuses = [client.patch(f"/v1/channels/c{number}/settings", json=settings).status_code for number in range(3)]
        assert statuses[:2] == [200, 200]

        def fill(rounds: range) -> None:
            for number in rounds:
                key = {"Idempotency-Key": f"key-{number}"}
                path = f"/v1/channels/c{number % 3}/toasts"
                answer = client.post(path, content=body, headers={**headers, **key})
                assert answer.status_code == (503 if number % 3 == 2 else 201), answer.text

        # The maximum number of channels is in memory, each with the maximum content.
        fill(range(330))
        full = server.resident_bytes
        fill(range(330, 480))
        # 9 MiB more were published, a part of it kept twice: as an event, and as the response to an idempotency key.
        assert server.resident_bytes - full < 5 * 1024 * 1024 or IS_INSTRUMENTED


def test_idempotency_keys_are_limited_and_the_oldest_are_removed(launch: Launch) -> None:
    def send(key: str) -> httpx.Response:
        return post(server, headers={"Idempotency-Key": key})

    def replayed(keys: range) -> list[bool]:
        return ["idempotency-replayed" in send(f"key-{number}").headers for number in keys]

    for store in (None, "memory"):
        server = launch("--max-idempotency-keys", "3", store=store)
        assert [send(f"key-{number}").status_code for number in range(5)] == [201] * 5
        assert replayed(range(2, 5)) == [True] * 3
        # The newest keys remain. A removed key counts as new, and removes another one.
        assert replayed(range(2)) == [False] * 2
        assert replayed(range(4, 5)) == [True]
        # Other channels have their own keys.
        assert post(server, channel="other", headers={"Idempotency-Key": "key-3"}).status_code == 201
        server.stop()
    server = launch("--max-idempotency-keys", "3")
    assert "idempotency-replayed" in send("key-4").headers


def made_key(access: Path) -> dict[str, str]:
    command = [BINARY, "key", "create", "--name", "k", "--scopes", "publish,subscribe", "--access", access]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    return {"Authorization": f"Bearer {made.stdout.strip()}"}


def test_bodies_sessions_and_channels_of_a_stream_have_the_configured_limits(launch: Launch, tmp_path: Path) -> None:
    access = tmp_path / "access.json"
    keys = [made_key(access) for _ in range(3)]
    key = keys[0]
    bounds = ("--max-body-bytes", "2048", "--max-channels-per-stream", "2", "--max-sessions", "1", "--max-tickets", "2")
    server = launch("--access", str(access), *bounds)
    assert post(server, {"message": "m" * 2000}, headers=key).status_code == 201
    assert problem(post(server, {"message": "m" * 2040}, headers=key)) == "payload-too-large"
    for count, status in ((2, 200), (3, 400)):
        names = {"channel": [f"c{number}" for number in range(count)], "wait": 0}
        assert httpx.get(f"{server.url}/v1/poll", params=names, headers=key).status_code == status
    for path, room in (("session", 1), ("tickets", 2)):
        answers = [httpx.post(f"{server.url}/v1/{path}", headers=key) for key in keys[: room + 1]]
        assert [answer.status_code for answer in answers] == [201] * room + [503]
        assert problem(answers[-1]) == "too-many-sessions"


def test_a_key_with_many_sessions_loses_only_its_own(launch: Launch, tmp_path: Path) -> None:
    access = tmp_path / "access.json"
    greedy, modest = (made_key(access) for _ in range(2))
    server = launch("--access", str(access), "--max-sessions", "20", "--max-tickets", "10")
    with httpx.Client(base_url=server.url, timeout=60) as client:

        def session(key: dict[str, str]) -> dict[str, str]:
            answer = client.post("/v1/session", headers=key)
            client.cookies.clear()
            assert answer.status_code == 201
            return {"Cookie": answer.headers["set-cookie"].split(";")[0]}

        def ticket(key: dict[str, str]) -> str:
            answer = client.post("/v1/tickets", headers=key)
            assert answer.status_code == 201
            return answer.json()["ticket"]

        first, oldest = session(modest), session(greedy)
        with EventStream(f"{server.url}/v1/channels/ops/stream", oldest) as stream:
            stream.wait("snapshot")
            sessions, last = [oldest, *(session(greedy) for _ in range(19))], session(modest)
            stream.over()
        # 18 sessions of `greedy` were removed, so that it has two, a tenth of the limit; none of `modest`.
        statuses = [client.get("/v1/channels/ops", headers=cookie).status_code for cookie in (first, *sessions, last)]
        assert statuses == [200] + [401] * 18 + [200] * 3
        # Tickets are valid for half a minute, which must suffice on any machine.
        early, tickets = ticket(modest), [ticket(greedy) for _ in range(10)]
        for each, status in ((early, 200), (tickets[-1], 200), (tickets[0], 401)):
            answer = client.get("/v1/channels/ops/poll", params={"ticket": each, "wait": 0})
            assert answer.status_code == status


@pytest.mark.timeout(300)
def test_the_memory_of_all_channels_is_limited(launch: Launch) -> None:
    server = launch("--max-memory", "128", "--loops", "1")
    body = json.dumps({"message": "m" * 4096, "data": {"x": "d" * 60_000}, "duration": "indefinite"})
    headers = {"Content-Type": "application/json"}
    path = "/v1/channels/ops"
    # The channel has a subscriber, so it is not idle, and is not unloaded.
    with (
        httpx.Client(base_url=server.url, timeout=30) as client,
        EventStream(f"{server.url}{path}/stream", events="configured") as stream,
    ):
        stream.wait("snapshot")
        assert client.patch(f"{path}/settings", json={"capacity": 10_000}).status_code == 200
        count = 0
        while (answer := client.post(f"{path}/toasts", content=body, headers=headers)).status_code == 201:
            count += 1
            assert count < 5000
        assert problem(answer) == "out-of-memory"
        assert answer.headers["retry-after"] == "10"
        assert counted(server, "out-of-memory") == 1
        assert "toastd_memory_limit_bytes 134217728" in client.get("/metrics").text
        wait_for_log(server, "out of memory")
        # Refused: changes, and loading another channel. Answered: reads of this channel, and requests that make room.
        assert problem(client.patch(f"{path}/settings", json={"mode": "stack"})) == "out-of-memory"
        assert problem(client.get("/v1/channels/never-seen")) == "out-of-memory"
        assert client.get(path).json()["queuedCount"] == count
        # The server measures its memory every half second, so it may exceed the limit for that long.
        assert server.resident_bytes < 256 * 1024 * 1024 or IS_INSTRUMENTED
        assert client.delete(f"{path}/toasts").status_code == 200
        if IS_INSTRUMENTED:
            return
        deadline = time.monotonic() + 60
        while client.post("/v1/channels/free/toasts", json={"message": "x"}).status_code != 201:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        wait_for_log(server, "there is memory again")


@pytest.mark.memory
def test_a_limit_on_address_space_limits_the_memory(tmp_path: Path) -> None:
    """The memory limit is below `ulimit -v`, because much of the address space is reserved but unused."""
    server = Toastd(tmp_path, store="memory")
    server.command = ["bash", "-c", f'ulimit -v {1536 * 1024}; exec "$@"', "toastd", *server.command]
    with server:
        limit = int(counted_as(server, "toastd_memory_limit_bytes"))
        assert 64 * 1024 * 1024 < limit < 1536 * 1024 * 1024 // 4 * 3
        assert post(server).status_code == 201

"""Unread replays, snapshots and lists take a limited part of memory, and do not affect other clients."""

from __future__ import annotations

import contextlib
import json
import re
import select
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from channel import Channel
from limits import problem
from raw import RawConnection
from streams import EventStream, Poller, Socket
from toastd import IS_INSTRUMENTED, Toastd
from waiting import until

# Data that makes an event of 60 KB.
LARGE = "d" * 60_000
PAGE = 256 * 1024
MIB = 2**20


def fill(channel: Channel, count: int) -> list[str]:
    """Changes a toast `count` times, by an event of 60 KB each; returns the cursor before each event."""
    toast = channel.publish("changes", duration="indefinite")
    life, start = channel.cursor().rsplit("-", 1)
    for number in range(count):
        assert channel.patch(toast, {"data": {"number": number, "x": LARGE}}).status_code == 200
    return [f"{life}-{int(start) + number}" for number in range(count)]


def peak(server: Toastd) -> int:
    """The maximum memory that the server has had so far."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", (server.proc / "status").read_text())[1]) * 1024


@contextlib.contextmanager
def asking(server: Toastd, targets: list[str], source: str | None = None) -> Iterator[list[RawConnection]]:
    """Connections whose response has begun and is not read."""
    field = f"X-Forwarded-For: {source}\r\n" if source else ""
    connections = []
    try:
        for target in targets:
            connections.append(RawConnection(server.address, receive_buffer=4096))
            connections[-1].send(f"GET {target} HTTP/1.1\r\nHost: toastd\r\n{field}\r\n".encode())
        for connection in connections:
            assert select.select([connection.socket], [], [], 60)[0], "no answer has begun"
        yield connections
    finally:
        for connection in connections:
            connection.socket.close()


def status(connection: RawConnection) -> int:
    return int(connection.socket.recv(12).split()[1])


@pytest.mark.memory
def test_unread_replays_do_not_fill_the_memory(launch):
    server = launch("--max-memory", "200", "--stall-timeout", "3600")
    channel = Channel(server.url, "ops")
    cursors = fill(channel, 250)
    before = server.resident_bytes
    paths = ["stream", "poll"]
    targets = [f"{channel.path}/{paths[number % 2]}?since={cursors[number]}&wait=0" for number in range(60)]
    with asking(server, targets):
        grown = peak(server) - before
        print(f"\n60 readers of nothing in front of 15 MB each: {grown / MIB:.0f} MiB")
        # A page of the replay for each client, SQLite's reads, and freed memory that malloc keeps.
        assert grown < 90 * MIB or IS_INSTRUMENTED
        # A client that reads gets all of it meanwhile.
        with EventStream(f"{server.url}{channel.path}/stream", since=cursors[0]) as stream:
            numbers = [event["toast"]["data"]["number"] for event in stream.count("updated", 250)]
            assert numbers == list(range(250))
        assert peak(server) - before < 90 * MIB or IS_INSTRUMENTED


def test_a_poll_answers_a_page_and_the_next_one_goes_on_from_there(launch):
    server = launch()
    channel = Channel(server.url, "ops")
    cursor = fill(channel, 12)[0]
    numbers: list[int] = []
    for _ in range(12):
        answer = channel.http.get(f"{channel.path}/poll", params={"since": cursor, "wait": 0})
        events = answer.json()["events"]
        assert len(answer.content) <= PAGE + 1024
        numbers += [event["toast"]["data"]["number"] for event in events if event["type"] == "updated"]
        if not events:
            break
        cursor = answer.json()["cursor"]
    assert numbers == list(range(12))


def test_a_poll_finds_the_selected_type_after_many_pages(launch):
    server = launch()
    channel = Channel(server.url, "ops")
    cursor = fill(channel, 12)[0]
    channel.http.delete(f"{channel.path}/toasts")
    answer = channel.poll(cursor, wait=0, events="dismissed")
    assert [event["type"] for event in answer["events"]] == ["dismissed"]


@pytest.mark.parametrize("consumer", [EventStream, Socket, Poller])
def test_events_during_a_replay_follow_it_once(launch, consumer):
    server = launch()
    channel = Channel(server.url, "ops")
    cursor = fill(channel, 60)[0]
    kind = {EventStream: "stream", Socket: "socket", Poller: "poll"}[consumer]
    with consumer(f"{server.url}{channel.path}/{kind}", since=cursor) as stream:
        toast = channel.toasts()[0]
        for number in range(60, 90):
            assert channel.patch(toast, {"data": {"number": number, "x": LARGE[: number * 500]}}).status_code == 200
        updates = stream.count("updated", 90)
        assert [event["toast"]["data"]["number"] for event in updates] == list(range(90))


def test_a_stream_of_several_channels_replays_all_of_them(launch):
    server = launch()
    names = ["a", "b", "c"]
    cursors = [fill(Channel(server.url, name), 8)[0] for name in names]
    life = cursors[0].split("-")[0]
    places = "~".join(f"{name}.{cursor.split('-')[1]}" for name, cursor in zip(names, cursors, strict=True))
    with EventStream(f"{server.url}/v1/stream", channel=names, since=f"{life}-{places}") as stream:
        updates = stream.count("updated", 24)
        for name in names:
            own = [event["toast"]["data"]["number"] for event in updates if event["channel"] == name]
            assert own == list(range(8))
        last = stream.frames[-1].id
    # Each frame has the stream's position in all channels.
    with EventStream(f"{server.url}/v1/stream", channel=names, since=last) as stream:
        stream.count("resumed", 3)
        assert not [event for event in stream.events if event["type"] == "updated"]


def test_a_replay_whose_history_is_removed_ends_in_a_reset(launch):
    server = launch("--history-events", "40", "--stall-timeout", "3600")
    channel = Channel(server.url, "ops")
    cursor = fill(channel, 30)[0]
    with RawConnection(server.address, receive_buffer=4096) as reader:
        reader.send(f"GET {channel.path}/stream?since={cursor} HTTP/1.1\r\nHost: toastd\r\n\r\n".encode())
        assert reader.answer(has_body=False)[0] == 200
        toast = channel.toasts()[0]
        for number in range(30, 300):
            assert channel.patch(toast, {"data": {"number": number, "x": LARGE[:3000]}}).status_code == 200
        end = channel.cursor()
        seen: list[dict] = []
        deadline = time.monotonic() + 60
        while not seen or seen[-1]["cursor"] != end:
            assert time.monotonic() < deadline, [event["type"] for event in seen]
            data = reader.socket.recv(65536)
            assert data, "the stream was ended"
            reader.rest += data
            *whole, reader.rest = reader.rest.split(b"\n\n")
            lines = [line for block in whole for line in block.split(b"\n") if line.startswith(b"data: ")]
            seen += [json.loads(line[6:]) for line in lines]
    offsets = [int(event["cursor"].rsplit("-", 1)[1]) for event in seen]
    resets = [place for place, event in enumerate(seen) if event["type"] == "snapshot"]
    assert resets and all(seen[place]["reset"] is True for place in resets)
    for place in range(1, len(seen)):
        assert offsets[place] == offsets[place - 1] + 1 or place in resets, "a gap that nobody told of"


@pytest.mark.memory
def test_unread_snapshots_and_lists_do_not_fill_the_memory(launch):
    server = launch("--max-memory", "200", "--stall-timeout", "3600", "--max-connections", "400")
    channel = Channel(server.url, "ops")
    channel.configure(mode="stack", maxVisible="unlimited", duration="indefinite", whenUnattended="present")
    for _ in range(150):
        assert channel.post({"message": "x", "data": {"x": LARGE}}).status_code == 201
    before = server.resident_bytes
    # A snapshot of 9 MB in a budget of 25 MiB for itself and one more.
    targets = [f"{channel.path}/stream", f"{channel.path}/poll", f"{channel.path}/toasts"] * 20
    with asking(server, targets):
        grown = peak(server) - before
        assert httpx.get(f"{server.url}/livez").status_code == 200
        assert channel.post({"message": "others go on"}).status_code == 201
    print(f"\n60 readers of nothing in front of 9 MB each: {grown / MIB:.0f} MiB")
    assert grown < 130 * MIB or IS_INSTRUMENTED


@pytest.mark.memory
def test_unread_ntfy_messages_do_not_fill_the_memory(launch):
    server = launch("--ntfy", "on", "--max-memory", "200", "--stall-timeout", "3600", "--max-body-bytes", "262144")
    channel = Channel(server.url, "ops")
    for _ in range(40):
        assert channel.post([{"message": "\u4e00" * 4096}] * 20).status_code == 201
    before = server.resident_bytes
    # 10 MB for each reader in a budget of 25 MiB.
    with asking(server, ["/ops/json?since=all"] * 20) as connections:
        statuses = [status(connection) for connection in connections]
        grown = peak(server) - before
        assert httpx.get(f"{server.url}/livez").status_code == 200
    assert set(statuses) == {200, 503}
    assert grown < 130 * MIB or IS_INSTRUMENTED
    messages = httpx.get(f"{server.url}/ops/json?since=all&poll=1", timeout=60)
    assert len(messages.text.splitlines()) == 800


@pytest.mark.memory
def test_one_source_leaves_room_for_the_answers_to_others(launch):
    server = launch("--max-memory", "100", "--stall-timeout", "3600", "--trusted-proxies", "127.0.0.1")
    channel = Channel(server.url, "ops")
    cursors = fill(channel, 120)

    def get(source: str, path: str, **query: object) -> httpx.Response:
        return channel.http.get(f"{channel.path}/{path}", params=query, headers={"X-Forwarded-For": source})

    def is_spent(source: str) -> bool:
        answer = get(source, "poll", since=cursors[0], wait=0)
        return answer.status_code == 503 and problem(answer) == "out-of-memory"

    # Twice as many pages as the budget holds.
    targets = [f"{channel.path}/stream?since={cursor}" for cursor in cursors[:100]]
    with asking(server, targets, "203.0.113.1"):
        until(lambda: is_spent("203.0.113.1"))
        for source in ["203.0.113.2", "2001:db8::1"]:
            events = get(source, "poll", since=cursors[0], wait=0).json()["events"]
            assert events[0]["toast"]["data"]["number"] == 0
            assert get(source, "toasts").json()["toasts"]
            with EventStream(f"{server.url}{channel.path}/stream", headers={"X-Forwarded-For": source}) as stream:
                assert stream.wait("snapshot")["cursor"] == channel.cursor()
        # With 100 connections of a second source as well, there is still room for a third source.
        with asking(server, targets, "203.0.113.2"):
            until(lambda: is_spent("203.0.113.2"))
            assert get("203.0.113.3", "poll", since=cursors[0], wait=0).json()["events"]
    until(lambda: not is_spent("203.0.113.1"))


def test_a_long_list_comes_in_pages(launch):
    server = launch()
    channel = Channel(server.url, "ops")
    ids = [channel.post({"message": "x", "data": {"x": LARGE}}).json()["id"] for _ in range(10)]
    found, after, pages = [], {}, 0
    while True:
        answer = channel.http.get(f"{channel.path}/toasts", params=after)
        assert answer.status_code == 200, answer.text
        assert len(answer.content) <= PAGE + 1024
        found += [toast["id"] for toast in answer.json()["toasts"]]
        pages += 1
        if "next" not in answer.json():
            break
        after = {"after": answer.json()["next"]}
    assert found == ids
    assert pages == 3
    two = channel.http.get(f"{channel.path}/toasts", params={"limit": 2}).json()
    assert [toast["id"] for toast in two["toasts"]] == ids[:2]
    assert two["next"] == ids[1]
    # A toast that no longer exists cannot start a page.
    channel.http.delete(f"{channel.path}/toasts/{ids[1]}")
    gone = channel.http.get(f"{channel.path}/toasts", params={"after": ids[1]})
    assert problem(gone) == "toast-not-found"
    for wrong in ({"after": "x"}, {"limit": "0"}, {"limit": "1001"}):
        assert problem(channel.http.get(f"{channel.path}/toasts", params=wrong)) == "invalid-parameter"


@contextlib.contextmanager
def confined(server: Toastd, limit: int) -> Iterator[bool]:
    """Puts the server into a control group with this much memory; false if this machine does not allow it."""
    root = Path("/sys/fs/cgroup")
    is_version_2 = (root / "cgroup.controllers").exists()
    group = (root if is_version_2 else root / "memory") / f"toastd-test-{server.process.pid}"
    try:
        group.mkdir()
        (group / ("memory.max" if is_version_2 else "memory.limit_in_bytes")).write_text(str(limit))
        (group / "cgroup.procs").write_text(str(server.process.pid))
    except OSError as error:
        print(f"\nno control group can be made here: {error}")
        with contextlib.suppress(OSError):
            group.rmdir()
        yield False
        return
    try:
        yield True
    finally:
        server.stop()
        group.rmdir()


def publish_times(channel: Channel, count: int) -> list[float]:
    times = []
    for _ in range(count):
        started = time.perf_counter()
        assert channel.post({"message": "another channel"}).status_code == 201
        times.append(time.perf_counter() - started)
        assert channel.http.delete(f"{channel.path}/toasts").status_code == 200
    return sorted(times)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_hundreds_of_stalled_readers_do_not_get_the_server_killed(launch):
    server = launch("--max-memory", "400")
    with confined(server, 512 * MIB) as is_confined:
        channel, other = Channel(server.url, "ops"), Channel(server.url, "other")
        cursors = fill(channel, 1000)
        filled = peak(server)
        alone = publish_times(other, 500)
        targets = [f"{channel.path}/stream?since={cursors[number]}" for number in range(500)]
        targets += [f"{channel.path}/poll?since={cursors[number]}&wait=0" for number in range(200)]
        with asking(server, targets) as readers:
            crowded = publish_times(other, 500)
            refused = sum(status(reader) == 503 for reader in readers[500:])
        most = peak(server)
        assert server.process.poll() is None
    first, then = alone[len(alone) * 99 // 100], crowded[len(crowded) * 99 // 100]
    print(f"\npeak {most / MIB:.0f} MiB, {filled / MIB:.0f} MiB of it before; in a group of 512 MiB: {is_confined}")
    print(f"{refused} of 200 polls refused; publish p99 {first * 1e3:.1f} ms alone, {then * 1e3:.1f} ms beside them")
    assert most <= 450 * MIB or IS_INSTRUMENTED
    # A publish waits for the disk, whose times vary by some milliseconds.
    assert then <= 3 * first + 0.005

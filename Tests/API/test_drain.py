"""A server that is told to stop first reports that it is not ready, tells clients to reconnect, and answers all."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from raw import RawConnection
from streams import EventStream, Socket, instant
from toastd import BINARY
from waiting import until

QUESTION = {"message": "Delete?", "duration": "indefinite"}


def crowd(server, number: int) -> list[RawConnection]:
    """Readers of event streams, on all loops."""
    streams = []
    for _ in range(number):
        stream = RawConnection(server.address)
        stream.send(b"GET /v1/channels/a/stream HTTP/1.1\r\nHost: toastd\r\n\r\n")
        assert stream.answer(has_body=False)[0] == 200
        streams.append(stream)
    return streams


def test_a_draining_server_is_unready_and_serves_on(launch):
    server = launch("--drain-delay", "15", store="memory")
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/readyz").status_code == 200
        server.tell_to_stop()
        deadline = time.monotonic() + 14
        while (response := client.get("/readyz")).status_code == 200:
            assert time.monotonic() < deadline
        assert response.status_code == 503
        assert response.json()["type"] == "urn:toastd:problem:shutting-down"
        assert client.get("/livez").status_code == 200
        assert client.post("/v1/channels/a/toasts", json={"message": "m"}).status_code == 201
    server.stop()


def test_waiting_requests_are_answered_on_all_loops(launch):
    server = launch("--loops", "4")
    url = f"{server.url}/v1/channels/a"
    with ThreadPoolExecutor(24) as pool:
        polls = [pool.submit(httpx.get, f"{url}/poll?since={cursor(url)}&wait=30", timeout=70) for _ in range(12)]
        until(lambda: httpx.get(url).json()["audience"]["poll"] == 12)
        asked = [
            pool.submit(httpx.post, f"{url}/toasts", json=QUESTION, headers={"Prefer": "wait=30"}, timeout=70)
            for _ in range(12)
        ]
        until(lambda: len(httpx.get(f"{url}/toasts").json()["toasts"]) == 12)
        server.stop()
        assert {poll.result().status_code for poll in polls} == {200}
        # 201: a question that came too late to wait for its outcome is stored like any toast.
        statuses = {answer.result().status_code for answer in asked}
        assert 202 in statuses and statuses <= {201, 202}
        assert all(answer.result().json()["state"] != "dismissed" for answer in asked)


def test_every_stream_is_told_when_to_reconnect(launch):
    server = launch("--loops", "2", store="memory")
    streams = crowd(server, 700)
    server.tell_to_stop()
    retries = []
    for stream in streams:
        with stream:
            text = stream.until_closed().decode()
        assert text.count("event: shutdown\n") == 1, text
        retries.append(int(text.rsplit("retry: ", 1)[1].split("\n")[0]))
    # After 28 s the server would give up, with another exit status.
    server.stop()
    assert min(retries) >= 1000 and max(retries) <= 10_000
    assert len(set(retries)) > 300


def test_streams_are_ended_in_groups(launch):
    server = launch("--loops", "1", store="memory")
    streams = crowd(server, 1000)
    server.tell_to_stop()
    times = []
    for stream in streams:
        with stream:
            text = stream.until_closed().decode()
        event = text.split("event: shutdown\ndata: ", 1)[1].split("\n")[0]
        times.append(instant(json.loads(event)))
    # Groups of 250 streams, a tenth of a second apart.
    assert max(times) - min(times) > 0.2
    server.stop()


def test_a_socket_that_sends_gets_the_close_frame(launch):
    """A connection that is closed with unread input is reset, and the close frame would be lost."""
    server = launch(store="memory")
    address = f"{server.url}/v1/channels/a/socket".replace("http", "ws", 1)
    with connect(address, subprotocols=["toastd.v1"], open_timeout=60, ping_interval=None) as socket:
        socket.recv(60)
        server.tell_to_stop()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.send('{"command": "nothing"}' * 500)
                time.sleep(0.001)
        assert closed.value.rcvd.code == 1012
    server.stop()


def test_streams_and_sockets_get_a_shutdown_event(launch):
    server = launch(store="memory")
    with (
        EventStream(f"{server.url}/v1/channels/a/stream") as stream,
        Socket(f"{server.url}/v1/channels/a/socket") as ws,
    ):
        stream.wait("snapshot")
        ws.wait("snapshot")
        server.tell_to_stop()
        for consumer in (stream, ws):
            event = consumer.wait("shutdown")
            assert 1 <= event["retry"] <= 10
            assert abs(instant(event) - time.time()) < 10
            consumer.over()
        assert ws.connection.close_code == 1012
    server.stop()


def test_a_second_signal_ends_the_server_at_once(launch):
    server = launch("--drain-delay", "15", store="memory")
    server.tell_to_stop()
    deadline = time.monotonic() + 60
    while not any("stopping" in text for text in server.log):
        assert time.monotonic() < deadline
    started = time.monotonic()
    server.tell_to_stop()
    assert server.process.wait(14) == 128 + signal.SIGTERM
    assert time.monotonic() - started < 14


def test_requests_under_way_are_finished(launch):
    """Publishers send without a pause; every toast that was answered with 201 is stored."""
    server = launch()
    with ThreadPoolExecutor(8) as pool:

        def publish() -> int:
            accepted = 0
            with httpx.Client(base_url=server.url) as client:
                while True:
                    try:
                        response = client.post("/v1/channels/a/toasts", json={"message": "m"})
                    except (httpx.ConnectError, httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                        return accepted
                    if response.status_code == 503:
                        return accepted
                    assert response.status_code in (201, 429), response.text
                    accepted += response.status_code == 201

        publishers = [pool.submit(publish) for _ in range(8)]
        deadline = time.monotonic() + 60
        while httpx.get(f"{server.url}/v1/channels/a").json()["queuedCount"] < 100:
            assert time.monotonic() < deadline
        server.stop()
        accepted = sum(publisher.result(60) for publisher in publishers)
    again = launch()
    stored = httpx.get(f"{again.url}/v1/channels/a").json()
    assert stored["queuedCount"] + stored.get("presentedCount", 0) >= accepted


def cursor(url: str) -> str:
    return httpx.get(f"{url}/toasts").json()["cursor"]


def test_the_end_waits_for_files_that_are_being_read_again(launch, tmp_path):
    access = tmp_path / "access.json"
    options = ["--name", "k", "--scopes", "publish,subscribe", "--access", access]
    subprocess.run([BINARY, "key", "create", *options], check=True, capture_output=True)
    # Reading this many keys takes longer than the rest of the shutdown.
    document = json.loads(access.read_text())
    document["keys"] = [{**document["keys"][0], "id": f"{number:08x}"} for number in range(5000)]
    access.write_text(json.dumps(document))
    server = launch("--access", str(access), store="memory")
    server.process.send_signal(signal.SIGHUP)
    server.stop()
    assert not any("ending at once" in line for line in server.log)

"""Thousands of idle streams cost little, and all of them get the next toast."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from channel import Channel
from toastd import IS_INSTRUMENTED

CLIENT = Path(__file__).with_name("idle_client.py")
PROCESSES = 2


@pytest.mark.timeout(240)
def test_every_idle_stream_gets_the_next_toast(launch, soak):
    streams = 10_000 if soak else 1000
    server = launch(store="memory")
    channel = Channel(server.url, "idle")
    channel.publish("warm-up")
    channel.http.delete(f"{channel.path}/toasts")
    host, port = server.address
    before = server.resident_bytes
    clients = [
        subprocess.Popen(
            [sys.executable, str(CLIENT), host, str(port), channel.name, str(streams // PROCESSES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    try:
        assert [client.stdout.readline() for client in clients] == [f"ready {streams // PROCESSES}\n"] * PROCESSES
        assert channel.summary()["audience"]["sse"] == streams
        idle = server.resident_bytes
        started = time.monotonic()
        toast = channel.publish("wake up")
        assert [client.stdout.readline() for client in clients] == [f"seen {streams // PROCESSES}\n"] * PROCESSES
        elapsed = time.monotonic() - started
        assert channel.get(toast).json()["state"] == "presented"
    finally:
        for client in clients:
            client.kill()
            client.wait()
            client.stdin.close()
            client.stdout.close()
    per_stream = (idle - before) / streams
    print(f"\n{streams} idle streams: {per_stream:.0f} bytes each; all had the toast after {elapsed * 1000:.0f} ms")
    assert per_stream < 8192 or IS_INSTRUMENTED
    assert elapsed < 10

    deadline = time.monotonic() + 20
    while channel.summary()["audience"]["sse"]:
        assert time.monotonic() < deadline, "streams that left are still counted"
        time.sleep(0.05)
    channel.close()

"""The wall clock may be set to any time: an unusable one is an error, and never ends a running process."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from callers import access_file, caller
from channel import Channel
from streams import EventStream
from toastd import IS_INSTRUMENTED, PUBLIC, ROOT, Toastd
from wall_clock import build_library, move_clock

YEAR = 365.2425 * 86_400


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("clock"))


class Clock:
    """The wall clock of processes that are started with the environment that it sets."""

    def __init__(self, directory: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = directory / "offset"
        self.set(time.time())
        # A sanitizer's own library must be the first.
        others = os.environ.get("LD_PRELOAD", "")
        libraries = [others, library] if IS_INSTRUMENTED else [library, others]
        monkeypatch.setenv("LD_PRELOAD", ":".join(str(name) for name in libraries if name))
        monkeypatch.setenv("WALL_CLOCK_FILE", str(self.file))

    def set(self, seconds: float) -> None:
        """Sets the clock to this many seconds since 1970; it runs on from there."""
        move_clock(self.file, int(seconds - time.time()))


@pytest.fixture
def clock(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(tmp_path, library, monkeypatch)


def serve(directory: Path) -> subprocess.CompletedProcess[str]:
    """Starts a server that is expected to end by itself."""
    binary = Toastd(directory).command[0]
    options = ["--listen", "127.0.0.1:0", "--store", "memory", "--public", str(PUBLIC)]
    return subprocess.run([binary, "serve", *options], capture_output=True, text=True, cwd=ROOT, timeout=60)


@pytest.mark.parametrize("years", [-1, 292.5, 300, 8000])
def test_a_server_does_not_start_at_an_unusable_time(clock: Clock, tmp_path: Path, years: float) -> None:
    clock.set(years * YEAR)
    ended = serve(tmp_path)
    assert ended.returncode == 1, ended
    assert "The clock of this machine" in ended.stderr
    assert "Fatal error" not in ended.stderr


@pytest.mark.parametrize("years", [0.1, 291.2])
def test_a_server_starts_at_every_usable_time(clock: Clock, tmp_path: Path, years: float) -> None:
    clock.set(years * YEAR)
    with Toastd(tmp_path, store="memory") as server:
        toast = httpx.post(f"{server.url}/v1/channels/ops/toasts", json={"message": "m"})
        assert toast.status_code == 201
        assert toast.json()["createdAt"].startswith(str(1970 + int(years)))


def test_a_stream_ends_with_its_credential_by_the_current_clock(clock: Clock, tmp_path: Path) -> None:
    clock.set(time.time() + 13 * 3600)
    reader = caller("somebody", ("publish,subscribe", "*"))
    with Toastd(tmp_path, "--access", str(access_file(tmp_path)), store="memory") as server:
        # The token is valid for an hour from the machine's time; by the clock at the start it had expired.
        clock.set(time.time())
        url = f"{server.url}/v1/channels/ops"
        with EventStream(f"{url}/stream", headers=reader) as stream:
            stream.wait("snapshot")
            assert httpx.post(f"{url}/toasts", json={"message": "m"}, headers=reader).status_code == 201
            stream.wait("presented")


@pytest.mark.parametrize("years", [292.5, 8000, -100])
def test_a_clock_that_is_set_does_not_end_a_running_server(clock: Clock, tmp_path: Path, years: float) -> None:
    writer = caller("somebody", ("publish", "*"))
    with Toastd(tmp_path, "--access", str(access_file(tmp_path)), store="memory") as server:
        url = f"{server.url}/v1/channels/ops/toasts"
        assert httpx.post(url, json={"message": "m"}, headers=writer).status_code == 201
        clock.set(years * YEAR)
        # In the future the token has expired. Each request is answered, and has its line in the log.
        assert httpx.post(url, json={"message": "m"}, headers=writer).status_code == (401 if years > 0 else 201)
        assert httpx.get(f"{server.url}/readyz").status_code == 200
        clock.set(time.time())
        assert httpx.get(f"{server.url}/readyz").status_code == 200


def test_a_replay_counts_down_also_after_the_clock_was_set_back(clock: Clock, tmp_path: Path) -> None:
    with Toastd(tmp_path) as server:
        Channel(server.url, "ops").publish()
    clock.set(time.time() - 3600)
    with Toastd(tmp_path) as server:
        channel = Channel(server.url, "ops")
        url = f"{server.url}{channel.path}/stream"
        with EventStream(url) as stream:
            before = stream.wait("presented")["cursor"]
            toast = channel.publish(duration=60)
            stream.wait("presented", id=toast["id"])
            channel.let_pass(1.2)
            with EventStream(url, since=before) as again:
                assert 50 < again.wait("presented", id=toast["id"])["remaining"] <= 58.9

"""Fixtures: a real server, one that a test may stop and start again at the same address, and a scripted one."""

from __future__ import annotations

import importlib.util
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients/python/src"))


def _server_class() -> Any:
    """Loads Tests/API/toastd.py under another name, because its own is that of the package."""
    spec = importlib.util.spec_from_file_location("toastd_server", ROOT / "Tests/API/toastd.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["toastd_server"] = module
    spec.loader.exec_module(module)
    return module.Toastd


ServerProcess = _server_class()


STREAM = {"Content-Type": "text/event-stream"}


class NoMoreAnswersError(Exception):
    """The client sent more requests than the test has answers."""


class Scripted(httpx.MockTransport):
    """Gives one answer after another, and keeps the requests. An answer that is an exception is raised."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.requests: list[httpx.Request] = []
        rest = iter(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            given = next(rest, NoMoreAnswersError())
            if isinstance(given, Exception):
                raise given
            return given

        super().__init__(answer)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replaces the pauses between attempts; the list has their seconds."""
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only pauses advance; the list has its time in seconds."""
    clock = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr("time.sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    return clock


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def restartable(tmp_path: Path) -> Iterator[Any]:
    """A server on a port that stays the same when it starts again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = ServerProcess(tmp_path, "--listen", f"127.0.0.1:{port}")
    server.command.remove("127.0.0.1:0")
    server.command.remove("--listen")
    server.start()
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """The name of a channel that no other test uses."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', request.node.name)[:40]}-{secrets.token_hex(4)}"


@pytest.fixture
def configure(server: Any) -> Callable[..., None]:
    def configure(channel: str, url: str = "", **settings: Any) -> None:
        httpx.put(f"{url or server.url}/v1/channels/{channel}/settings", json=settings).raise_for_status()

    return configure


@pytest.fixture
def launch_with_key(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a server with an access file, and a key."""
    access = tmp_path / "access.json"
    command = [ServerProcess(tmp_path).command[0], "key", "create", "--access", str(access), "--name", "test"]
    key = subprocess.run([*command, "--scopes", "publish,subscribe"], check=True, capture_output=True, text=True).stdout
    with ServerProcess(tmp_path, "--access", str(access)) as server:
        yield server.url, re.search(r"toastd_\S+", key)[0]

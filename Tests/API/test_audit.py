"""The audit log names the caller of each change; and a log that is not read blocks nothing."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from logs import Line, lines, read_text, wait_for
from raw import RawConnection
from streams import EventStream
from toastd import PUBLIC, ROOT, Toastd


@pytest.fixture
def house(tmp_path, launch) -> tuple[Toastd, str]:
    """A server with a key that has all scopes."""
    file = tmp_path / "access.json"
    binary = Toastd(tmp_path).command[0]
    scopes = "publish,subscribe,respond,manage"
    create = [binary, "key", "create", "--access", str(file), "--name", "boss", "--scopes", scopes]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    return launch("--access", str(file), "--log-format", "json", store="memory"), key


def test_each_change_is_in_the_audit_log_with_its_caller(house):
    server, key = house
    identity = "key:" + key.split("_")[1]
    boss = httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {key}"})
    channel = "/v1/channels/ops"
    secret = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    webhook = {"url": "https://example.org/geheim", "secret": secret}

    def record(message: str, answer: httpx.Response, **fields: Any) -> Line:
        assert answer.status_code < 300, answer.text
        (line,) = wait_for(server, logger="audit", message=message, request=answer.headers["x-request-id"])
        expected = {"caller": identity, "source": "127.0.0.1", "level": "notice", **fields}
        assert {name: line.get(name) for name in expected} == expected
        return line

    answer = boss.put(f"{channel}/settings", json={"webhooks": [webhook], "mode": "fifo"})
    record("settings replaced", answer, members="mode,webhooks", path=f"{channel}/settings")
    patch = {"content": b'{"capacity": 5}', "headers": {"Content-Type": "application/merge-patch+json"}}
    record("settings changed", boss.patch(f"{channel}/settings", **patch), members="capacity")
    record("settings reset", boss.delete(f"{channel}/settings"))
    record("default settings changed", boss.patch("/v1/settings", json={"capacity": 100}), path="/v1/settings")
    record("catalog replaced", boss.put("/v1/catalogs/de", json={"hello": "Hallo"}), path="/v1/catalogs/de")
    record("catalog removed", boss.delete("/v1/catalogs/de"))
    record("channel cleared", boss.delete(f"{channel}/toasts"), path=f"{channel}/toasts")
    record("channel deleted", boss.delete(channel), path=channel)
    session = boss.post("/v1/session")
    record("session opened", session)
    ticket = boss.post("/v1/tickets")
    record("ticket made", ticket)
    with EventStream(f"{server.url}{channel}/stream", ticket=ticket.json()["ticket"]) as stream:
        stream.wait("snapshot")
    page = httpx.Client(base_url=server.url, cookies=session.cookies)
    record("session closed", page.delete("/v1/session"))

    wrong = httpx.get(f"{server.url}{channel}", headers={"Authorization": "Bearer geraten"})
    (line,) = wait_for(server, logger="audit", message="authentication failed")
    assert (line["request"], line["problem"]) == (wrong.headers["x-request-id"], "credentials-invalid")
    assert "caller" not in line

    # Reading, and requests without a key, are not audited.
    assert boss.get(channel).status_code == 200
    assert httpx.get(f"{server.url}{channel}").status_code == 401
    assert boss.put(f"{channel}/settings", json={"mode": "nonsense"}).status_code == 422
    wait_for(server, logger="access", status=422)
    assert len([line for line in lines(server) if line["logger"] == "audit"]) == 12
    log = "".join(server.log)
    secrets = [key.split("_")[-1], secret, "geheim", "geraten", ticket.json()["ticket"], *session.cookies.values()]
    assert not [it for it in secrets if it in log]
    boss.close()
    page.close()


def test_the_access_log_can_be_off(launch):
    server = launch("--access-log", "off", store="memory")
    assert httpx.get(f"{server.url}/livez").status_code == 200
    assert httpx.delete(f"{server.url}/v1/channels/ops/toasts").status_code == 200
    wait_for(server, logger="audit", message="channel cleared")
    assert not [line for line in lines(server) if line["logger"] == "access"]


@pytest.mark.parametrize(
    ("option", "value"), [("--log-format", "xml"), ("--access-log", "maybe"), ("--log-level", "loud")]
)
def test_an_invalid_setting_is_refused(tmp_path, option, value):
    server = Toastd(tmp_path, option, value)
    run = subprocess.run(server.command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode != 0
    assert "expected" in run.stderr


class Unread:
    """A server whose standard error is not read until the test reads it."""

    def __init__(self, binary: str) -> None:
        self.read_end, write_end = os.pipe()
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", str(PUBLIC)]
        self.process = subprocess.Popen(command, stderr=write_end, cwd=ROOT)
        os.close(write_end)
        self.text = b""
        while b"\n" not in self.text:
            self.text += os.read(self.read_end, 4096)
        self.port = int(re.search(rb"127\.0\.0\.1:(\d+)", self.text)[1])

    def read_all(self) -> None:
        while data := os.read(self.read_end, 65536):
            self.text += data


@pytest.fixture
def unread(tmp_path) -> Callable[[], Unread]:
    server = Unread(Toastd(tmp_path).command[0])
    yield server
    server.process.kill()
    server.process.wait()
    os.close(server.read_end)


def ask_often(port: int, count: int) -> float:
    """Sends this many requests, and returns the longest time that a hundred responses took."""
    slowest = 0.0
    with RawConnection(("127.0.0.1", port)) as connection:
        for _ in range(count // 100):
            started = time.monotonic()
            connection.send(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" * 100)
            for _ in range(100):
                assert connection.answer()[0] == 200
            slowest = max(slowest, time.monotonic() - started)
    return slowest


def test_requests_do_not_wait_for_an_unread_log(unread):
    # A pipe holds 64 KiB, about 300 lines; the number of further waiting lines is limited.
    assert ask_often(unread.port, 12_000) < 30
    metrics = httpx.get(f"http://127.0.0.1:{unread.port}/metrics").text
    dropped = float(re.search(r"^toastd_log_lines_dropped_total (\S+)$", metrics, re.MULTILINE)[1])
    assert dropped > 1000
    reader = threading.Thread(target=unread.read_all, daemon=True)
    reader.start()
    deadline = time.monotonic() + 60
    while b"log lines were dropped" not in unread.text:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert ask_often(unread.port, 100) < 30
    unread.process.terminate()
    assert unread.process.wait(20) == 0
    reader.join(60)
    told = [read_text(line) for line in unread.text.decode().splitlines()]
    assert sum(int(line["count"]) for line in told if "count" in line) >= dropped
    assert told[-1]["message"] == "stopped"


def test_a_stop_does_not_wait_for_an_unread_log(unread):
    ask_often(unread.port, 2000)
    unread.process.terminate()
    assert unread.process.wait(20) == 0

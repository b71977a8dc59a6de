"""The number of stored channels is limited; an empty channel no longer counts."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from limits import counted, post, problem
from streams import EventStream
from toastd import BINARY, Toastd

Launch = Callable[..., Toastd]


def stored(server: Toastd) -> int:
    text = httpx.get(f"{server.url}/metrics").text
    return int(re.search(r"^toastd_channels_stored (\d+)", text, re.MULTILINE)[1])


@pytest.mark.parametrize("store", [None, "memory"])
def test_stored_channels_are_limited(launch: Launch, store: str | None) -> None:
    server = launch("--max-stored-channels", "2", store=store)
    assert [post(server, channel=f"c{number}").status_code for number in range(2)] == [201, 201]
    refused = post(server, channel="c2")
    assert refused.status_code == 503
    assert problem(refused) == "too-many-stored-channels"
    assert refused.headers["retry-after"] == "60"
    # Requests that would create a channel are refused; existing channels continue.
    settings = httpx.patch(f"{server.url}/v1/channels/c2/settings", json={"mode": "stack"})
    assert problem(settings) == "too-many-stored-channels"
    hooks = {"webhooks": [{"url": "https://hooks.example/"}]}
    assert problem(httpx.patch(f"{server.url}/v1/channels/c2/settings", json=hooks)) == "too-many-stored-channels"
    many = httpx.post(f"{server.url}/v1/toasts", json={"channels": ["c1", "c2"], "toast": {"message": "x"}}).json()
    assert "too-many-stored-channels" in str(many)
    assert post(server, channel="c0").status_code == 201
    # Reads and streams create no channel.
    assert httpx.get(f"{server.url}/v1/channels/c2").status_code == 200
    with EventStream(f"{server.url}/v1/channels/c2/stream") as stream:
        stream.wait("snapshot")
    assert counted(server, "too-many-stored-channels") >= 3
    assert stored(server) == 2


def test_the_number_is_known_after_a_restart(launch: Launch) -> None:
    server = launch("--max-stored-channels", "2")
    for number in range(2):
        assert post(server, channel=f"c{number}").status_code == 201
    server.kill()
    server = launch("--max-stored-channels", "2")
    assert stored(server) == 2
    assert problem(post(server, channel="c2")) == "too-many-stored-channels"
    assert post(server, channel="c1").status_code == 201
    server.stop()
    # A lower limit removes nothing.
    server = launch("--max-stored-channels", "1")
    assert post(server, channel="c1").status_code == 201
    assert problem(post(server, channel="c2")) == "too-many-stored-channels"


def test_an_empty_channel_makes_room(launch: Launch, tmp_path: Path) -> None:
    server = launch("--max-stored-channels", "3")
    for name in ("empty", "full", "set"):
        assert post(server, channel=name).status_code == 201
    for name in ("empty", "set"):
        assert httpx.delete(f"{server.url}/v1/channels/{name}/toasts").status_code == 200
    assert httpx.patch(f"{server.url}/v1/channels/set/settings", json={"mode": "stack"}).status_code == 200
    cursor = httpx.get(f"{server.url}/v1/channels/empty").json()["cursor"]
    server.stop()
    # Moves all events 13 hours back, beyond the retention of half a day.
    with sqlite3.connect(tmp_path / "toastd.db") as database:
        database.execute("UPDATE events SET at = at - 13 * 3600 * 1000000000")
    database.close()

    server = launch("--max-stored-channels", "3")
    with httpx.Client(base_url=server.url) as client:
        while stored(server) == 3:
            pass
        assert [channel["name"] for channel in client.get("/v1/channels").json()["channels"]] == ["full", "set"]
        assert post(server, channel="new").status_code == 201
        assert problem(post(server, channel="newer")) == "too-many-stored-channels"
        # A client with a cursor of the forgotten channel misses nothing, or gets `reset`.
        assert client.get("/v1/channels/empty").json()["cursor"] == cursor
        new = client.get("/v1/channels/new").json()["cursor"]
        assert int(new.rsplit("-", 1)[1]) > int(cursor.rsplit("-", 1)[1])
    server.stop()
    command = [BINARY, "store", "check", "--store", f"sqlite:{tmp_path / 'toastd.db'}"]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr

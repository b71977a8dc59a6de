"""`toastd store copy`: from a file to a cluster and back, while nothing runs."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from channel import Channel
from cluster import Node
from nats import NATSServer
from streams import EventStream
from toastd import BINARY, Toastd
from waiting import until

MERGE = {"Content-Type": "application/merge-patch+json"}
CHANNELS = ["alpha", "beta", "gamma"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NATSServer]:
    server = NATSServer("single", tmp_path_factory.mktemp("nats"))
    try:
        server.restart()
        yield server
    finally:
        server.kill()


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    file = tmp_path / "cluster-key"
    file.write_text(secrets.token_hex(32) + "\n")
    return file


@pytest.fixture
def store(server: NATSServer) -> str:
    """The URL of an empty store in NATS."""
    return f"{server.url}?prefix=t{secrets.token_hex(4)}"


def copy(source: str, target: str, key_file: Path) -> subprocess.CompletedProcess[str]:
    command = [str(BINARY), "store", "copy", source, target, "--cluster-key-file", str(key_file)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOASTD_")}
    return subprocess.run(
        [*command, "--nats-replicas", "1"], capture_output=True, text=True, timeout=120, env=environment
    )


def node(store: str, key_file: Path) -> Node:
    return Node("n0", store, key_file, "--nats-replicas", "1", "--webhook-allow", "127.0.0.0/8")


def fill(url: str) -> None:
    """Creates channels with every kind of data that is stored."""
    for name in CHANNELS:
        channel = Channel(url, name)
        channel.configure(mode="stack", maxVisible=4)
        for number in range(5):
            channel.publish(f"{name} {number}", duration="indefinite")
        dismissed = channel.publish("over")
        channel.dismiss(dismissed)
    hooks = [{"url": "http://127.0.0.1:9/hook", "events": ["enqueued"]}]
    Channel(url, "alpha").configure(webhooks=hooks)
    Channel(url, "alpha").publish("for the webhook", duration="indefinite")
    key = {"Idempotency-Key": "once"}
    assert Channel(url, "beta").post({"message": "once", "duration": "indefinite"}, headers=key).status_code == 201
    assert httpx.put(f"{url}/v1/catalogs/de", json={"saved": "Gespeichert"}).status_code in (200, 201)
    defaults = {"channels": {"gamma": {"duration": 9}}}
    assert httpx.patch(f"{url}/v1/settings", json=defaults, headers=MERGE).status_code == 200


def content(url: str) -> dict[str, object]:
    """All that clients can read, except cursors and entity tags, which depend on the store's epoch."""
    channels = httpx.get(f"{url}/v1/channels").json()["channels"]
    settings = [httpx.get(f"{url}/v1/channels/{name}/settings").json() for name in CHANNELS]
    hook = settings[0]["own"]["webhooks"][0]["id"]
    deliveries = httpx.get(f"{url}/v1/channels/alpha/webhooks/{hook}/deliveries").json()
    return {
        "channels": [{**channel, "cursor": None} for channel in channels],
        "toasts": [Channel(url, name).toasts() for name in CHANNELS],
        "dismissed": [Channel(url, name).toasts("dismissed") for name in CHANNELS],
        "settings": settings,
        "waiting": deliveries["waitingCount"],
        "catalogs": httpx.get(f"{url}/v1/catalogs").json(),
        "defaults": httpx.get(f"{url}/v1/settings").json(),
    }


def test_a_copy_there_and_back_has_everything(tmp_path: Path, store: str, key_file: Path) -> None:
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    with Toastd(tmp_path, "--webhook-allow", "127.0.0.0/8", store=f"sqlite:{first}") as server:
        fill(server.url)
        before = content(server.url)
        refused = copy(f"sqlite:{first}", store, key_file)
        assert refused.returncode == 2, "a server has the store"
    copied = copy(f"sqlite:{first}", store, key_file)
    assert copied.returncode == 0, copied.stderr
    assert "3 channels" in copied.stdout
    with node(store, key_file) as other:
        other.wait_until_ready()
        assert content(other.url) == before
        # The answer to a repetition is that of the first request.
        key = {"Idempotency-Key": "once"}
        again = Channel(other.url, "beta").post({"message": "once", "duration": "indefinite"}, headers=key)
        assert again.json()["id"] in [toast["id"] for toast in before["toasts"][1]]
        assert len(Channel(other.url, "beta").toasts()) == len(before["toasts"][1])
        Channel(other.url, "alpha").publish("later", duration="indefinite")
        after = content(other.url)
        assert copy(store, f"sqlite:{last}", key_file).returncode == 2, "a node uses the cluster"
    copied = copy(store, f"sqlite:{last}", key_file)
    assert copied.returncode == 0, copied.stderr
    with Toastd(tmp_path, "--webhook-allow", "127.0.0.0/8", store=f"sqlite:{last}") as server:
        assert content(server.url) == after


def test_clients_of_the_old_store_miss_nothing(tmp_path: Path, store: str, key_file: Path) -> None:
    file = tmp_path / "old.db"
    with Toastd(tmp_path, store=f"sqlite:{file}") as server:
        channel = Channel(server.url, "ops")
        channel.publish("one", duration="indefinite")
        with EventStream(f"{server.url}/v1/channels/ops/stream") as stream:
            cursor = stream.wait("presented")["cursor"]
        channel.publish("two", duration="indefinite")
    assert copy(f"sqlite:{file}", store, key_file).returncode == 0
    with node(store, key_file) as other:
        other.wait_until_ready()
        with EventStream(f"{other.url}/v1/channels/ops/stream", since=cursor) as stream:
            assert stream.wait("enqueued")["toast"]["message"] == "two"
        epoch, offset = cursor.rsplit("-", 1)
        unknown = f"{epoch}-{int(offset) + 1000}"
        with EventStream(f"{other.url}/v1/channels/ops/stream", since=unknown) as stream:
            assert stream.wait("snapshot")["reset"] is True


def test_an_existing_store_is_not_overwritten(tmp_path: Path, store: str, key_file: Path) -> None:
    file = tmp_path / "old.db"
    with Toastd(tmp_path, store=f"sqlite:{file}") as server:
        Channel(server.url, "ops").publish("one", duration="indefinite")
    assert copy(f"sqlite:{file}", store, key_file).returncode == 0
    second = copy(f"sqlite:{file}", store, key_file)
    assert second.returncode == 1 and "not empty" in second.stderr
    third = copy(store, f"sqlite:{file}", key_file)
    assert third.returncode == 1 and "already" in third.stderr
    missing = copy(f"sqlite:{tmp_path / 'none.db'}", store, key_file)
    assert missing.returncode == 2 and not (tmp_path / "none.db").exists()
    assert copy("memory", store, key_file).returncode == 64


@pytest.mark.parametrize("replicas", ["five", "9", "0"])
def test_a_wrong_number_of_replicas_is_reported(tmp_path: Path, store: str, key_file: Path, replicas: str) -> None:
    file = tmp_path / "old.db"
    with Toastd(tmp_path, store=f"sqlite:{file}"):
        pass
    command = [str(BINARY), "store", "copy", f"sqlite:{file}", store, "--cluster-key-file", str(key_file)]
    environment = {**os.environ, "TOASTD_NATS_REPLICAS": replicas}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 1
    assert f"natsReplicas: expected a number from 1 to 5 (TOASTD_NATS_REPLICAS has {replicas})" in done.stderr


def test_a_copy_that_was_killed_is_not_used(tmp_path: Path, server: NATSServer, store: str, key_file: Path) -> None:
    file = tmp_path / "old.db"
    with Toastd(tmp_path, store=f"sqlite:{file}") as source:
        for start in range(0, 400, 100):
            names = [f"c{number}" for number in range(start, start + 100)]
            toast = {"message": "one", "duration": "indefinite"}
            assert httpx.post(f"{source.url}/v1/toasts", json={"channels": names, "toast": toast}).status_code == 201
    before = server.monitor("/jsz")["messages"]
    command = [str(BINARY), "store", "copy", f"sqlite:{file}", store, "--cluster-key-file", str(key_file)]
    process = subprocess.Popen([*command, "--nats-replicas", "1"], stderr=subprocess.DEVNULL)
    until(lambda: server.monitor("/jsz")["messages"] > before + 10)
    process.kill()
    assert process.wait() == -signal.SIGKILL

    refused = subprocess.run(node(store, key_file).command, capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0 and "was not finished" in refused.stderr
    copied = copy(f"sqlite:{file}", store, key_file)
    assert copied.returncode == 0, copied.stderr
    with node(store, key_file) as other:
        other.wait_until_ready()
        page = httpx.get(f"{other.url}/v1/channels").json()
        count = len(page["channels"])
        while "next" in page:
            page = httpx.get(f"{other.url}/v1/channels", params={"after": page["next"]}).json()
            count += len(page["channels"])
        assert count == 400

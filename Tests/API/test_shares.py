"""No caller can use up the shares of others: of idempotency keys, and of deliveries to webhooks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from callers import access_file, caller
from limits import post, problem
from receiver import Receiver
from toastd import Toastd
from waiting import until

Launch = Callable[..., Toastd]


@pytest.fixture
def start(launch: Launch, tmp_path: Path) -> Launch:
    """Starts a server that accepts tokens, on one store."""
    file = access_file(tmp_path)
    return lambda *options, **others: launch("--access", str(file), *options, **others)


def keyed(server: Toastd, key: str, headers: dict[str, str], message: str = "x") -> httpx.Response:
    return post(server, {"message": message}, headers={**headers, "Idempotency-Key": key})


def is_replay(response: httpx.Response) -> bool:
    assert response.status_code == 201, response.text
    return "idempotency-replayed" in response.headers


# Idempotency keys


@pytest.mark.parametrize("store", ["memory", None], ids=["memory", "sqlite"])
def test_a_caller_that_fills_a_channels_keys_loses_only_its_own(start: Launch, store: str | None) -> None:
    server = start("--max-idempotency-keys", "6", store=store)
    greedy, modest = (caller(name, ("publish", "*")) for name in ("greedy", "modest"))
    assert not is_replay(keyed(server, "first", modest))
    assert not any(is_replay(keyed(server, f"k{number}", greedy)) for number in range(20))
    assert not is_replay(keyed(server, "second", modest))
    if store is None:
        server.kill()
        server = start("--max-idempotency-keys", "6", store=store)
    assert all(is_replay(keyed(server, key, modest)) for key in ("first", "second"))
    assert all(is_replay(keyed(server, f"k{number}", greedy)) for number in range(16, 20))
    assert not is_replay(keyed(server, "k0", greedy))
    # Also after a restart: all removed keys were those of `greedy`.
    assert all(is_replay(keyed(server, key, modest)) for key in ("first", "second"))


def test_callers_with_one_key_each_lose_none(start: Launch) -> None:
    server = start("--max-idempotency-keys", "2")
    callers = [caller(name, ("publish", "*")) for name in "abc"]
    assert [keyed(server, "k", headers).status_code for headers in callers] == [201, 201, 429]
    assert problem(keyed(server, "k", callers[2])) == "too-many-idempotency-keys"
    assert all(is_replay(keyed(server, "k", headers)) for headers in callers[:2])


@pytest.mark.parametrize("store", ["memory", None], ids=["memory", "sqlite"])
def test_a_key_is_its_senders_own(start: Launch, store: str | None) -> None:
    """Otherwise a client that guesses the keys of another one could use them up, or get the other one's responses."""
    server = start(store=store)
    alice, bob = (caller(name, ("publish", "*")) for name in ("alice", "bob"))
    assert not is_replay(keyed(server, "order-1", alice, "of alice"))
    assert not is_replay(keyed(server, "order-1", bob, "of bob"))
    assert is_replay(keyed(server, "order-1", alice, "of alice"))
    assert problem(keyed(server, "order-1", bob, "of alice")) == "idempotency-key-reused"


# Webhooks


class DeadReceivers:
    """Accepts connections at all addresses of 127.0.0.0/8, and never responds."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("0.0.0.0", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self.connections: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                self.connections.append(self._listener.accept()[0])
            except OSError:
                return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)
        for connection in self.connections:
            connection.close()


@pytest.fixture
def dead() -> Iterator[DeadReceivers]:
    receivers = DeadReceivers()
    yield receivers
    receivers.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def tell(server: Toastd, channel: str, urls: list[str], headers: dict[str, str]) -> None:
    """Sets webhooks that get each new toast of a channel."""
    webhooks = [{"url": url, "events": ["enqueued"]} for url in urls]
    path = f"{server.url}/v1/channels/{channel}/settings"
    answer = httpx.put(path, json={"webhooks": webhooks}, headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("owner", ["alice", "mallory"], ids=["another-tenant", "the-same-tenant"])
def test_dead_receivers_stop_no_other_delivery(
    start: Launch, dead: DeadReceivers, receiver: Receiver, owner: str
) -> None:
    server = start("--webhook-allow", "127.0.0.0/8")
    rights = "publish,subscribe,manage"
    mallory, alice = caller("mallory", (rights, "*")), caller(owner, (rights, "*"))
    tell(server, "alive", [receiver.url()], alice)
    assert post(server, channel="alive", headers=alice).status_code == 201
    receiver.wait(1)
    for number in range(24):
        urls = [f"http://127.1.{number}.{host}:{dead.port}/" for host in range(1, 9)]
        tell(server, f"dead-{number}", urls, mallory)
    batch = [{"message": str(number)} for number in range(8)]
    for number in range(24):
        assert post(server, batch, f"dead-{number}", headers=mallory).status_code == 201
    # An owner whose receivers do not respond gets at most 8 slots; without shares it would get all.
    until(lambda: len(dead.connections) >= 8)
    # An attempt ends after 15 seconds, so a delivery that had to wait for a slot would miss the timeout of 8 seconds.
    assert post(server, channel="alive", headers=alice).status_code == 201
    receiver.wait(2, timeout=8)


def test_one_address_under_many_names_is_one_receiver(start: Launch, dead: DeadReceivers) -> None:
    """Otherwise the owner of many names could direct all deliveries at one address."""
    server = start("--webhook-allow", "127.0.0.0/8")
    mallory = caller("mallory", ("publish,subscribe,manage", "*"))
    # Every name under localhost is this machine (RFC 6761 §6.3).
    urls = [f"http://n{number}.localhost:{dead.port}/" for number in range(8)]
    tell(server, "dead", urls, mallory)
    assert post(server, channel="dead", headers=mallory).status_code == 201
    # The server postpones deliveries beyond the limit for one address at once; the others wait for 15 seconds.
    until(lambda: sum("connections to 127.0.0.1" in line for line in server.log) >= 4, patience=10)
    # The receiver may accept the connections later.
    until(lambda: len(dead.connections) >= 4, patience=10)
    assert len(dead.connections) == 4

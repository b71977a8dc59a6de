"""Keys, sessions and tickets of a cluster: one that a node issues is valid at all nodes, and ends at all of them."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from cluster import Cluster
from nats import NATSCluster
from streams import EventStream
from test_access import House
from waiting import until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, nats: NATSCluster, house: House) -> Iterator[Cluster]:
    """A cluster whose nodes have the same access file."""
    with Cluster(tmp_path_factory.mktemp("guarded"), nats, "--access", str(house.file)) as cluster:
        yield cluster


def test_a_session_of_one_node_is_valid_at_all_until_it_is_ended(guarded: Cluster, house: House) -> None:
    urls = [node.url for node in guarded.nodes]
    with httpx.Client(base_url=urls[0]) as client:
        assert client.post("/v1/session", headers=house.token("subscribe", "ops*")).status_code == 201
        cookie = {"Cookie": f"toastd={client.cookies['toastd']}"}
    for url in urls:
        assert httpx.get(f"{url}/v1/channels/ops/toasts", headers=cookie).status_code == 200
        assert httpx.get(f"{url}/v1/channels/other/toasts", headers=cookie).status_code == 403
    with EventStream(f"{urls[2]}/v1/channels/ops/stream", cookie) as stream:
        stream.wait("snapshot")
        assert httpx.delete(f"{urls[1]}/v1/session", headers=cookie).status_code == 204
        stream.over()
    for url in urls:
        until(lambda url=url: httpx.get(f"{url}/v1/channels/ops/toasts", headers=cookie).status_code == 401)


def test_a_ticket_opens_one_stream_whichever_node_issued_it(guarded: Cluster, house: House) -> None:
    urls = [node.url for node in guarded.nodes]
    for issuer in range(3):
        made = httpx.post(f"{urls[issuer]}/v1/tickets", json={"channels": ["ops"]}, headers=house.token("subscribe"))
        assert made.status_code == 201, made.text
        ticket = made.json()["ticket"]
        opener = urls[(issuer + 1) % 3]
        with EventStream(f"{opener}/v1/channels/ops/stream", ticket=ticket) as stream:
            stream.wait("snapshot")
        for url in urls:
            again = httpx.get(f"{url}/v1/channels/ops/stream", params={"ticket": ticket})
            assert again.status_code == 401


def test_of_many_simultaneous_uses_of_a_ticket_one_succeeds(guarded: Cluster, house: House) -> None:
    urls = [node.url for node in guarded.nodes]
    made = httpx.post(f"{urls[0]}/v1/tickets", json={"channels": ["ops"]}, headers=house.token("subscribe"))
    streams = [
        EventStream(f"{url}/v1/channels/ops/stream", ticket=made.json()["ticket"]) for url in urls for _ in range(3)
    ]
    try:
        until(lambda: sum(stream.is_over for stream in streams) == 8)
        next(stream for stream in streams if not stream.is_over).wait("snapshot")
        assert sum(any(event["type"] == "snapshot" for event in stream.events) for stream in streams) == 1
    finally:
        for stream in streams:
            stream.close()


def test_a_key_is_valid_at_every_node(guarded: Cluster, house: House) -> None:
    token = house.token("publish,subscribe")
    for node in guarded.nodes:
        url = f"{node.url}/v1/channels/ops/toasts"
        assert httpx.post(url, json={"message": "m"}, headers=token).status_code == 201
        assert httpx.post(url, json={"message": "m"}).status_code == 401

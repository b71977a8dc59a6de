"""Nodes are killed, stopped and drained: acknowledged toasts stay, and streams resume at another node."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from channel import Channel
from cluster import KINDS, Cluster, watch
from cluster_rules import SLOWEST, SLOWEST_AFTER_KILL
from nats import NATSCluster
from streams import Event, facts
from test_problems import problem
from waiting import until


@pytest.fixture
def mortal(tmp_path: Path, nats: NATSCluster) -> Iterator[Cluster]:
    """A cluster whose nodes a test may kill."""
    with Cluster(tmp_path, nats) as cluster:
        until(cluster.is_shared_out)
        yield cluster


class Publisher:
    """Publishes to several channels through one node, under keys, until every toast is acknowledged."""

    def __init__(self, url: str, names: list[str]) -> None:
        self.url, self.names = url, names
        self.acknowledged: list[dict] = []
        self.refusals: list[str] = []
        self.slowest = 0.0
        self.error: Exception | None = None
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        try:
            self.publish_all()
        except Exception as error:
            self.error = error

    def publish_all(self) -> None:
        with httpx.Client(base_url=self.url, timeout=15) as client:
            number = 0
            while not self.is_over.is_set():
                name = self.names[number % len(self.names)]
                began = time.monotonic()
                self.acknowledged.append(self.publish(client, name, f"toast-{number}"))
                self.slowest = max(self.slowest, time.monotonic() - began)
                number += 1
                time.sleep(0.02)

    def publish(self, client: httpx.Client, name: str, message: str) -> dict:
        while True:
            response = client.post(
                f"/v1/channels/{name}/toasts", json={"message": message}, headers={"Idempotency-Key": message}
            )
            if response.status_code == 201:
                return response.json()
            assert response.status_code == 503, response.text
            self.refusals.append(response.text)

    def wait(self, count: int) -> None:
        """Waits until this many more toasts are acknowledged."""
        goal = len(self.acknowledged) + count
        until(lambda: self.error or len(self.acknowledged) >= goal)
        assert self.error is None, self.error

    def end(self) -> None:
        self.is_over.set()
        self.thread.join(60)
        assert not self.thread.is_alive()
        assert self.error is None, self.error


def settings(cluster: Cluster, names: list[str]) -> None:
    for name in names:
        channel = cluster.channel(name)
        channel.configure(capacity=1000)
        channel.close()


def joined(first: list[Event], second: list[Event]) -> list[Event]:
    """The events of two connections, one after the other; fails if they have a gap or a repetition."""
    assert "snapshot" not in {event["type"] for event in second}
    events = facts(first) + facts(second)
    offsets = [int(event["cursor"].split("-")[1]) for event in events]
    assert offsets == list(range(offsets[0], offsets[0] + len(offsets)))
    return events


def last(events: list[Event]) -> str:
    return next(event["cursor"] for event in reversed(events) if "cursor" in event)


@pytest.mark.parametrize("end", ["killed", "drained"])
def test_streams_of_a_node_that_ends_resume_elsewhere(mortal, name, end):
    names = [f"{name}-{number}" for number in range(12)]
    settings(mortal, names)
    victim = mortal.nodes[1]
    consumers = {
        (each, kind): watch(mortal.channel(each, 1), kind) for each in names for kind in KINDS if kind != "poll"
    }
    for consumer in consumers.values():
        consumer.wait("snapshot")
    publisher = Publisher(mortal.nodes[0].url, names)
    publisher.wait(60)
    if end == "killed":
        victim.kill()
    else:
        victim.stop()
        alarms = [line for line in victim.log if "level=critical" in line or "level=error" in line]
        assert not alarms, alarms
    resumed = {}
    for (each, kind), consumer in consumers.items():
        consumer.over()
        if end == "drained" and kind == "stream":
            assert consumer.events[-1]["type"] == "shutdown"
        resumed[each, kind] = watch(mortal.channel(each, 2), kind, since=last(consumer.events))
    until(lambda: mortal.is_owned_without(victim))
    publisher.wait(60)
    publisher.end()
    # A unit test checks, on a simulated clock, that a drained node is replaced as soon as it announces that.
    assert publisher.slowest <= SLOWEST_AFTER_KILL, publisher.slowest
    if end == "drained":
        assert not publisher.refusals, publisher.refusals[:3]
    finals = {each: mortal.channel(each).cursor() for each in names}
    for (each, kind), consumer in consumers.items():
        follower = resumed[each, kind]
        follower.until(lambda events, end=finals[each]: any(event.get("cursor") == end for event in events))
        events = joined(consumer.events, follower.events)
        enqueued = [event["toast"]["id"] for event in events if event["type"] == "enqueued"]
        acknowledged = [toast["id"] for toast in publisher.acknowledged if toast["channel"] == each]
        assert enqueued == acknowledged
        follower.close()
        consumer.close()


def test_a_node_that_stood_still_catches_up(mortal, name):
    names = [f"{name}-{number}" for number in range(12)]
    settings(mortal, names)
    still = mortal.nodes[2]
    consumers = {each: watch(mortal.channel(each, 2)) for each in names}
    for consumer in consumers.values():
        consumer.wait("snapshot")
    publisher = Publisher(mortal.nodes[0].url, names)
    publisher.wait(30)
    still.pause()
    try:
        until(lambda: mortal.is_owned_without(still))
        publisher.wait(30)
    finally:
        still.resume()
    publisher.wait(30)
    publisher.end()
    assert publisher.slowest <= SLOWEST, publisher.slowest
    for each, consumer in consumers.items():
        end = mortal.channel(each).cursor()
        consumer.until(lambda events, end=end: any(event.get("cursor") == end for event in events))
        enqueued = [event["toast"]["id"] for event in joined(consumer.events, []) if event["type"] == "enqueued"]
        assert enqueued == [toast["id"] for toast in publisher.acknowledged if toast["channel"] == each]
        consumer.close()


def test_everything_is_there_after_all_nodes_were_killed(mortal, name):
    names = [f"{name}-{number}" for number in range(8)]
    for number, each in enumerate(names):
        mortal.channel(each, number % 3).publish("kept", duration="indefinite")
        mortal.channel(each).configure(mode="stack")
    for node in mortal.nodes:
        node.kill()
    began = time.monotonic()
    mortal.start()
    for number, each in enumerate(names):
        channel = mortal.channel(each, number % 3)
        assert [toast["message"] for toast in channel.toasts()] == ["kept"]
        assert channel.summary()["effective"]["mode"] == "stack"
    # The killed nodes have not announced that they left.
    assert time.monotonic() - began < 30


def test_a_question_survives_the_death_of_its_node(mortal, name):
    asker, presser = mortal.channel(name, 1), mortal.channel(name, 2)
    question = {"message": "Delete?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}]}
    headers = {"Idempotency-Key": "question", "Prefer": "wait=60"}
    with watch(presser) as stream:
        stream.wait("snapshot")
        failures = []

        def ask() -> None:
            try:
                asker.post(question, headers=headers)
            except httpx.HTTPError as error:
                failures.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        toast = stream.wait("presented")["toast"]
        mortal.nodes[1].kill()
        thread.join(60)
        assert failures
        until(lambda: presser.act(toast, "yes").status_code == 200)
    answer = mortal.channel(name, 0).post(question, headers=headers)
    assert (answer.status_code, answer.json()["id"], answer.json()["action"]) == (200, toast["id"], "yes")


def test_without_a_majority_nothing_is_accepted_and_nothing_is_lost(tmp_path, name):
    """It has NATS servers of its own, because it kills two of them."""
    with NATSCluster(tmp_path / "nats") as nats, Cluster(tmp_path / "nodes", nats) as cluster:
        channels = [cluster.channel(f"{name}-{number}", number % 3) for number in range(12)]
        streams = [watch(channel) for channel in channels]
        for stream in streams:
            stream.wait("snapshot")
        toasts = [channel.publish("before", duration="indefinite") for channel in channels]
        for stream in streams:
            stream.wait("presented")
        for server in nats.servers[1:]:
            server.kill()
        refused = [channel.post({"message": "lost"}, headers={"Idempotency-Key": "k"}) for channel in channels]
        for response in refused:
            assert response.status_code == 503, response.text
            assert response.json()["type"].removeprefix("urn:toastd:problem:") in (
                "store-unavailable",
                "store-undecided",
            )
        for node in cluster.nodes:
            until(lambda node=node: httpx.get(f"{node.url}/readyz").status_code == 503)
        assert not any(stream.is_over for stream in streams)
        for server in nats.servers[1:]:
            server.restart()
        for node in cluster.nodes:
            node.wait_until_ready()
        for channel, toast, stream in zip(channels, toasts, streams, strict=True):
            until(lambda channel=channel, toast=toast: channel.get(toast).status_code == 200)
            response = soon_accepted(channel)
            stream.wait("enqueued", id=response["id"])
            assert [toast["message"] for toast in channel.toasts()] == ["before", "lost"]
            stream.close()


def soon_accepted(channel: Channel) -> dict:
    """Repeats a publish under its key until it is accepted."""

    def attempt() -> dict | None:
        response = channel.post({"message": "lost"}, headers={"Idempotency-Key": "k"})
        if response.status_code == 503:
            problem(response, 503, response.json()["type"].removeprefix("urn:toastd:problem:"))
            return None
        assert response.status_code == 201, response.text
        return response.json()

    return until(attempt)

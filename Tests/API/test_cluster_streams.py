"""Events of a cluster: every node has the same ones in the same order, and a cursor is valid at all of them."""

from __future__ import annotations

import threading
import time

import httpx
import pytest

from channel import Channel
from cluster import KINDS, watch
from streams import EventStream, facts
from waiting import until


@pytest.mark.parametrize("kind", KINDS)
def test_a_toast_is_seen_at_every_node(at, kind):
    consumers = [watch(channel, kind) for channel in at]
    try:
        for consumer in consumers:
            consumer.wait("snapshot")
        for number, channel in enumerate(at):
            channel.publish(f"from {number}", duration=0.2)
        for consumer in consumers:
            consumer.count("dismissed", 3)
        end = at[0].cursor()
        for consumer in consumers:
            consumer.until(lambda events: any(event.get("cursor") == end for event in events))
        # A consumer that attached first received events that the snapshots of the others already contain.
        logs = [{event["cursor"]: event for event in facts(list(consumer.events))} for consumer in consumers]
        shared = set.intersection(*(set(log) for log in logs))
        assert sum(logs[0][cursor]["type"] == "enqueued" for cursor in shared) == 3
        assert all(log[cursor] == logs[0][cursor] for log in logs for cursor in shared)
        for consumer, log in zip(consumers, logs, strict=True):
            assert list(log) == sorted(log, key=lambda cursor: int(cursor.split("-")[1])), consumer
    finally:
        for consumer in consumers:
            consumer.close()


def test_every_node_has_the_same_history(at):
    at[2].configure(whenUnattended="present")
    start = at[1].cursor()
    for number in range(9):
        at[number % 3].publish(str(number), duration=0.05)
    until(lambda: not at[0].toasts())
    logs = [facts(channel.history(start)) for channel in at]
    assert [event["type"] for event in logs[0]].count("dismissed") == 9
    assert logs[0] == logs[1] == logs[2]
    assert at[0].toasts("dismissed") == at[1].toasts("dismissed") == at[2].toasts("dismissed")


def test_the_audience_is_that_of_all_nodes(at):
    with watch(at[0]) as stream, watch(at[1], "socket") as socket, watch(at[2]) as third:
        for consumer in (stream, socket, third):
            consumer.wait("snapshot")
        for channel in at:
            until(lambda channel=channel: channel.summary()["audience"] == {"sse": 2, "websocket": 1, "poll": 0})
    until(lambda: at[0].summary()["audience"] == {"sse": 0, "websocket": 0, "poll": 0})


def test_nothing_is_presented_without_an_audience(at):
    toast = at[0].publish()
    at[1].let_pass(1)
    assert {channel.get(toast).json()["state"] for channel in at} == {"queued"}
    with watch(at[2]) as stream:
        stream.wait("presented", id=toast["id"])


def test_several_channels_are_one_stream_that_resumes_elsewhere(cluster, name):
    names = [f"{name}-{number}" for number in range(5)]
    query = {"channel": names, "events": "enqueued"}
    with EventStream(f"{cluster.nodes[0].url}/v1/stream", **query) as stream:
        stream.count("snapshot", 5)
        for number, each in enumerate(names):
            cluster.channel(each, number % 3).publish("before")
        stream.count("enqueued", 5)
        cursor = stream.frames[-1].id
    for number, each in enumerate(names):
        cluster.channel(each, (number + 1) % 3).publish("between")
    for node in cluster.nodes[1:]:
        with EventStream(f"{node.url}/v1/stream", {"Last-Event-ID": cursor}, **query) as resumed:
            missed = resumed.count("enqueued", 5)
            assert sorted(event["channel"] for event in missed) == names
            assert {event["toast"]["message"] for event in missed} == {"between"}
            assert {event["type"] for event in resumed.events} == {"resumed", "enqueued"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_cursor_resumes_at_another_node(at, kind):
    with watch(at[0]) as stream:
        stream.wait("snapshot")
        at[1].publish("seen", duration="indefinite")
        stream.wait("presented")
        cursor = stream.events[-1]["cursor"]
    for number in range(5):
        at[number % 3].publish(str(number), duration="indefinite")
    for channel in at[1:]:
        consumer = watch(channel, kind, since=cursor)
        try:
            missed = consumer.count("enqueued", 5)
            assert [event["toast"]["message"] for event in missed] == [str(number) for number in range(5)]
            assert "snapshot" not in {event["type"] for event in consumer.events}
        finally:
            consumer.close()


def test_a_command_of_a_socket_is_carried_out_by_another_node(at):
    sockets = [watch(channel, "socket") for channel in at]
    try:
        for number, socket in enumerate(sockets):
            socket.wait("snapshot")
            reply = socket.send(command="publish", toast={"message": str(number), "duration": "indefinite"})
            assert reply["type"] == "ack", reply
        shown = sockets[0].wait("presented", message="0")["toast"]
        assert sockets[2].send(command="dismiss", id=shown["id"])["type"] == "ack"
        for socket in sockets:
            socket.wait("dismissed", id=shown["id"])
    finally:
        for socket in sockets:
            socket.close()


def test_all_nodes_agree_on_one_order(at):
    """Publishers at all nodes at once: every viewer sees the same sequence."""
    streams = [watch(channel) for channel in at]
    at[0].configure(capacity=1000)
    try:
        for stream in streams:
            stream.wait("snapshot")

        def publish(channel: Channel, number: int) -> None:
            with httpx.Client(base_url=channel.url) as client:
                for turn in range(20):
                    answer = client.post(f"{channel.path}/toasts", json={"message": f"{number}.{turn}"})
                    assert answer.status_code == 201, answer.text

        threads = [threading.Thread(target=publish, args=(at[i % 3], i)) for i in range(6)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - began < 30
        orders = [[event["toast"]["id"] for event in stream.count("enqueued", 120)] for stream in streams]
        assert orders[0] == orders[1] == orders[2]
        assert len(set(orders[0])) == 120
    finally:
        for stream in streams:
            stream.close()

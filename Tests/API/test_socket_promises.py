"""The documented behaviour of commands over a WebSocket."""

import httpx
import pytest

from streams import Socket

ACTIONS = [{"id": "yes", "title": "Yes"}]


@pytest.fixture
def ws(attach):
    socket = attach("socket")
    socket.wait("snapshot")
    return socket


def publish(ws, key="k", message="Deployed", **command):
    return ws.send(command="publish", idempotencyKey=key, toast={"message": message}, **command)


def test_a_command_to_publish_is_repeated_under_its_key(channel, ws, attach):
    first = publish(ws)
    assert (first["type"], "replayed" in first) == ("ack", False)
    # On another connection, too: the first one may have been lost with its ack.
    for socket in (ws, attach("socket")):
        again = publish(socket)
        assert (again["type"], again["replayed"], again["toast"]) == ("ack", True, first["toast"])
    assert [toast["id"] for toast in channel.toasts()] == [first["toast"]["id"]]


def test_another_toast_needs_another_key(channel, ws):
    publish(ws)
    refused = publish(ws, message="Failed")
    assert (refused["type"], refused["problem"]["type"]) == ("error", "urn:toastd:problem:idempotency-key-reused")
    assert publish(ws, key="other", message="Failed")["type"] == "ack"
    assert len(channel.toasts()) == 2


@pytest.mark.parametrize(
    ("key", "problem"),
    [("", "idempotency-key-invalid"), ("a b", "idempotency-key-invalid"), (7, "invalid-command")],
)
def test_an_invalid_key_is_refused(channel, ws, key, problem):
    refused = publish(ws, key=key)
    assert (refused["type"], refused["problem"]["type"]) == ("error", f"urn:toastd:problem:{problem}")
    assert [error["pointer"] for error in refused["problem"]["errors"]] == ["/idempotencyKey"]
    assert channel.toasts() == []


def test_a_socket_of_several_channels_has_keys_of_each(server, name):
    with Socket(f"{server.url}/v1/socket") as ws:
        first, second = (publish(ws, channel=f"{name}-{suffix}") for suffix in "ab")
        assert first["toast"]["id"] != second["toast"]["id"]
        assert publish(ws, channel=f"{name}-a")["toast"] == first["toast"]


def test_the_outcome_of_a_key_of_a_socket_is_kept(channel, ws):
    toast = {"message": "Deploy?", "duration": "indefinite", "actions": ACTIONS}
    published = ws.send(command="publish", idempotencyKey="q", toast=toast)["toast"]
    ws.wait("presented", id=published["id"])
    ended = ws.send(command="act", id=published["id"], action="yes")["toast"]
    for number in range(2):
        channel.post([{"message": f"{number} {other}"} for other in range(100)])
    channel.http.delete(f"{channel.path}/toasts")
    assert channel.get(published).json() == ended


def test_the_ack_to_a_hold_says_how_long_it_lasts_and_what_remains(channel, ws):
    toast = channel.publish(duration=30)
    ws.wait("presented", id=toast["id"])
    ack = ws.send(command="hold", id=toast["id"], holder="ada", lease=10)
    assert (ack["type"], ack["lease"]) == ("ack", 10)
    assert 0 < ack["remaining"] <= 30
    held = ws.wait("held", id=toast["id"])
    assert ack["remaining"] == pytest.approx(held["remaining"], abs=0.01)


def test_the_ack_to_a_hold_of_a_toast_without_end_names_no_remainder(channel, ws):
    toast = channel.publish(duration="indefinite")
    ws.wait("presented", id=toast["id"])
    ack = ws.send(command="hold", id=toast["id"], holder="ada")
    assert (ack["lease"], "remaining" in ack) == (30, False)


@pytest.mark.parametrize("command", ["subscribe", "unsubscribe"])
def test_the_socket_of_one_channel_cannot_subscribe_to_others(ws, server, channel, command):
    reply = ws.send(command=command, channel="elsewhere")
    assert (reply["type"], reply["problem"]["type"]) == ("error", "urn:toastd:problem:invalid-command")
    (error,) = reply["problem"]["errors"]
    assert (error["pointer"], "/v1/socket" in error["detail"]) == ("/command", True)
    description = httpx.get(f"{server.url}/openapi.yaml").text
    assert "`subscribe` and `unsubscribe` are for `/v1/socket` only" in description
    # The connection continues all the same.
    channel.publish()
    ws.wait("enqueued")

"""Commands over a WebSocket have the same effects as the routes."""

import json
import socket

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from streams import Socket
from test_problems import problem

ACTIONS = [{"id": "undo", "title": "Undo"}]


@pytest.fixture
def ws(attach):
    """A socket on the test's channel, attached."""
    socket = attach("socket")
    socket.wait("snapshot")
    return socket


def address(channel, path="socket"):
    return f"{channel.url}{channel.path}/{path}".replace("http://", "ws://", 1)


def shown(channel, ws, **members):
    """A toast on screen."""
    toast = channel.publish(**{"duration": "indefinite", "actions": ACTIONS, **members})
    ws.wait("presented", id=toast["id"])
    return toast


def test_the_subprotocol_is_agreed(ws):
    assert ws.connection.subprotocol == "toastd.v1"


def test_publish(channel, ws):
    reply = ws.send(command="publish", toast={"message": "Hello"})
    assert (reply["type"], reply["toast"]["message"]) == ("ack", "Hello")
    assert ws.wait("presented")["toast"]["id"] == reply["toast"]["id"]
    assert channel.get(reply["toast"]).status_code == 200


def test_a_publish_that_is_refused_says_with_what_the_channel_is_busy(channel, ws):
    channel.configure(mode="reject")
    toast = shown(channel, ws)
    reply = ws.send(command="publish", toast={"message": "refused"})
    assert (reply["type"], reply["problem"]["status"]) == ("error", 409)
    assert reply["problem"]["toast"]["id"] == toast["id"]


def test_dismiss(channel, ws):
    toast = shown(channel, ws)
    reply = ws.send(command="dismiss", id=toast["id"], dismissReason="swipe")
    assert (reply["type"], reply["toast"]["dismissReason"]) == ("ack", "swipe")
    assert ws.send(command="dismiss", id=toast["id"], dismissReason="tap")["toast"] == reply["toast"]


def test_act(channel, ws):
    toast = shown(channel, ws)
    reply = ws.send(command="act", id=toast["id"], action="undo")
    assert (reply["type"], reply["toast"]["action"]) == ("ack", "undo")


def test_hold_and_release(channel, ws):
    toast = shown(channel, ws, duration=30)
    assert ws.send(command="hold", id=toast["id"], holder="ada", lease=10)["type"] == "ack"
    ws.wait("held", id=toast["id"], holder="ada")
    assert ws.send(command="release", id=toast["id"], holder="ada")["type"] == "ack"
    ws.wait("released", id=toast["id"], holder="ada")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ({"command": "publish", "toast": {"role": "fatal"}}, "invalid-toast"),
        ({"command": "publish"}, "invalid-command"),
        ({"command": "dance"}, "invalid-command"),
        ({"command": "dismiss"}, "invalid-command"),
        ({"command": "dismiss", "id": "first"}, "invalid-command"),
        ({"command": "dismiss", "id": "0199f4a2-7c1e-7b3a-9d54-2f6c1a8e0b11"}, "toast-not-found"),
        ({"command": "act", "id": "0199f4a2-7c1e-7b3a-9d54-2f6c1a8e0b11", "action": "undo"}, "toast-not-found"),
        ({"command": "publish", "channel": "a.b", "toast": {"message": "m"}}, "invalid-command"),
        ({"command": "subscribe", "channel": "a"}, "invalid-command"),
        ({"command": "hold", "id": "0199f4a2-7c1e-7b3a-9d54-2f6c1a8e0b11"}, "invalid-command"),
    ],
)
def test_a_command_that_cannot_be_followed(ws, command, name):
    reply = ws.send(**command)
    assert (reply["type"], reply["problem"]["type"]) == ("error", f"urn:toastd:problem:{name}")
    assert ws.send(command="publish", toast={"message": "still here"})["type"] == "ack"


@pytest.mark.parametrize("text", ["{", "nonsense", "[]", "5", ""])
def test_a_message_that_is_no_command(ws, text):
    ws.connection.send(text)
    reply = ws.until(lambda _: ws.replies and ws.replies[0])
    assert reply["type"] == "error"
    assert reply["problem"]["type"].removeprefix("urn:toastd:problem:") in ("invalid-json", "invalid-command")


@pytest.mark.parametrize("reference", [1, "a", None, {"b": [1]}, 2.5])
def test_a_reply_carries_the_reference(ws, reference):
    ws.connection.send(json.dumps({"command": "publish", "toast": {"message": "m"}, "ref": reference}))
    reply = ws.until(lambda _: ws.replies and ws.replies[0])
    assert reply["ref"] == reference


def test_subscribe_and_unsubscribe(server, channel, name):
    other = type(channel)(server.url, f"{name}-2")
    cursor = other.cursor()
    missed = other.publish("missed")
    with Socket(f"{server.url}/v1/socket", channel=channel.name) as ws:
        ws.wait("snapshot", channel=channel.name)
        assert ws.send(command="subscribe", channel=other.name, since=cursor)["type"] == "ack"
        assert ws.wait("enqueued", channel=other.name)["toast"]["id"] == missed["id"]
        live = other.publish("live")
        ws.wait("enqueued", id=live["id"])
        assert ws.send(command="unsubscribe", channel=other.name)["type"] == "ack"
        other.publish("unheard")
        marker = channel.publish("marker")
        ws.wait("enqueued", id=marker["id"])
        assert not any(event.get("toast", {}).get("message") == "unheard" for event in ws.events)
    other.close()


def test_a_replay_larger_than_the_send_queue_does_not_end_the_socket(server, channel, name):
    """The replay has more events than may wait for a stream, and more bytes than its socket accepts."""
    for _ in range(8):
        batch = [{"message": "m" * 300}] * 100
        assert channel.post(batch).status_code == 201
    epoch = channel.cursor().split("-")[0]
    url = server.url.replace("http", "ws") + "/v1/socket"
    with connect(url, subprotocols=["toastd.v1"], open_timeout=60) as socket:
        socket.send(json.dumps({"command": "subscribe", "ref": 1, "channel": name, "since": f"{epoch}-0"}))
        types: list[str] = []
        while types.count("enqueued") < 800 or "ack" not in types:
            types.append(json.loads(socket.recv(timeout=60))["type"])
    # The reply comes as soon as the socket listens to the channel, and does not wait for the replay.
    assert next(name for name in types if name != "ack") == "resumed"


def test_a_socket_of_several_channels_needs_a_channel(server, channel):
    with Socket(f"{server.url}/v1/socket", channel=channel.name) as ws:
        ws.wait("snapshot")
        assert (
            ws.send(command="publish", toast={"message": "m"})["problem"]["type"]
            == "urn:toastd:problem:invalid-command"
        )
        assert ws.send(command="publish", channel=channel.name, toast={"message": "m"})["type"] == "ack"


def test_pings_are_answered(ws):
    assert ws.connection.ping().wait(60)


def test_fragments_are_put_together(channel, ws):
    ws.connection.send(['{"command": "publish", "ref": 1, ', '"toast": {"message": ', '"fragments"}}'])
    assert ws.until(lambda _: ws.replies and ws.replies[0])["toast"]["message"] == "fragments"


@pytest.mark.parametrize(
    ("message", "code"),
    [("a" * 70_000, 1009), (b"\x00\x01", 1003)],
)
def test_a_violation_of_the_protocol_ends_the_connection(channel, message, code):
    with connect(address(channel), subprotocols=["toastd.v1"], open_timeout=60) as ws:
        ws.recv(60)
        ws.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                ws.recv(60)
        assert closed.value.rcvd.code == code


def test_a_close_is_answered(channel):
    with connect(address(channel), subprotocols=["toastd.v1"], open_timeout=60) as ws:
        ws.recv(60)
        ws.close(1000, "bye")
        assert ws.close_code == 1000


@pytest.mark.parametrize("says_goodbye", [True, False], ids=["closing frame", "half-closed connection"])
def test_commands_before_the_end_are_carried_out(channel, says_goodbye):
    texts = [f"toast {number}" for number in range(10)]
    with connect(address(channel), subprotocols=["toastd.v1"], open_timeout=60) as ws:
        ws.recv(60)
        for text in texts:
            ws.protocol.send_text(json.dumps({"command": "publish", "toast": {"message": text}}).encode())
        if says_goodbye:
            ws.protocol.send_close(1000)
        # In one write, as a browser does when a page sends and closes at once.
        ws.socket.sendall(b"".join(ws.protocol.data_to_send()))
        if not says_goodbye:
            ws.socket.shutdown(socket.SHUT_WR)
        replies = 0
        with pytest.raises(ConnectionClosed):
            while True:
                replies += json.loads(ws.recv(60))["type"] == "ack"
    assert replies == len(texts)
    assert [toast["message"] for toast in channel.toasts()] == texts


def test_another_subprotocol_is_not_selected(channel):
    try:
        with connect(address(channel), subprotocols=["soap"], open_timeout=60) as ws:
            assert ws.subprotocol is None
    except InvalidStatus as error:
        assert error.response.status_code == 400


def test_a_plain_request_is_told_to_upgrade(channel):
    response = httpx.get(f"{channel.url}{channel.path}/socket")
    problem(response, 426, "upgrade-required")
    head = httpx.head(f"{channel.url}{channel.path}/socket")
    assert head.status_code == 426
    for answer in (response, head):
        assert answer.headers["upgrade"] == "websocket"
        assert answer.headers["sec-websocket-version"] == "13"


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null"])
def test_a_page_of_another_origin_opens_no_socket(channel, origin):
    with pytest.raises(InvalidStatus) as refused, connect(address(channel), origin=origin, open_timeout=60):
        pass
    assert refused.value.response.status_code == 403

"""A deleted channel is gone, and its name can be used for a new one."""

import contextlib
import subprocess
import threading

import httpx
import pytest

from channel import Channel
from receiver import Receiver
from streams import EventStream, Poller, Socket
from test_problems import problem
from test_webhooks import LOOPBACK, metric
from toastd import BINARY, Toastd
from waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A separate server, because after a deletion new channels no longer begin at the first offset."""
    with Toastd(tmp_path_factory.mktemp("server")) as server:
        yield server


def delete(channel):
    response = channel.http.delete(channel.path)
    assert (response.status_code, response.content) == (204, b""), response.text


def own(channel):
    """The channel's own settings."""
    answer = channel.http.get(f"{channel.path}/settings").json()
    return answer.get("own", answer.get("settings"))


def fill(channel, url="https://example.org/hook"):
    """Gives a channel data of every stored kind; returns the cursors before and after it."""
    channel.configure(preset="ysnackbar", webhooks=[{"url": url}])
    start = channel.cursor()
    channel.post({"message": "keyed"}, headers={"Idempotency-Key": "k"})
    channel.publish("two", duration="indefinite")
    return start, channel.cursor()


def check_new(channel, *cursors):
    """Compares a channel with one that was never used."""
    assert channel.toasts() == []
    assert channel.toasts("dismissed") == []
    assert own(channel) == {}
    for cursor in cursors:
        events = channel.poll(cursor, wait=0)["events"]
        assert [(event["type"], event.get("reset")) for event in events[:1]] == [("snapshot", True)], cursor
    again = channel.post({"message": "keyed"}, headers={"Idempotency-Key": "k"})
    assert (again.status_code, "idempotency-replayed" in again.headers) == (201, False)


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_all_stored_data_is_deleted(launch, name, store):
    channel = Channel(launch(store=None if store == "sqlite" else store).url, name)
    cursors = fill(channel)
    delete(channel)
    check_new(channel, *cursors)
    channel.close()


def test_the_deletion_survives_a_kill(launch, name):
    server = launch()
    channel = Channel(server.url, name)
    cursors = fill(channel)
    delete(channel)
    server.kill()
    again = Channel(launch().url, name)
    names = [entry["name"] for entry in again.http.get("/v1/channels").json()["channels"]]
    assert name not in names
    check_new(again, *cursors)
    again.close()
    channel.close()


def test_a_kill_at_any_moment_leaves_all_stored_data_or_none(launch, name):
    """After a kill during a deletion the toasts may be cleared already; webhooks, keys and log are removed together."""
    server = launch()
    for attempt in range(6):
        channel = Channel(server.url, f"{name}-{attempt}")
        cursors = fill(channel)

        def request(channel=channel):
            with contextlib.suppress(httpx.HTTPError):
                httpx.delete(channel.url + channel.path)

        thread = threading.Thread(target=request)
        thread.start()
        # The kill comes at different moments of the deletion.
        threading.Event().wait(0.002 * attempt)
        server.kill()
        thread.join(60)
        server = launch()
        again = Channel(server.url, channel.name)
        webhooks = own(again).get("webhooks", [])
        key = again.post({"message": "keyed"}, headers={"Idempotency-Key": "k"})
        assert ("idempotency-replayed" in key.headers) == bool(own(again).get("preset") or webhooks)
        (first, *_) = again.poll(cursors[0], wait=0)["events"]
        assert (first["type"] == "snapshot") == ("idempotency-replayed" not in key.headers)
        again.close()
        channel.close()


def test_streams_get_each_dismissal_and_begin_anew(channel, attach):
    consumers = [attach(kind) for kind in ("stream", "socket", "poll")]
    for consumer in consumers:
        consumer.wait("snapshot")
    channel.configure(preset="ysnackbar")
    shown, waiting = channel.publish("shown", duration="indefinite"), channel.publish("waits")
    for consumer in consumers:
        consumer.wait("presented", id=waiting["id"])
    delete(channel)
    for consumer in consumers:
        # A poller may be between two polls; its next poll then begins with a snapshot, without the dismissals.
        if not isinstance(consumer, Poller):
            (first, second) = consumer.count("dismissed", 2)
            assert {first["id"], second["id"]} == {shown["id"], waiting["id"]}
        anew = consumer.wait("snapshot", reset=True)
        assert (anew["presented"], anew["queuedCount"]) == ([], 0)
        consumer.until(lambda events, anew=anew: events[-1] is anew)
    # The same consumers receive the events of the new channel.
    toast = channel.publish("first of the new one")
    for consumer in consumers:
        consumer.wait("presented", id=toast["id"])


def test_a_stream_of_several_channels_begins_anew_with_the_deleted_one(server, name):
    a, b = Channel(server.url, f"{name}-a"), Channel(server.url, f"{name}-b")
    with EventStream(f"{server.url}/v1/stream", channel=[a.name, b.name]) as stream:
        stream.count("snapshot", 2)
        ended = a.publish("m")
        stream.wait("presented")
        delete(a)
        assert stream.wait("snapshot", reset=True)["channel"] == a.name
        assert stream.wait("dismissed")["id"] == ended["id"]
        toast = b.publish("n")
        stream.wait("presented", id=toast["id"])
    a.close()
    b.close()


def test_the_webhooks_of_a_deleted_channel_get_nothing_more(launch, name):
    receiver = Receiver()
    receiver.answer = 503
    channel = Channel(launch(*LOOPBACK, "--webhook-retry-seconds", "0.05").url, name)
    channel.configure(webhooks=[{"url": receiver.url(), "events": ["enqueued"]}], whenUnattended="present")
    channel.publish("m")
    receiver.wait(1)
    delete(channel)
    # Deliveries that are under way may still arrive.
    until(lambda: metric(channel.url, "toastd_webhook_deliveries_waiting") == 0)
    channel.publish("n")
    # Another channel's webhook receives later events, so this one would have received them, too.
    receiver.answer = 204
    other = Channel(channel.url, f"{name}-other")
    other.configure(webhooks=[{"url": receiver.url("/other"), "events": ["enqueued"]}])
    other.publish("o")
    until(lambda: any(one.path == "/other" for one in receiver.deliveries))
    told = [one.event["data"]["toast"]["message"] for one in receiver.deliveries if one.path == "/hook"]
    assert set(told) == {"m"}
    other.close()
    channel.close()
    receiver.close()


def test_toasts_that_are_published_during_a_deletion_are_never_lost(channel):
    """Each toast is either ended by the deletion, or exists after it."""
    posted, stop = [], threading.Event()

    def post():
        with httpx.Client(base_url=channel.url, timeout=60) as client:
            while not stop.is_set():
                posted.append(client.post(f"{channel.path}/toasts", json={"message": "m"}).json()["id"])

    with EventStream(f"{channel.url}{channel.path}/stream", events="dismissed") as stream:
        stream.wait("snapshot")
        channel.configure(duration="indefinite")
        threads = [threading.Thread(target=post) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            delete(channel)
        stop.set()
        for thread in threads:
            thread.join(60)
        ended = set(posted) - {toast["id"] for toast in channel.toasts()}
        assert all(channel.get({"id": id}).status_code == 404 for id in ended)

        def is_told(events):
            return {event["id"] for event in events if event["type"] == "dismissed"} >= ended

        try:
            stream.until(is_told, timeout=10)
        except AssertionError:
            # The next deletion may remove the log before the stream has read its last events; then the stream must
            # have got a reset.
            assert sum(event.get("reset", False) for event in stream.events) > 1


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_defaults_of_the_new_channel_do_not_hide_dismissals_in_the_old_one(launch, name, store):
    """Under default settings a new channel begins with the event `configured` as soon as it has listeners."""
    server = launch("--store", "memory") if store == "memory" else launch()
    channel = Channel(server.url, name)
    channel.http.patch("/v1/settings", json={"pause": 0.1}, headers={"Content-Type": "application/merge-patch+json"})
    with EventStream(f"{server.url}{channel.path}/stream") as stream:
        for number in range(5):
            stream.count("snapshot", number + 1)
            toast = channel.publish(duration="indefinite")
            stream.wait("presented", id=toast["id"])
            delete(channel)
            assert stream.wait("dismissed", id=toast["id"])["dismissReason"] == "cleared"


def test_a_waiting_publisher_is_answered(channel):
    """Of the dismissal; or that the toast is unknown, if the deletion came before the server began to wait."""
    stop = threading.Event()

    def delete_again_and_again():
        while not stop.is_set():
            delete(channel)

    def ask():
        url = f"{channel.url}{channel.path}/toasts"
        response = httpx.post(url, json={"message": "Delete?"}, headers={"Prefer": "wait=30"}, timeout=60)
        if response.status_code == 404:
            return problem(response, 404, "toast-not-found")["title"]
        assert response.status_code == 200, response.text
        return response.json()["dismissReason"]

    deleting = threading.Thread(target=delete_again_and_again)
    deleting.start()
    try:
        told = set()
        until(lambda: told.add(ask()) or told == {"cleared", "There is no such toast."})
    finally:
        stop.set()
        deleting.join()


def test_a_channel_that_never_existed_can_be_deleted(channel):
    delete(channel)
    delete(channel)
    channel.publish("m")
    delete(channel)
    assert channel.toasts() == []


def test_a_deletion_needs_manage(launch, tmp_path, name):
    access = tmp_path / "access.json"

    def key(scopes):
        command = [BINARY, "key", "create", "--name", scopes, "--scopes", scopes, "--access", str(access)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    keys = {scopes: key(scopes) for scopes in ("publish,subscribe,respond", "manage")}
    server = launch("--access", str(access))
    url = f"{server.url}/v1/channels/{name}"
    refused, accepted = (httpx.delete(url, headers={"Authorization": f"Bearer {token}"}) for token in keys.values())
    problem(refused, 403, "not-permitted")
    assert accepted.status_code == 204


def test_a_socket_goes_on_with_its_commands(channel, attach):
    socket: Socket = attach("socket")
    socket.wait("snapshot")
    socket.send(command="publish", toast={"message": "m"})
    delete(channel)
    socket.wait("snapshot", reset=True)
    reply = socket.send(command="publish", toast={"message": "n"})
    assert socket.wait("presented", id=reply["toast"]["id"])["toast"]["message"] == "n"

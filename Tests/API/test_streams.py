"""Server-Sent Events, long-poll and WebSocket carry the same events with the same cursors."""

import datetime
import email.utils
import re
import threading
import time

import httpx
import pytest

from channel import Channel
from streams import EventStream, Poller, Socket, facts, instant
from test_settings import DEFAULTS
from waiting import until

TRANSPORTS = ["stream", "socket", "poll"]


def busy(channel, first):
    """Causes an event of every type; returns the cursor of the last."""
    toast = channel.publish("first", duration="indefinite", actions=[{"id": "undo", "title": "Undo"}], data=1)
    first.wait("presented", id=toast["id"])
    channel.patch(toast, {"message": "changed"})
    channel.hold(toast, "ada", 10)
    channel.release(toast, "ada")
    channel.act(toast, "undo")
    other = channel.publish("second")
    channel.delete(other)
    channel.configure(style="pale")
    return first.wait("configured")["cursor"]


def test_all_transports_carry_the_same(channel, attach):
    consumers = [attach(kind) for kind in TRANSPORTS]
    for consumer in consumers:
        consumer.wait("snapshot")
    last = busy(channel, consumers[0])
    seen = [
        consumer.until(lambda events: any(e["cursor"] == last for e in events) and facts(events))
        for consumer in consumers
    ]
    assert seen[0] == seen[1] == seen[2]
    types = [event["type"] for event in seen[0]]
    assert set(types) == {"enqueued", "presented", "updated", "held", "released", "acted", "dismissed", "configured"}
    assert len({event["cursor"] for event in seen[0]}) == len(types)
    assert [instant(event) for event in seen[0]] == sorted(instant(event) for event in seen[0])


def test_the_wire_format_of_server_sent_events(channel, stream):
    toast = channel.publish("line\nbreak\r\u2028")
    event = stream.wait("presented", id=toast["id"])
    [frame] = [frame for frame in stream.frames if frame.event == "presented"]
    assert frame.id == event["cursor"]
    assert event["toast"]["message"] == "line\nbreak\r\u2028"
    assert event["remaining"] == 6
    assert list(event)[:4] == ["type", "channel", "cursor", "at"]
    assert stream.response.headers["content-type"].split(";")[0] == "text/event-stream"
    assert {"no-store", "no-transform"} <= {
        part.strip() for part in stream.response.headers["cache-control"].split(",")
    }
    assert stream.response.headers["x-accel-buffering"] == "no"
    assert any(frame.retry for frame in stream.frames)


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_new_consumer_gets_the_state(channel, attach, kind):
    channel.configure(duration="indefinite")
    with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        toast = channel.publish("shown")
        channel.publish("waiting")
        viewer.wait("presented", id=toast["id"])
        snapshot = attach(kind).wait("snapshot")
    assert snapshot["reset"] is False
    assert snapshot["effective"] == {**DEFAULTS, "duration": "indefinite"}
    assert [entry["toast"]["message"] for entry in snapshot["presented"]] == ["shown"]
    assert "remaining" not in snapshot["presented"][0]
    assert snapshot["queuedCount"] == 1
    assert snapshot["cursor"] == channel.cursor()


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_consumer_resumes_where_it_was(channel, attach, kind):
    cursor = channel.cursor()
    messages = [str(number) for number in range(5)]
    for message in messages:
        channel.publish(message)
    consumer = attach(kind, since=cursor)
    consumer.count("enqueued", 5)
    consumer.wait("presented")
    channel.publish("live")
    consumer.wait("enqueued", message="live")
    kinds = [event["type"] for event in consumer.events]
    if kind != "poll":
        assert kinds[0] == "resumed"
        assert "snapshot" not in kinds
    assert [event["toast"]["message"] for event in consumer.facts if event["type"] == "enqueued"] == [*messages, "live"]


def test_a_browser_resumes_by_header(channel, attach):
    cursor = channel.cursor()
    toast = channel.publish("missed")
    consumer = attach("stream", headers={"Last-Event-ID": cursor}, since="aaaaaaaa-1")
    assert consumer.wait("enqueued")["toast"]["id"] == toast["id"]
    assert consumer.events[0]["type"] == "resumed"
    [frame] = [frame for frame in consumer.frames if frame.event == "resumed"]
    assert frame.id in ("", cursor)


def test_a_header_without_a_cursor_leaves_that_of_the_query(channel, attach):
    """Clients without an event so far may send an empty field."""
    cursor = channel.cursor()
    toast = channel.publish("missed")
    consumer = attach("stream", headers={"Last-Event-ID": ""}, since=cursor)
    assert consumer.wait("enqueued")["toast"]["id"] == toast["id"]
    assert consumer.events[0]["type"] == "resumed"


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_cursor_of_another_store_causes_a_reset(channel, attach, kind):
    epoch, offset = channel.cursor().split("-")
    channel.publish()
    other = "a" * 8 if epoch != "a" * 8 else "b" * 8
    assert attach(kind, since=f"{other}-{offset}").wait("snapshot")["reset"] is True


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_cursor_from_the_future_causes_a_reset(channel, attach, kind):
    epoch, _ = channel.cursor().split("-")
    channel.publish()
    assert attach(kind, since=f"{epoch}-999999").wait("snapshot")["reset"] is True


def test_a_cursor_from_before_the_retention_causes_a_reset(channel, attach):
    channel.configure(capacity=10_000)
    old = channel.cursor()
    for _ in range(15):
        assert channel.post([{"message": "m"}] * 100).status_code == 201
    recent = channel.cursor()
    channel.publish("last")
    for kind in TRANSPORTS:
        assert attach(kind, since=old).wait("snapshot")["reset"] is True
        consumer = attach(kind, since=recent)
        consumer.wait("enqueued", message="last")
        assert not any(event["type"] == "snapshot" for event in consumer.events)


@pytest.mark.parametrize("kind", TRANSPORTS)
def test_a_consumer_chooses_its_events(channel, stream, attach, kind):
    consumer = attach(kind, events="acted,dismissed")
    consumer.wait("snapshot")
    last = busy(channel, stream)
    expected = [event for event in stream.facts if event["type"] in ("acted", "dismissed")]
    consumer.count("dismissed", 2)
    assert consumer.facts == expected
    assert stream.events[-1]["cursor"] == last


@pytest.mark.parametrize("is_composite", [False, True])
def test_a_stream_resumes_after_events_that_it_did_not_choose(launch, is_composite):
    server = launch("--comment-interval", "1", "--history-events", "100", store="memory")
    channel = Channel(server.url, "chosen")
    path, names = (
        ("/v1/stream", {"channel": [channel.name, "other"]}) if is_composite else (f"{channel.path}/stream", {})
    )

    def attach(**parameters):
        return EventStream(f"{server.url}{path}", **names, **parameters)

    with attach(events="acted") as stream:
        beginning = stream.count("snapshot", len(names.get("channel", [1])))[-1]["cursor"]
        for _ in range(5):
            assert channel.post([{"message": "m"}] * 100).status_code == 201
            assert channel.http.delete(f"{channel.path}/toasts").status_code == 200
        # Waits for a cursor with the offset of the last event, on its own or among several channels.
        end = channel.cursor().rpartition("-")[2]
        cursor = until(lambda: next((it.id for it in stream.frames if end in re.split(r"[-.~]", it.id)[1:]), None))
        assert facts(stream.events) == []
    # The log has no event from before the last hundred.
    with attach(events="acted", since=beginning) as stream:
        assert stream.wait("snapshot")["reset"] is True
    with attach(events="acted", since=cursor) as stream:
        stream.wait("resumed")
        assert not any(event["type"] == "snapshot" for event in stream.events)
    channel.close()


def test_several_channels_share_one_cursor(server, channel):
    names = [channel.name, f"{channel.name}-2"]
    second = type(channel)(server.url, names[1])
    transports = {"stream": EventStream, "socket": Socket, "poll": Poller}

    def facts_of(consumer, number):
        return consumer.until(lambda events: len(facts(events)) >= number and facts(events))

    def open_all(**parameters):
        return [make(f"{server.url}/v1/{kind}", channel=names, **parameters) for kind, make in transports.items()]

    first = open_all(events="enqueued")
    for consumer in first:
        assert {event["channel"] for event in consumer.count("snapshot", 2)} == set(names)
    for number in range(3):
        channel.publish(f"a{number}")
        second.publish(f"b{number}")
    seen = [facts_of(consumer, 6) for consumer in first]
    for consumer in first:
        consumer.close()
    for events in seen:
        for name in names:
            assert [e["toast"]["message"] for e in events if e["channel"] == name] == [
                e["toast"]["message"] for e in seen[0] if e["channel"] == name
            ]
    # The cursor of each event is a position in both channels: after the third event nothing is missed or repeated.
    for events in seen:
        missed = [event["toast"]["message"] for event in events[3:]]
        for consumer in open_all(events="enqueued", since=events[2]["cursor"]):
            again = [event["toast"]["message"] for event in facts_of(consumer, 3)]
            assert sorted(again) == sorted(missed)
            consumer.close()
    second.close()


def test_a_poll_waits_for_something_to_happen(channel):
    cursor = channel.cursor()
    timer = threading.Timer(0.3, channel.publish, ["late"])
    started = time.monotonic()
    timer.start()
    answer = channel.poll(cursor, wait=25, events="enqueued")
    # Long before its waiting time is over.
    assert 0.25 < time.monotonic() - started < 20
    assert [event["toast"]["message"] for event in facts(answer["events"])] == ["late"]
    timer.join()


def test_a_poll_gives_up_after_its_time(channel):
    cursor = channel.cursor()
    started = time.monotonic()
    answer = channel.poll(cursor, wait=0.5)
    assert 0.45 < time.monotonic() - started < 20
    assert (answer["cursor"], facts(answer["events"])) == (cursor, [])
    started = time.monotonic()
    response = channel.http.get(f"{channel.path}/poll", params={"since": cursor}, headers={"Prefer": "wait=1"})
    assert response.status_code == 200
    assert 0.9 < time.monotonic() - started < 20


def test_a_poll_counts_as_audience(channel):
    thread = threading.Thread(target=channel.poll, args=[channel.cursor()], kwargs={"wait": 30, "events": "presented"})
    thread.start()
    other = httpx.Client(base_url=channel.url)
    deadline = time.monotonic() + 25
    while other.get(channel.path).json()["audience"]["poll"] == 0:
        assert time.monotonic() < deadline
    toast = other.post(f"{channel.path}/toasts", json={"message": "m"}).json()
    thread.join(25)
    assert not thread.is_alive()
    assert other.get(f"{channel.path}/toasts/{toast['id']}").json()["state"] == "presented"
    other.close()


def test_toasts_wait_for_an_audience(channel, attach):
    toast = channel.publish(duration=3)
    channel.let_pass(3.2)
    assert channel.get(toast).json()["state"] == "queued"
    viewer = attach("stream")
    # The first client gets the toast at once, with its full time less the delay of delivery, by an event after its
    # snapshot.
    assert viewer.wait("snapshot")["presented"] == []
    assert 0.1 < viewer.wait("presented", id=toast["id"])["remaining"] <= 3
    assert viewer.wait("dismissed", id=toast["id"])["dismissReason"] == "timeout"


def test_toasts_do_not_wait_where_they_need_not(channel):
    channel.configure(whenUnattended="present")
    cursor = channel.cursor()
    channel.publish(duration=0.2)
    deadline = time.monotonic() + 60
    while len(channel.toasts("dismissed")) == 0:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert [event["type"] for event in channel.history(cursor)] == ["enqueued", "presented", "dismissed"]


def test_an_assistive_audience_has_more_time(channel, attach):
    viewer = attach("stream", assistive=1)
    viewer.wait("snapshot")
    toast = channel.publish(duration=2)
    assert viewer.wait("presented", id=toast["id"])["remaining"] == 3
    channel.delete(toast)
    needed = channel.publish(requiresInteraction=True)
    assert "remaining" not in viewer.wait("presented", id=needed["id"])


def test_a_consumer_that_leaves_no_longer_counts_at_once(channel, attach):
    consumers = [attach("stream"), attach("socket")]
    for consumer in consumers:
        consumer.wait("snapshot")
        consumer.close()
    # Sooner than the first ping, by which the server would notice a lost connection.
    deadline = time.monotonic() + 20
    while channel.summary()["audience"] != {"sse": 0, "websocket": 0, "poll": 0}:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_stopping_server_says_when_to_reconnect(launch):
    server = launch()
    consumers = [EventStream(f"{server.url}/v1/channels/a/stream"), Socket(f"{server.url}/v1/channels/a/socket")]
    for consumer in consumers:
        consumer.wait("snapshot")
    server.stop()
    for consumer in consumers:
        consumer.over()
        [shutdown] = [event for event in consumer.events if event["type"] == "shutdown"]
        assert shutdown["retry"] > 0 and "cursor" not in shutdown and "channel" not in shutdown
        consumer.close()


def test_a_head_request_is_no_audience(channel):
    toast = channel.publish("for people")
    for kind in ("stream", "poll"):
        response = httpx.head(f"{channel.url}{channel.path}/{kind}", timeout=60)
        assert response.status_code == 200
        assert response.content == b""
    assert channel.get(toast).json()["state"] == "queued"


def test_delayed_responses_and_streams_have_a_date(channel):
    def check(answer: httpx.Response) -> None:
        # RFC 9110 §6.6.1; both clocks are the same, and a slow machine has extra time.
        made = email.utils.parsedate_to_datetime(answer.headers["date"])
        assert abs((datetime.datetime.now(datetime.UTC) - made).total_seconds()) < 60

    check(channel.http.get(f"{channel.path}/poll", params={"since": channel.cursor(), "wait": 0.01}))
    with channel.http.stream("GET", f"{channel.path}/stream") as stream:
        check(stream)


def test_a_cursor_of_one_channel_does_not_resume_several(server, channel):
    response = httpx.get(f"{server.url}/v1/poll?channel=a&channel=b&since={channel.cursor()}")
    assert response.status_code == 400
    assert response.json()["type"] == "urn:toastd:problem:invalid-parameter"


def test_every_cursor_of_several_channels_contains_all(server, channel):
    names = [channel.name, f"{channel.name}-2"]
    second = type(channel)(server.url, names[1])
    with EventStream(f"{server.url}/v1/stream", channel=names) as before:
        before.count("snapshot", 2)
        channel.publish("a")
        second.publish("b")
        cursor = before.wait("presented", channel=names[1])["cursor"]
    for _ in range(3):
        channel.publish("missed")
    with EventStream(f"{server.url}/v1/stream", channel=names, since=cursor) as after:
        events = after.count("enqueued", 3)
        # A client that is disconnected during this replay still has its position in the other channel.
        assert all(f"{names[1]}." in event["cursor"] for event in events)
    second.close()


def test_types_of_events_may_be_given_in_several_lists(channel):
    cursor = channel.cursor()
    channel.delete(channel.publish())
    channel.configure(style="pale")
    answer = channel.poll(cursor, wait=0, events=["dismissed", "configured,held"])
    assert [event["type"] for event in answer["events"]] == ["dismissed", "configured"]

"""ntfy's readers: /json, /sse, /raw and /ws, of one topic or several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource
from websockets.sync.client import connect

from toastd import Toastd
from waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    with Toastd(tmp_path_factory.mktemp("ntfy"), "--ntfy", "on", store="memory") as server:
        yield server


def test_a_poll_reads_what_was_published(channel):
    for text in ("one", "two", "three"):
        channel.http.post(f"/{channel.name}", content=text)
    first = channel.toasts()[0]
    channel.delete(first)

    def poll(**query: str) -> list[str]:
        answer = channel.http.get(f"/{channel.name}/json", params={"poll": "1", **query})
        assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
        return [json.loads(line)["message"] for line in answer.text.splitlines()]

    assert poll() == ["one", "two", "three"]
    assert poll(since="all") == ["one", "two", "three"]
    assert poll(since=first["id"][-12:]) == ["two", "three"]
    assert poll(since="latest") == ["three"]
    assert poll(since="none") == []
    assert poll(since="10m") == ["one", "two", "three"]
    assert channel.http.get(f"/{channel.name}/json?poll=1&since=yesterday").json()["code"] == 40008


def test_a_poll_reads_messages_of_the_same_millisecond_in_their_order(channel):
    texts = [str(number) for number in range(40)]
    channel.post([{"message": text} for text in texts])
    lines = channel.http.get(f"/{channel.name}/json?poll=1").text.splitlines()
    assert [json.loads(line)["message"] for line in lines] == texts


def events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in lines if line.strip())


def test_each_message_of_a_sequence_has_an_id_of_its_own(channel):
    """ntfy's apps do not show a message whose id they know."""
    sent = [channel.http.post(f"/{channel.name}/job", content=text).json() for text in ("10 %", "50 %", "90 %")]
    ids = [message["id"] for message in sent]
    assert len(set(ids)) == 3
    assert all(len(id) == 12 and id.isalnum() for id in ids)

    def missed(id: str) -> list[str]:
        answer = channel.http.get(f"/{channel.name}/json", params={"poll": "1", "since": id})
        return [json.loads(line)["id"] for line in answer.text.splitlines()]

    # Only the newest message of a sequence is kept.
    assert [missed(id) for id in ids] == [[ids[2]], [ids[2]], []]
    with channel.http.stream("GET", f"/{channel.name}/json") as response:
        lines = events(response.iter_lines())
        next(lines)
        again = channel.http.post(f"/{channel.name}/job", content="done").json()
        message = next(lines)
        assert message["id"] == again["id"]
        assert abs(message["time"] - again["time"]) <= 1


def test_a_poll_after_an_absence_gets_the_newest_message_of_a_sequence(channel):
    channel.http.post(f"/{channel.name}/job", content="10 %")
    last = channel.http.post(f"/{channel.name}", content="last").json()["id"]
    channel.http.post(f"/{channel.name}/job", content="done")
    channel.http.post(f"/{channel.name}/late", content="never", headers={"In": "1 h"})
    channel.http.delete(f"/{channel.name}/late")
    for since in (last, "1s", "10m"):
        answer = channel.http.get(f"/{channel.name}/json", params={"poll": "1", "since": since})
        texts = [json.loads(line)["message"] for line in answer.text.splitlines()]
        assert "done" in texts, since
        # A message that was withdrawn before its time was never published.
        assert "never" not in texts


def test_a_poll_after_the_last_message_is_empty(channel):
    """Messages come in the order in which they were published, also those that replace another or were delayed."""
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=10)
    channel.publish("later", notBefore=start.isoformat())
    for text, sequence in (("m0", None), ("u1", "s"), ("m3", None), ("u2", "s")):
        channel.http.post(f"/{channel.name}", content=text, headers={"X-Sequence-ID": sequence} if sequence else {})

    def poll(since: str) -> list[dict[str, Any]]:
        answer = channel.http.get(f"/{channel.name}/json", params={"poll": "1", "since": since})
        return list(events(answer.iter_lines()))

    until(lambda: len(poll("all")) == 4)
    messages = poll("all")
    assert [message["message"] for message in messages] == ["m0", "m3", "u2", "later"]
    assert [message["time"] for message in messages] == sorted(message["time"] for message in messages)
    for place, message in enumerate(messages):
        assert poll(message["id"]) == messages[place + 1 :]


def test_a_reader_of_lines_gets_what_is_published(channel):
    channel.http.post(f"/{channel.name}", content="before")
    with channel.http.stream("GET", f"/{channel.name}/json?since=all") as response:
        assert response.headers["content-type"] == "application/x-ndjson; charset=utf-8"
        lines = events(response.iter_lines())
        opened = next(lines)
        assert (opened["event"], opened["topic"]) == ("open", channel.name)
        assert next(lines)["message"] == "before"
        fields = {"Title": "T", "Priority": "5", "Click": "https://a.example/", "X-Sequence-ID": "s"}
        answer = channel.http.post(f"/{channel.name}", content="now", headers=fields).json()
        message = next(lines)
        assert message == {
            "id": answer["id"],
            "time": answer["time"],
            "event": "message",
            "topic": channel.name,
            "message": "now",
            "title": "T",
            "priority": 5,
            "click": "https://a.example/",
            "sequence_id": "s",
        }
        # Toasts of the API are messages, too, and so is the second message of a sequence.
        channel.publish("by the API")
        assert next(lines)["message"] == "by the API"
        channel.http.post(f"/{channel.name}/s", content="again")
        assert next(lines)["message"] == "again"
        # Readers of ntfy do not count as audience.
        assert channel.summary()["audience"] == {"sse": 0, "websocket": 0, "poll": 0}


def test_a_reader_gets_only_icons_attachments_and_actions_that_ntfy_can_show(channel):
    fields = {
        "Icon": "https://a.example/i.png",
        "Attach": "https://a.example/dir/cat.png?x=1",
        "Actions": "view, Open, https://a.example/7, clear=true; http, Restart, https://a.example/8",
    }
    channel.http.post(f"/{channel.name}", content="m", headers=fields)
    channel.publish("by the API", icon="bell", actions=[{"id": "undo", "title": "Undo"}])
    shown, plain = events(channel.http.get(f"/{channel.name}/json?poll=1").iter_lines())
    assert shown["icon"] == fields["Icon"]
    assert shown["attachment"] == {"name": "cat.png", "url": fields["Attach"]}
    (action,) = shown["actions"]
    assert action.pop("id")
    assert action == {"action": "view", "label": "Open", "url": "https://a.example/7", "clear": True}
    # ntfy cannot show a symbol as an icon, nor an action without a URL.
    assert not plain.keys() & {"icon", "attachment", "actions"}


def test_a_reader_filters(channel):
    channel.http.post(f"/{channel.name}", content="disk", headers={"Title": "T", "Priority": "5"})
    second = channel.http.post(f"/{channel.name}", content="fan", headers={"Priority": "4"}).json()
    channel.http.post(f"/{channel.name}", content="door")

    def poll(**query: str) -> list[str]:
        answer = channel.http.get(f"/{channel.name}/json", params={"poll": "1", **query})
        return [json.loads(line)["message"] for line in answer.text.splitlines()]

    assert poll(priority="5") == ["disk"]
    assert poll(p="high,urgent") == ["disk", "fan"]
    assert poll(priority="3") == ["door"]
    assert poll(title="T") == ["disk"]
    assert poll(message="door") == ["door"]
    assert poll(id=second["id"]) == ["fan"]
    assert poll(title="T", priority="4") == []
    with channel.http.stream("GET", f"/{channel.name}/json", headers={"X-Priority": "urgent"}) as response:
        lines = events(response.iter_lines())
        assert next(lines)["event"] == "open"
        for text, priority in (("no", "3"), ("yes", "5")):
            channel.http.post(f"/{channel.name}", content=text, headers={"Priority": priority})
        assert next(lines)["message"] == "yes"
    for query, code in (("priority=loud", 40007), ("tags=warning", 40000)):
        answer = channel.http.get(f"/{channel.name}/json?poll=1&{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_reader_without_since_gets_only_what_is_new(channel):
    channel.http.post(f"/{channel.name}", content="before")
    with channel.http.stream("GET", f"/{channel.name}/json") as response:
        lines = events(response.iter_lines())
        assert next(lines)["event"] == "open"
        channel.http.post(f"/{channel.name}", content="after")
        assert next(lines)["message"] == "after"


def test_a_delayed_message_is_read_when_its_time_has_come(channel):
    with channel.http.stream("GET", f"/{channel.name}/json?since=all") as response:
        lines = events(response.iter_lines())
        assert next(lines)["event"] == "open"
        # A whole second, since the server keeps only milliseconds of a time.
        start = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=5)
        channel.publish("later", notBefore=start.isoformat())
        channel.publish("now")
        messages = (line["message"] for line in lines if line["event"] == "message")
        assert [next(messages), next(messages)] == ["now", "later"]
        assert datetime.now(UTC) >= start


def test_a_reader_of_an_event_stream(channel):
    with channel.http.stream("GET", f"/{channel.name}/sse") as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        source = EventSource(response).iter_sse()
        assert next(source).event == "open"
        channel.http.post(f"/{channel.name}", content="m")
        event = next(source)
        assert (event.event, json.loads(event.data)["message"]) == ("message", "m")


def test_a_reader_of_raw_lines(channel):
    with channel.http.stream("GET", f"/{channel.name}/raw") as response:
        lines = response.iter_lines()
        assert next(lines) == ""
        channel.http.post(f"/{channel.name}", content="a\nb")
        assert next(lines) == "a b"


def test_a_reader_of_several_topics_over_a_websocket(channel):
    other = f"{channel.name[:50]}-other"
    url = f"{channel.url.replace('http', 'ws')}/{channel.name},{other}/ws"
    with connect(url, open_timeout=60) as socket:
        opened = json.loads(socket.recv(30))
        assert (opened["event"], opened["topic"]) == ("open", f"{channel.name},{other}")
        for topic in (channel.name, other):
            channel.http.post(f"/{topic}", content=topic)
            message = json.loads(socket.recv(30))
            assert (message["topic"], message["message"]) == (topic, topic)
        # The server ignores messages from the client.
        socket.send(json.dumps({"command": "publish", "toast": {"message": "no"}}))
        channel.http.post(f"/{channel.name}", content="end")
        assert json.loads(socket.recv(30))["message"] == "end"
    assert "no" not in [toast["message"] for toast in channel.toasts()]


def test_a_plain_request_is_told_to_upgrade(channel):
    answer = channel.http.get(f"/{channel.name}/ws")
    assert (answer.status_code, answer.headers["upgrade"]) == (426, "websocket")
    assert answer.headers["sec-websocket-version"] == "13"


def test_an_image_of_another_page_opens_no_stream(channel):
    fields = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    for form in ("json", "sse", "raw", "ws"):
        assert channel.http.get(f"/{channel.name}/{form}?poll=1", headers=fields).status_code == 403


def test_a_stream_that_the_server_ends_has_only_ntfy_messages(launch, name):
    server = launch("--ntfy", "on", "--stream-age", "1", store="memory")
    with httpx.stream("GET", f"{server.url}/{name}/json", timeout=60) as response:
        assert [event["event"] for event in events(response.iter_lines())] in (["open"], ["open", "keepalive"])


def test_a_topic_that_is_named_twice_counts_once(launch):
    server = launch("--ntfy", "on", "--max-channels-per-stream", "2", store="memory")
    assert httpx.get(f"{server.url}/a,b,a,b/json?poll=1").status_code == 200
    refused = httpx.get(f"{server.url}/a,b,c/json?poll=1")
    assert (refused.status_code, refused.json()["code"]) == (400, 40009)

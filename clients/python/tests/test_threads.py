"""The client for threads, against the real server."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import ServerProcess
from toastd import Channel, ConnectionLost, Event, ProblemError, Toastd
from toastd._sse import EventReader

UNDO = {"id": "undo", "title": "Undo"}


@pytest.fixture
def channel(server: Any, name: str) -> Iterator[Channel]:
    with Toastd(server.url) as client:
        yield client.channel(name)


class Reader:
    """Reads a stream in its own thread."""

    def __init__(self, url: str, channel: str, **options: Any) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self._client = Toastd(url)
        self._stream = self._client.channel(channel).stream(**options)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for event in self._stream:
            self.events.put(event)

    def wait(self, kind: str, **members: Any) -> Event:
        while True:
            event = self.events.get(timeout=30)
            found = {**event, **event.get("toast", {})}
            if event["type"] == kind and all(found.get(name) == value for name, value in members.items()):
                return event


def test_a_toast_is_published_listed_changed_and_taken_back(channel: Channel) -> None:
    toast = channel.publish("1 of 2", role="success", duration="long", progress={"value": 1, "total": 2}, data={"n": 1})
    assert (toast["state"], toast["role"], toast["duration"]) == ("queued", "success", 4)
    assert channel.toasts() == [channel.get(toast["id"])]
    changed = channel.patch(toast["id"], revision=1, message="2 of 2")
    assert (changed["revision"], changed["message"]) == (2, "2 of 2")
    with pytest.raises(ProblemError, match="412 precondition-failed"):
        channel.patch(toast["id"], revision=1, message="3 of 2")
    assert channel.delete(toast["id"])["dismissReason"] == "api"
    assert channel.get(toast["id"])["dismissReason"] == "api"
    assert [toast["id"] for toast in channel.toasts("dismissed")] == [toast["id"]]


def test_a_batch_is_accepted_whole_or_not_at_all(channel: Channel) -> None:
    second: Any = {"message": "two", "role": "error", "duraton": 9}
    batch = channel.publish_batch(["one", second])
    assert [toast["message"] for toast in batch["toasts"]] == ["one", "two"]
    assert [warning["pointer"] for warning in batch["warnings"]] == ["/1/duraton"]
    with pytest.raises(ProblemError) as refused:
        channel.publish_batch(["three", {"role": "error"}])
    assert refused.value.type == "invalid-toast"
    assert refused.value.problem["errors"][0]["pointer"].startswith("/1")
    assert channel.clear() == 2


def test_toasts_are_changed_and_cleared_by_their_identifier(channel: Channel) -> None:
    channel.publish("1 %", reuseIdentifier="nightly")
    updated = channel.patch_all("nightly", message="2 %")
    assert (updated["updatedCount"], [toast["message"] for toast in updated["toasts"]]) == (1, ["2 %"])
    assert channel.clear(reuseIdentifier="other") == 0
    assert channel.clear(reuseIdentifier="nightly") == 1


def test_a_list_of_several_pages_is_complete(channel: Channel) -> None:
    texts = [f"{number} {'x' * 4000}" for number in range(90)]
    channel.publish_batch(texts[:10])
    for first in range(10, 90, 10):
        channel.publish_batch(texts[first : first + 10])
    assert "next" in channel.page()
    assert [toast["message"] for toast in channel.toasts()] == texts


def test_a_list_begins_anew_when_the_toast_that_ended_a_page_is_gone(server: Any, name: str) -> None:
    """Another client dismisses it between the two pages."""
    texts = [f"{number} {'x' * 4000}" for number in range(80)]
    with Toastd(server.url) as client:
        for first in range(0, 80, 10):
            client.channel(name).publish_batch(texts[first : first + 10])

    class Changed(httpx.HTTPTransport):
        gone: Any = None

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)
            if self.gone is None:
                self.gone = json.loads(response.read())["next"]
                httpx.delete(f"{server.url}/v1/channels/{name}/toasts/{self.gone}").raise_for_status()
            return response

    transport = Changed()
    with Toastd(server.url, transport=transport) as client:
        toasts = client.channel(name).toasts()
    assert len(toasts) == 79
    assert transport.gone not in [toast["id"] for toast in toasts]


def test_warnings_say_what_has_no_effect(channel: Channel) -> None:
    toast = channel.publish("Deployed", duraton=9)  # type: ignore[call-arg]
    assert toast["warnings"][0]["pointer"] == "/duraton"


def test_a_toast_goes_to_several_channels(server: Any, name: str) -> None:
    with Toastd(server.url) as client:
        answer = client.publish_to([f"{name}-a", f"{name}-b"], "Lunch", role="info")
        again = client.publish_to([f"{name}-b", f"{name}-a"], "Lunch", key="k")
        repeated = client.publish_to([f"{name}-b", f"{name}-a"], "Lunch", key="k")
    assert answer["summary"]["acceptedCount"] == 2
    assert [result["toast"]["id"] for result in repeated["results"]] == [
        result["toast"]["id"] for result in again["results"]
    ]


def test_what_people_do_is_reported(channel: Channel, configure: Callable[..., None]) -> None:
    configure(channel.name, whenUnattended="present", mode="stack")
    toast = channel.publish("Row deleted", duration=20, actions=[UNDO])
    hold = channel.hold(toast["id"], "viewer-1", lease=5)
    assert hold["lease"] == 5 and 15 < hold["remaining"] < 21  # its entry comes first
    channel.release(toast["id"], "viewer-1")
    pressed = channel.act(toast["id"], "undo")
    assert (pressed["dismissReason"], pressed["action"]) == ("action", "undo")
    other = channel.publish("Saved", duration=20)
    assert channel.dismiss(other["id"], "swipe")["dismissReason"] == "swipe"


def test_a_question_waits_for_its_answer(channel: Channel, server: Any) -> None:
    def answer() -> None:
        reader = Reader(server.url, channel.name)
        toast = reader.wait("presented")["toast"]
        with Toastd(server.url) as client:
            client.channel(channel.name).act(toast["id"], "undo")

    threading.Thread(target=answer, daemon=True).start()
    toast = channel.ask("Row deleted", wait=30, duration="indefinite", actions=[UNDO])
    assert (toast["state"], toast["action"]) == ("dismissed", "undo")


def test_a_question_without_an_answer_ends_after_its_time(channel: Channel) -> None:
    start = time.monotonic()
    toast = channel.ask("Anybody?", wait=1, duration="indefinite")
    assert toast["state"] == "queued"
    assert 0.9 < time.monotonic() - start < 15
    assert len(channel.toasts()) == 1


def test_a_question_survives_a_restart_of_the_server(restartable: Any, name: str) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    channel = Toastd(restartable.url).channel(name)
    asking = lambda: answers.put(channel.ask("Go on?", wait=60, duration="indefinite", actions=[UNDO]))  # noqa: E731
    threading.Thread(target=asking, daemon=True).start()
    reader = Reader(restartable.url, name)
    toast = reader.wait("presented")["toast"]
    restartable.stop()
    restartable.start()
    reader.wait("resumed")
    Toastd(restartable.url).channel(name).act(toast["id"], "undo")
    answer = answers.get(timeout=30)
    assert (answer["id"], answer["action"]) == (toast["id"], "undo")


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_stream_misses_nothing_while_the_server_restarts(restartable: Any, name: str, end: str) -> None:
    reader = Reader(restartable.url, name, events=["enqueued"])
    reader.wait("snapshot")
    with Toastd(restartable.url) as client:
        channel = client.channel(name)
        for number in range(3):
            channel.publish(f"before {number}")
    reader.wait("enqueued", message="before 0")
    getattr(restartable, end)()
    restartable.start()
    with Toastd(restartable.url) as client:
        channel = client.channel(name)
        for number in range(3):
            channel.publish(f"after {number}")
    seen = [reader.wait("enqueued")["toast"]["message"] for _ in range(5)]
    assert seen == ["before 1", "before 2", *(f"after {number}" for number in range(3))]
    time.sleep(0.2)
    rest = []
    while not reader.events.empty():
        rest.append(reader.events.get()["type"])
    assert "enqueued" not in rest


def test_a_stream_goes_on_from_a_page(channel: Channel) -> None:
    channel.publish("listed")
    page = channel.page()
    channel.publish("streamed")
    stream = channel.stream(since=page["cursor"], events=["enqueued"], audience=False)
    events = [next(stream), next(stream)]
    assert [event["type"] for event in events] == ["resumed", "enqueued"]
    assert events[1]["toast"]["message"] == "streamed"


def test_a_stream_says_how_much_longer_a_person_reads(channel: Channel) -> None:
    assert next(channel.stream(scale=2.5))["type"] == "snapshot"
    with pytest.raises(ProblemError, match="400 invalid-parameter"):
        next(channel.stream(scale=11))


def test_a_stream_that_is_refused_raises(server: Any, name: str) -> None:
    with Toastd(server.url) as client, pytest.raises(ProblemError, match="400 invalid-parameter"):
        next(client.channel(name).stream(since="never"))


def test_a_stream_ends_when_its_client_is_closed(tmp_path: Path, name: str) -> None:
    """The stream ends with the next data from the server, a comment, for which another thread waits."""
    with ServerProcess(tmp_path, "--comment-interval", "1") as server:
        client = Toastd(server.url)
        stream = client.channel(name).stream()
        assert next(stream)["type"] == "snapshot"
        rest: queue.Queue[Any] = queue.Queue()

        def read() -> None:
            try:
                rest.put(list(stream))
            except BaseException as error:
                rest.put(error)

        threading.Thread(target=read, daemon=True).start()
        time.sleep(0.1)
        client.close()
        assert rest.get(timeout=30) == []


def test_a_stream_of_a_client_that_was_closed_before_raises(server: Any, name: str) -> None:
    with Toastd(server.url) as client:
        stream = client.channel(name).stream()
    with pytest.raises(RuntimeError, match="closed"):
        next(stream)


def test_a_stream_of_several_channels(server: Any, name: str) -> None:
    names = [f"{name}-a", f"{name}-b"]
    with Toastd(server.url) as client:
        stream = client.stream(names, events=["enqueued"])
        assert {next(stream)["channel"], next(stream)["channel"]} == set(names)
        client.channel(names[1]).publish("Deployed")
        assert next(stream)["channel"] == names[1]


def test_a_key_is_sent_and_its_lack_is_a_problem(tmp_path: Any, launch_with_key: Any) -> None:
    url, key = launch_with_key
    with Toastd(url) as client, pytest.raises(ProblemError, match="401 credentials-required"):
        client.channel("ops").publish("Deployed")
    with Toastd(url, token=key) as client:
        assert client.channel("ops").publish("Deployed")["state"] == "queued"


def test_a_lost_answer_publishes_nothing_twice(server: Any, name: str) -> None:
    """The first answer is lost after the server has accepted the toast."""

    class Lossy(httpx.HTTPTransport):
        lost = 0

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)
            if self.lost == 0:
                self.lost += 1
                response.read()
                raise httpx.ReadError("lost")
            return response

    with Toastd(server.url, transport=Lossy()) as client:
        client.channel(name).publish("Deployed")
        assert [toast["message"] for toast in client.channel(name).toasts()] == ["Deployed"]


def test_a_server_that_is_away_is_reported() -> None:
    with Toastd("http://127.0.0.1:1", attempts=1) as client, pytest.raises(ConnectionLost):
        client.channel("ops").publish("Deployed")


def test_bytes_become_events_however_they_are_cut() -> None:
    text = (
        'retry: 3000\n\n: comment\nid: a-1\r\nevent: acted\r\ndata: {"type": "acted",\r\ndata: "id": "\u2028ü"}\r\n\r\n'
    )
    for size in (1, 2, 3, 1000):
        reader, data = EventReader(), text.encode()
        events = [event for at in range(0, len(data), size) for event in reader.feed(data[at : at + size])]
        assert events == [{"type": "acted", "id": "\u2028ü"}]
        assert reader.retry == 3

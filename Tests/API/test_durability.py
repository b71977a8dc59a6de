"""Acknowledged toasts survive `kill -9` exactly once; clients receive missed events once and in order."""

import random
import threading

import httpx
import pytest

from channel import Channel
from streams import EventStream, facts
from waiting import until

CLIENTS = 8


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "round" in metafunc.fixturenames:
        metafunc.parametrize("round", range(20 if metafunc.config.getoption("--soak") else 3))


class Publisher(threading.Thread):
    """Posts toasts one after the other until the server is gone."""

    def __init__(self, url: str, path: str, number: int, kill: threading.Semaphore) -> None:
        super().__init__()
        self.url, self.path, self.number, self.kill = url, path, number, kill
        self.sent = 0
        self.acknowledged: dict[str, str] = {}

    def run(self) -> None:
        with httpx.Client(base_url=self.url, timeout=60) as client:
            while self.sent < 100:
                message = f"{self.number}-{self.sent}"
                self.sent += 1
                try:
                    response = client.post(f"{self.path}/toasts", json={"message": message})
                except httpx.HTTPError:
                    return
                assert response.status_code == 201, response.text
                self.acknowledged[response.json()["id"]] = message
                self.kill.release()


def test_nothing_acknowledged_is_lost_or_doubled(launch, round):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    server = launch()
    channel = Channel(server.url, f"round-{round}")
    channel.configure(capacity=10_000, duration="indefinite")
    beginning = channel.cursor()

    before = EventStream(f"{server.url}{channel.path}/stream", since=beginning)
    before.wait("resumed")
    acknowledgements = threading.Semaphore(0)
    publishers = [Publisher(server.url, channel.path, number, acknowledgements) for number in range(CLIENTS)]
    for publisher in publishers:
        publisher.start()
    for _ in range(chance.randint(20, 600)):
        assert acknowledgements.acquire(timeout=20)
    server.kill()
    for publisher in publishers:
        publisher.join()
    before.over()
    before.close()

    server = launch()
    channel = channel.on(server.url)
    acknowledged = {k: v for publisher in publishers for k, v in publisher.acknowledged.items()}
    toasts = channel.toasts()
    stored = {toast["id"]: toast["message"] for toast in toasts}
    assert len(stored) == len(toasts)
    assert acknowledged.items() <= stored.items()
    assert len(set(stored.values())) == len(stored), "a toast was stored twice"
    # Each client had at most one request under way, which may be stored and not acknowledged.
    assert len(stored) - len(acknowledged) <= CLIENTS

    seen = before.facts
    after = EventStream(f"{server.url}{channel.path}/stream", since=seen[-1]["cursor"] if seen else beginning)
    after.wait("resumed")
    live = channel.publish("live")
    after.wait("enqueued", id=live["id"])
    assert not any(event["type"] == "snapshot" for event in after.events)
    whole = seen + facts(after.events)
    after.close()
    assert len({event["cursor"] for event in whole}) == len(whole)
    assert whole == channel.history(beginning)[: len(whole)]
    enqueued = [event["toast"]["id"] for event in whole if event["type"] == "enqueued"]
    assert set(enqueued) == {*stored, live["id"]} and len(enqueued) == len(set(enqueued))
    assert enqueued[-1] == live["id"]
    channel.close()


def test_everything_about_a_channel_survives(launch):
    server = launch()
    channel = Channel(server.url, "all")
    channel.configure(mode="priority", duration=60, style="retro")
    with EventStream(f"{server.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        shown = channel.publish("shown", actions=[{"id": "undo", "title": "Undo"}], data={"n": 1})
        viewer.wait("presented", id=shown["id"])
        gone = channel.publish("gone")
        channel.dismiss(gone, "swipe")
        channel.publish("waiting", role="error")
        channel.patch(shown, {"message": "changed"})
        state = [channel.toasts(state) for state in (None, "dismissed")]
        settings = channel.http.get(f"{channel.path}/settings").json()
        server.kill()
    channel = channel.on(launch().url)
    assert [channel.toasts(state) for state in (None, "dismissed")] == state
    assert channel.http.get(f"{channel.path}/settings").json() == settings


def test_countdowns_continue_while_the_server_is_down(launch):
    server = launch()
    channel = Channel(server.url, "away")
    with EventStream(f"{server.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        toast = channel.publish(duration=0.2)
        viewer.wait("presented", id=toast["id"])
        server.kill()
    channel = channel.on(launch().url)
    with EventStream(f"{channel.url}{channel.path}/stream"):
        until(lambda: channel.get(toast).json()["state"] == "dismissed")
        assert channel.get(toast).json()["dismissReason"] == "timeout"


def test_a_stop_loses_nothing_either(launch):
    server = launch()
    channel = Channel(server.url, "stop")
    toasts = [channel.publish(str(number)) for number in range(20)]
    cursor = channel.cursor()
    server.stop()
    channel = channel.on(launch().url)
    assert channel.toasts() == toasts
    assert channel.cursor() == cursor


def test_a_store_in_memory_is_lost_and_clients_are_told(launch):
    server = launch(store="memory")
    channel = Channel(server.url, "memory")
    channel.publish()
    cursor = channel.cursor()
    server.stop()
    channel = channel.on(launch(store="memory").url)
    assert channel.toasts() == []
    assert channel.poll(cursor, wait=0)["events"][0]["reset"] is True

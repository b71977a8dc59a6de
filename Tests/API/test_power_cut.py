"""After a power failure clients resume without a gap or get `reset`; with `--durability power` nothing is lost."""

import random
import threading
from pathlib import Path

import httpx
import pytest

from channel import Channel
from power import Machine, build_disk, remains
from streams import EventStream, facts
from toastd import Toastd

CHANNELS = [f"c{number}" for number in range(3)]
# So few that the log keeps them all, and all can be compared.
MOST = 500
# The number of random outcomes for each cut, and the number of cuts: 12 in the short version, 200 in the long one.
DRAWS = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    return build_disk(tmp_path_factory.mktemp("disk"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "round" in metafunc.fixturenames:
        metafunc.parametrize("round", range(50 if metafunc.config.getoption("--soak") else 3))


class Publisher(threading.Thread):
    """Posts toasts to one channel until the server is gone."""

    def __init__(self, url: str, name: str, size: int, progress: threading.Semaphore) -> None:
        super().__init__()
        self.url, self.name_, self.size, self.progress = url, name, size, progress
        self.acknowledged: set[str] = set()

    def run(self) -> None:
        with httpx.Client(base_url=self.url, timeout=60) as client:
            while len(self.acknowledged) < MOST:
                body = {"message": "published", "data": {"fill": "x" * self.size}}
                try:
                    response = client.post(f"/v1/channels/{self.name_}/toasts", json=body)
                except httpx.HTTPError:
                    return
                assert response.status_code == 201, response.text
                self.acknowledged.add(response.json()["id"])
                self.progress.release()


def sense(event: dict) -> tuple:
    """The type, time and toast of an event, which together identify it without its cursor."""
    return (event["type"], event["at"], event.get("toast", event)["id"])


class History:
    """What clients had received, and publishers had acknowledged, when the server's power was cut."""

    def __init__(self, server: Toastd, chance: random.Random) -> None:
        channels = [Channel(server.url, name) for name in CHANNELS]
        for channel in channels:
            channel.configure(capacity=10_000, duration="indefinite", mode="stack")
        self.beginnings = {channel.name: channel.cursor() for channel in channels}
        streams = {
            name: EventStream(f"{server.url}/v1/channels/{name}/stream", since=since)
            for name, since in self.beginnings.items()
        }
        for stream in streams.values():
            stream.wait("resumed")
        progress = threading.Semaphore(0)
        # The largest size makes SQLite copy its log into the database, so that the power may be cut during that.
        size = chance.choice([1, 1000, 60_000])
        publishers = [Publisher(server.url, name, size, progress) for name in CHANNELS]
        for publisher in publishers:
            publisher.start()
        for _ in range(chance.randint(10, MOST)):
            assert progress.acquire(timeout=60)
        server.kill()
        for publisher in publishers:
            publisher.join()
        for stream in streams.values():
            stream.over()
            stream.close()
        for channel in channels:
            channel.close()
        self.seen = {name: stream.facts for name, stream in streams.items()}
        self.acknowledged = {publisher.name_: publisher.acknowledged for publisher in publishers}


def judge(channel: Channel, history: History, chance: random.Random) -> tuple[int, int, int]:
    """The number of clients that resumed, of clients that got `reset`, and of lost acknowledged toasts."""
    seen = history.seen[channel.name]
    stored = {toast["id"] for toast in channel.toasts()}
    lost = len(history.acknowledged[channel.name] - stored)
    # Publishes more toasts than were lost, so that offsets of lost events are used again.
    channel.configure(capacity=10_000, duration="indefinite", mode="stack")
    for start in range(0, lost + 10, 100):
        response = channel.post([{"message": "later"}] * min(100, lost + 10 - start))
        assert response.status_code == 201, response.text
    epoch = channel.cursor().split("-")[0]
    whole = channel.history(f"{epoch}-{history.beginnings[channel.name].split('-')[1]}")

    known = {event["cursor"]: sense(event) for event in seen}
    for event in whole:
        assert known.get(event["cursor"], sense(event)) == sense(event), (
            "a cursor, and with it a message id, is used twice"
        )
    places = {len(seen), *(chance.randint(1, len(seen)) for _ in range(4))} if seen else set()
    resumed = reset = 0
    for place in places:
        missed = channel.poll(seen[place - 1]["cursor"], wait=0)["events"]
        if missed[0]["type"] == "snapshot":
            assert missed[0]["reset"] is True
            reset += 1
            continue
        heard = [sense(event) for event in seen[:place] + facts(missed)]
        assert heard == [sense(event) for event in whole[: len(heard)]], "a silent gap"
        resumed += 1
    return resumed, reset, lost


@pytest.mark.timeout(300)
@pytest.mark.parametrize("durability", ["process", "power"])
def test_every_client_resumes_or_gets_a_reset(library, tmp_path, durability, round):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    machine = Machine(library, tmp_path / "machine", "--durability", durability)
    with machine as server:
        history = History(server, chance)
    total = [0, 0, 0]
    for draw in range(DRAWS):
        directory = tmp_path / f"draw-{draw}"
        machine.restore(directory, chance)
        next_boot = Machine(library, directory, "--durability", durability)
        with next_boot as server:
            for name in CHANNELS:
                channel = Channel(server.url, name)
                result = judge(channel, history, chance)
                total = [sum(pair) for pair in zip(total, result, strict=True)]
                channel.close()
    resumed, reset, lost = total
    acknowledged = sum(map(len, history.acknowledged.values()))
    print(
        f"{durability}: {acknowledged} acknowledged; "
        f"in {DRAWS} draws {lost} lost, {resumed} resumed, {reset} told reset"
    )
    if durability == "power":
        assert (lost, reset) == (0, 0)


def test_a_power_cut_keeps_synchronized_data():
    chance = random.Random(1)
    synchronized = chance.randbytes(700)
    for _ in range(1000):
        left = remains(synchronized + chance.randbytes(chance.randint(0, 2000)), synchronized, chance)
        assert left[: len(synchronized)] == synchronized

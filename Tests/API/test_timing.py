"""The timing of the queue: when toasts come, in which order, and how long the screen is empty."""

import itertools
import statistics
import time

import pytest

from streams import instant


def test_toasts_come_one_after_the_other(channel, stream):
    response = channel.post([{"message": str(number), "duration": 0.5} for number in range(6)])
    assert response.status_code == 201
    presented = stream.count("presented", 6)
    times = [instant(event) for event in presented]
    # 0.5 s on screen, 0.35 s for the exit and 0.2 s of pause; on a busy machine some toasts come later.
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert min(gaps) == pytest.approx(1.05, abs=0.03)
    assert statistics.median(gaps) < 1.5
    assert [event["toast"]["message"] for event in presented] == [str(number) for number in range(6)]


def test_an_event_arrives_when_it_happens(channel, stream):
    delays = []

    def come(kind, toast):
        event = stream.wait(kind, id=toast["id"])
        delays.append(time.time() - instant(event))
        return event

    for _ in range(3):
        toast = channel.publish(duration=0.7)
        presented = come("presented", toast)
        dismissed = come("dismissed", toast)
        assert instant(dismissed) - instant(presented) == pytest.approx(0.7, abs=0.002)
    # A server that waits for a tick or for the next event is always late, a busy machine only sometimes.
    assert min(delays) < 0.1
    assert max(delays) < 20


def test_errors_come_before_warnings_before_infos(channel, stream):
    channel.configure(mode="priority", duration=0.3)
    channel.publish("shown")
    stream.wait("presented", message="shown")
    assert channel.post([{"message": role, "role": role} for role in ("info", "warning", "error")]).status_code == 201
    assert [event["toast"]["message"] for event in stream.count("presented", 4)] == [
        "shown",
        "error",
        "warning",
        "info",
    ]


def test_a_fast_sender_never_starves_the_screen(channel, stream):
    channel.configure(mode="replaceAll", duration=60)
    started = time.monotonic()
    for number in range(60):
        time.sleep(max(0, started + number / 20 - time.monotonic()))
        channel.publish(str(number))
    stream.wait("presented", message="59")

    empty_since, gaps = None, []
    for event in stream.facts:
        if event["type"] == "dismissed" and event["exit"] > 0:
            empty_since = instant(event)
        elif event["type"] == "presented" and empty_since is not None:
            gaps.append(instant(event) - empty_since)
            empty_since = None
    assert len(gaps) >= 3
    # If the publisher starved the screen, all gaps would be long; on a busy machine only some are.
    assert statistics.median(gaps) <= 0.5
    assert max(gaps) < 20
    assert {event["dismissReason"] for event in stream.facts if event["type"] == "dismissed"} == {"replaced"}
    assert channel.toasts()[0]["message"] == "59"
    assert len(channel.toasts()) == 1


def test_a_toast_that_waited_too_long_is_not_shown(channel, stream):
    blocker = channel.publish(duration="indefinite")
    stream.wait("presented", id=blocker["id"])
    toast = channel.publish(expiresAfter=0.3)
    expired = stream.wait("dismissed", id=toast["id"])
    assert (expired["dismissReason"], expired["exit"]) == ("expired", 0)
    assert channel.get(toast).json()["dismissReason"] == "expired"

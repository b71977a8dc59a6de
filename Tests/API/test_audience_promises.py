"""A stream without `presented`, with `audience=0`, or a poll without `since` is not an audience: toasts wait."""

import json
import signal

import httpx
import pytest

from commands import running
from streams import EventStream, Poller, Socket
from toastd import Toastd
from waiting import until

KINDS = {"stream": EventStream, "socket": Socket, "poll": Poller}
UNSEEING = [
    {"events": "acted"},
    {"audience": "0"},
    {"audience": "false", "assistive": "1"},
    {"events": "acted,dismissed", "audience": "1"},
]
NOBODY = {"sse": 0, "websocket": 0, "poll": 0}


def in_turn(channel, *messages):
    """Attaches a viewer, which must get each toast with its full time, less the delay of the first presentation."""
    with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
        for message in messages:
            shown = viewer.wait("presented", message=message)
            # It would be less if the countdown had run while the toast was queued.
            assert shown["remaining"] == pytest.approx(30, abs=1.5)
            channel.dismiss(shown["toast"])
    until(lambda: channel.summary()["audience"] == NOBODY)


@pytest.mark.parametrize("parameters", UNSEEING, ids=lambda each: "&".join(f"{k}={v}" for k, v in each.items()))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_composite", [False, True], ids=["one", "several"])
def test_a_stream_that_cannot_show_toasts_is_no_audience(channel, kind, parameters, is_composite):
    path = f"{channel.url}/v1/{kind}" if is_composite else f"{channel.url}{channel.path}/{kind}"
    names = {"channel": channel.name} if is_composite else {}
    with KINDS[kind](path, **names, **parameters) as consumer:
        consumer.wait("snapshot")
        for message in ("one", "two"):
            channel.publish(message, duration=30)
        channel.let_pass(2)
        assert [toast["state"] for toast in channel.toasts()] == ["queued", "queued"]
        assert channel.summary()["audience"] == NOBODY
        in_turn(channel, "one", "two")


def test_a_poll_without_a_cursor_is_no_audience_and_the_next_one_is(channel):
    channel.publish("waits")
    for path, parameters in ((f"{channel.path}/poll", {}), ("/v1/poll", {"channel": channel.name})):
        first = channel.http.get(path, params=parameters).json()
        assert [(event["type"], event["queuedCount"]) for event in first["events"]] == [("snapshot", 1)]
        assert [toast["state"] for toast in channel.toasts()] == ["queued"]
    again = channel.http.get("/v1/poll", params={"channel": channel.name, "since": first["cursor"]}).json()
    assert [event["type"] for event in again["events"]] == ["presented"]


def test_a_stream_that_is_no_audience_does_not_change_durations(channel, attach):
    attach("stream", events="acted", assistive=1, scale=10).wait("snapshot")
    viewer = attach("stream")
    viewer.wait("snapshot")
    channel.publish(duration=2)
    assert viewer.wait("presented")["remaining"] == 2


@pytest.mark.parametrize("value", ["", "2", "yes"])
def test_an_invalid_audience_parameter_is_refused(channel, value):
    response = channel.http.get(f"{channel.path}/poll", params={"audience": value})
    assert (response.status_code, response.json()["type"]) == (400, "urn:toastd:problem:invalid-parameter")


@pytest.mark.parametrize("options", [["--events", "acted"], ["--no-audience"]], ids=" ".join)
def test_watch_without_presented_events_is_no_audience(server: Toastd, channel, options):
    environment = {"TOASTD_SERVER": server.url}
    with running("watch", channel.name, *options, "--output", "json", environment=environment) as watching:
        watching.until(list)
        question = channel.publish("Deploy?", duration=30, actions=[{"id": "yes", "title": "Yes"}])
        channel.publish("second", duration=30)
        channel.let_pass(2)
        assert [toast["state"] for toast in channel.toasts()] == ["queued", "queued"]
        in_turn(channel, "Deploy?", "second")
        channel.configure(duration="indefinite")
        question = channel.publish("Really?", actions=[{"id": "yes", "title": "Yes"}])
        with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
            viewer.wait("presented", id=question["id"])
            channel.act(question, "yes").raise_for_status()
        event = watching.until(lambda lines: next((e for e in map(json.loads, lines) if e["type"] == "acted"), None))
        assert (event["id"], event["action"]) == (question["id"], "yes")
        assert watching.end(signal.SIGTERM) == 0


def test_the_summary_counts_only_the_audience(channel, attach):
    for parameters in ({}, {"audience": "1"}, {"audience": "0"}, {"events": "acted"}, {"events": "presented"}):
        attach("stream", **parameters).wait("snapshot")
    assert httpx.get(f"{channel.url}{channel.path}").json()["audience"] == {**NOBODY, "sse": 3}

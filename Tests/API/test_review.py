"""What a review found: each fails until it is mended."""

import time

import httpx

from test_problems import problem


def test_a_key_is_kept_when_nothing_else_happens(channel):
    """In a channel where an equal toast is no event, the key has to be stored all the same."""
    channel.http.put(f"{channel.path}/settings", json={"preset": "toaster"})
    channel.post({"message": "m"})
    first = channel.post({"message": "m"}, headers={"Idempotency-Key": "k"})
    second = channel.post({"message": "m"}, headers={"Idempotency-Key": "k"})
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.headers.get("idempotency-replayed") == "true"
    problem(channel.post({"message": "n"}, headers={"Idempotency-Key": "k"}), 422, "idempotency-key-reused")


def test_colours_are_checked_when_one_publishes_to_many(server, name):
    dim = {"title": "T", "message": "m", "appearance": {"title": {"color": "#777777"}, "backgroundColor": "#888888"}}
    response = httpx.post(f"{server.url}/v1/toasts", json={"channels": [name], "toast": dim})
    assert response.status_code == 201
    assert '"warnings"' in response.text


def test_an_expiry_is_not_in_the_past(channel):
    posted = channel.publish("waits")
    since = channel.http.get(f"{channel.path}/toasts").json()["cursor"]
    time.sleep(1.2)
    channel.http.patch(f"{channel.path}/toasts/{posted['id']}", json={"expiresAfter": 1})
    time.sleep(0.2)
    events = channel.http.get(f"{channel.path}/poll", params={"since": since, "wait": 0}).json()["events"]
    events = [event for event in events if event["type"] in ("updated", "dismissed")]
    assert [event["type"] for event in events] == ["updated", "dismissed"]
    assert events[0]["at"] <= events[1]["at"]

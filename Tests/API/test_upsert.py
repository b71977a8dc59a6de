"""A toast that replaces the present one with its reuse identifier, and one that waits for its `notBefore`."""

from datetime import UTC, datetime, timedelta

import pytest

from channel import Channel
from test_problems import problem


def test_a_resolved_alert_updates_the_toast_of_the_firing_one(channel):
    alert = {"reuseIdentifier": "disk", "whenPresent": "replace"}
    firing = channel.publish("Disk full", role="error", duration="indefinite", **alert)
    assert "whenPresent" not in firing
    assert "warnings" not in firing
    resolved = channel.post({"message": "Disk has room", "role": "success", **alert})
    assert resolved.status_code == 200
    assert resolved.json()["id"] == firing["id"]
    assert resolved.json()["role"] == "success"
    assert resolved.json()["revision"] == 2
    assert [toast["id"] for toast in channel.toasts()] == [firing["id"]]


def test_without_an_identifier_it_is_a_warning(channel):
    toast = channel.publish(whenPresent="replace")
    assert [warning["pointer"] for warning in toast["warnings"]] == ["/whenPresent"]


def test_an_invalid_value_of_when_present_is_refused(channel):
    answer = channel.post({"message": "m", "reuseIdentifier": "x", "whenPresent": "append"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/whenPresent"


def test_a_toast_waits_for_its_time_also_over_a_restart(launch):
    server = launch()
    channel = Channel(server.url, "later")
    channel.configure(whenUnattended="present")
    start = datetime.now(UTC) + timedelta(hours=1)
    toast = channel.publish(notBefore=start.isoformat(), duration="indefinite")
    assert toast["notBefore"] == start.strftime("%Y-%m-%dT%H:%M:%S.") + f"{start.microsecond // 1000:03}Z"
    other = channel.publish("now", duration=0.3)
    assert channel.get(other).json()["state"] in ("presented", "dismissed")
    server.stop()
    server.start()
    channel = channel.on(server.url)
    assert channel.get(toast).json()["state"] == "queued"
    soon = (datetime.now(UTC) + timedelta(seconds=4)).isoformat()
    patched = channel.patch(toast, {"notBefore": soon}).json()
    assert patched["state"] == "queued"
    channel.let_pass(4.5)
    shown = channel.get(toast).json()
    assert shown["state"] == "presented"
    assert "notBefore" not in shown
    assert shown["presentedAt"] >= patched["notBefore"]


def test_all_toasts_of_a_name_are_changed_and_dismissed(channel):
    for text in ("one", "two"):
        channel.publish(text, reuseIdentifier="job")
    path, query = f"{channel.path}/toasts", {"reuseIdentifier": "job"}
    patched = channel.http.patch(path, params=query, json={"role": "warning"})
    assert patched.json()["updatedCount"] == 2
    assert {toast["role"] for toast in channel.toasts()} == {"warning"}
    assert channel.http.delete(path, params=query).json() == {"dismissedCount": 2}


@pytest.mark.parametrize(
    "query", ["reuseIdentifer=job", "role=error", "title=one&title=two", "reuseIdentifier=", "message=m&id=1"]
)
def test_an_invalid_filter_dismisses_nothing(channel, query):
    channel.publish("one", reuseIdentifier="job")
    problem(channel.http.delete(f"{channel.path}/toasts?{query}"), 400, "invalid-parameter")
    assert len(channel.toasts()) == 1

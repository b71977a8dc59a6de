"""Modes, lanes and duplicates on the wire."""

import pytest

from streams import EventStream, instant


def messages(events):
    return [event["toast"]["message"] for event in events]


def test_a_newer_toast_takes_the_place_at_once(channel, stream):
    channel.configure(mode="replace", duration=60)
    first = channel.publish("first")
    stream.wait("presented", message="first")
    channel.publish("second")
    second = stream.wait("presented", message="second")
    gone = stream.wait("dismissed")
    assert (gone["id"], gone["dismissReason"], gone["exit"]) == (first["id"], "replaced", 0)
    assert instant(gone) == instant(second)


def test_a_busy_channel_names_the_toast_on_screen(channel, stream):
    channel.configure(mode="reject", duration=60, placement="center")
    shown = channel.publish("shown")
    refused = channel.post({"message": "refused"})
    assert refused.status_code == 409
    problem = refused.json()
    assert problem["type"] == "urn:toastd:problem:toast-already-presented"
    assert (problem["toast"]["id"], problem["toast"]["message"]) == (shown["id"], "shown")
    assert [toast["message"] for toast in channel.toasts()] == ["shown"]
    # In the mode `reject` only one toast fits, so a batch of two is refused as a whole.
    channel.dismiss(shown)
    stream.wait("dismissed")
    assert channel.post([{"message": "a"}, {"message": "b"}]).status_code == 409
    assert channel.toasts() == []


def test_a_toast_may_follow_from_the_end_of_another(channel, stream):
    channel.configure(mode="reject", duration=60)
    toast = channel.publish("working", progress={"value": 1, "total": 2})
    stream.wait("presented", id=toast["id"])
    delays = []
    for number in range(5):
        channel.dismiss(toast)
        gone = stream.wait("dismissed", id=toast["id"])
        toast = channel.publish(f"done {number}")
        done = stream.wait("presented", id=toast["id"])
        delays.append(instant(done) - instant(gone) - gone["exit"])
    # On a busy machine some toasts are published or presented later, but none earlier.
    assert min(delays) == pytest.approx(0, abs=0.05)


def test_a_stack_shows_several_toasts_with_countdowns_of_their_own(channel, stream):
    # The exit is so long that the next toast must come before its end, on any machine.
    channel.configure(mode="stack", maxVisible=2, animations={"enter": {"duration": 0.2}, "exit": {"duration": 10}})
    toasts = [{"message": m, "duration": duration} for m, duration in (("long", 60), ("short", 0.3), ("next", 60))]
    assert channel.post(toasts).status_code == 201
    presented = stream.count("presented", 3)
    assert messages(presented) == ["long", "short", "next"]
    # The countdown begins after the entry animation of 0.2 s.
    assert [event["remaining"] for event in presented[:2]] == pytest.approx([60.2, 0.5], abs=0.001)
    assert instant(presented[1]) == instant(presented[0])
    gone = stream.wait("dismissed")
    assert (gone["id"], gone["dismissReason"]) == (presented[1]["toast"]["id"], "timeout")
    assert instant(gone) - instant(presented[1]) == pytest.approx(0.5, abs=0.002)
    # The next toast does not wait for the exit, which takes ten seconds.
    assert 0 <= instant(presented[2]) - instant(gone) < 5
    assert channel.get(presented[0]["toast"]).json()["state"] == "presented"


def test_placements_are_independent_lanes(channel, stream):
    channel.configure(lanes="placement", duration=60)
    for message, placement in (("a", "top"), ("b", "bottom"), ("c", "top")):
        channel.publish(message, placement=placement)
    assert messages(stream.count("presented", 2)) == ["a", "b"]
    assert [toast["message"] for toast in channel.toasts("queued")] == ["c"]


def test_a_toast_with_a_known_identifier_is_that_toast(channel, stream):
    channel.configure(deduplication="identity", duration=60)
    first = channel.publish("40 %", reuseIdentifier="backup", data={"run": 1})
    again = channel.post({"message": "80 %", "reuseIdentifier": "backup", "role": "success"})
    assert again.status_code == 200
    toast = again.json()
    assert (toast["id"], toast["revision"], toast["message"]) == (first["id"], 2, "80 %")
    assert "data" not in toast
    assert again.headers["etag"].startswith('"2-')
    updated = stream.wait("updated")
    assert (updated["moved"], updated["announcement"]) == (True, "success, 80 %")
    assert updated["remaining"] == pytest.approx(60, abs=0.5)
    assert len(channel.toasts()) == 1


def test_a_batch_is_200_only_if_all_toasts_are_known(channel):
    channel.configure(deduplication="identity")
    first = channel.post([{"message": "a"}, {"message": "b"}, {"message": "a"}])
    assert first.status_code == 201
    ids = [toast["id"] for toast in first.json()["toasts"]]
    assert ids[0] == ids[2] != ids[1]
    assert channel.post([{"message": "a"}, {"message": "c"}]).status_code == 201
    assert channel.post([{"message": "a"}, {"message": "c"}]).status_code == 200


def test_each_of_several_channels_reports_its_duplicates(server, channel):
    channel.configure(deduplication="identity")
    body = {"channels": [channel.name, channel.name + "-2"], "toast": {"message": "same"}}
    for expected in ([201, 201], [200, 201]):
        answer = channel.http.post("/v1/toasts", json=body)
        assert [result["status"] for result in answer.json()["results"]] == expected


def test_an_equal_toast_changes_nothing(channel, stream):
    channel.configure(deduplication="equal", duration=60)
    first = channel.publish("same")
    stream.wait("presented")
    cursor = channel.cursor()
    again = channel.post({"message": "same"})
    assert (again.status_code, again.json()["id"], again.json()["revision"]) == (200, first["id"], 1)
    assert channel.cursor() == cursor


def test_toasts_are_dismissed_by_their_reuse_identifier(channel, stream):
    for message, identifier in (("a", "disk"), ("b", None), ("c", "disk")):
        channel.publish(message, duration=60, **({"reuseIdentifier": identifier} if identifier else {}))
    answer = channel.http.delete(f"{channel.path}/toasts", params={"reuseIdentifier": "disk"})
    assert (answer.status_code, answer.json()) == (200, {"dismissedCount": 2})
    assert {event["dismissReason"] for event in stream.count("dismissed", 2)} == {"api"}
    assert [toast["message"] for toast in channel.toasts()] == ["b"]
    for identifier in ("", "unknown"):
        answer = channel.http.delete(f"{channel.path}/toasts", params={"reuseIdentifier": identifier})
        assert answer.status_code == (200 if identifier else 400)
    assert [toast["message"] for toast in channel.toasts()] == ["b"]


def test_complete_progress_dismisses_its_toast(channel, stream):
    toast = channel.publish("Copying", duration="indefinite", progress={"value": 0.5, "dismissAfter": 0.3})
    stream.wait("presented")
    channel.patch(toast, {"progress": {"value": 7}})
    updated = stream.wait("updated")
    assert updated["toast"]["progress"] == {"value": 1, "total": 1, "dismissAfter": 0.3}
    assert "announcement" not in updated
    gone = stream.wait("dismissed")
    assert gone["dismissReason"] == "completed"
    assert instant(gone) - instant(updated) == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize(
    ("parameters", "remaining"),
    [({}, 2), ({"assistive": 1}, 3), ({"scale": 4}, 8), ({"scale": 1.2, "assistive": 1}, 3), ({"scale": 10}, 20)],
)
def test_the_scale_parameter_extends_the_duration(channel, parameters, remaining):
    with EventStream(channel.url + channel.path + "/stream", **parameters) as stream:
        stream.wait("snapshot")
        channel.publish(duration=2)
        assert stream.wait("presented")["remaining"] == remaining


@pytest.mark.parametrize("scale", ["0.9", "11", "x", "nan", "inf"])
def test_an_invalid_scale_is_refused(channel, scale):
    response = channel.http.get(f"{channel.path}/poll", params={"scale": scale, "wait": 0})
    assert (response.status_code, response.json()["type"]) == (400, "urn:toastd:problem:invalid-parameter")


def test_the_server_decides_the_haptic_and_the_announcement(channel, stream):
    channel.publish("Disk full", role="error", title="Backup", duration=0.1)
    presented = stream.wait("presented")
    assert presented["toast"]["haptic"] == "automatic"
    assert (presented["haptic"], presented["announcement"]) == ("error", "error, Backup. Disk full")
    channel.publish("Quiet", haptic="none")
    assert "haptic" not in stream.wait("presented", message="Quiet")

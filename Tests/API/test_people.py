"""Dismissals, actions and holds by people; several clients may report the same one."""

import json
import threading

import pytest

from streams import instant
from test_problems import JSON, pointers, problem

ACTIONS = [{"id": "undo", "title": "Undo"}, {"id": "retry", "title": "Retry"}]


@pytest.fixture
def shown(channel, stream):
    """A toast that stays on screen until it is dismissed."""
    toast = channel.publish("Deleted", duration="indefinite", actions=ACTIONS, data={"row": 7})
    stream.wait("presented", id=toast["id"])
    return toast


@pytest.mark.parametrize("reason", ["swipe", "close", "tap", "escape", "key"])
def test_the_reason_of_a_dismissal_is_kept(channel, stream, shown, reason):
    response = channel.dismiss(shown, reason)
    assert response.status_code == 200, response.text
    assert (response.json()["state"], response.json()["dismissReason"]) == ("dismissed", reason)
    event = stream.wait("dismissed", id=shown["id"])
    assert (event["dismissReason"], event["exit"], event["data"]) == (reason, 0.35, {"row": 7})


def test_the_default_reason_is_the_close_button(channel, shown):
    assert channel.dismiss(shown).json()["dismissReason"] == "close"


@pytest.mark.parametrize("reason", ["timeout", "api", "action", "bored", 5])
def test_a_dismissal_with_another_reason_is_refused(channel, shown, reason):
    assert pointers(problem(channel.dismiss(shown, reason), 422, "invalid-command")) == ["/dismissReason"]


@pytest.mark.parametrize("body", [[], [None, None], "swipe", None, 5])
def test_the_body_of_a_report_must_be_an_object(channel, shown, body):
    response = channel.http.post(channel.toast(shown, "/dismiss"), content=json.dumps(body), headers=JSON)
    assert pointers(problem(response, 422, "invalid-command")) == [""]
    response = channel.http.put(channel.toast(shown, "/holds/me"), content=json.dumps(body), headers=JSON)
    assert pointers(problem(response, 422, "invalid-command")) == [""]
    assert channel.get(shown).json()["state"] == "presented"


def test_the_first_dismissal_wins(channel, stream, shown):
    first = channel.dismiss(shown, "swipe").json()
    assert channel.dismiss(shown, "close").json() == first
    assert channel.delete(shown).json() == first
    marker = channel.publish("marker", duration="indefinite")
    stream.wait("enqueued", id=marker["id"])
    assert sum(event["type"] == "dismissed" for event in stream.events) == 1


def test_delete_dismisses_presented_and_queued_toasts(channel, stream, shown):
    waiting = channel.publish("waiting")
    assert channel.delete(waiting).json()["dismissReason"] == "api"
    assert stream.wait("dismissed", id=waiting["id"])["exit"] == 0
    assert channel.delete(shown).json()["dismissReason"] == "api"
    assert stream.wait("dismissed", id=shown["id"])["exit"] == 0.35


def test_an_action_is_recorded_once(channel, stream, shown):
    response = channel.act(shown, "undo")
    assert response.status_code == 200, response.text
    toast = response.json()
    assert (toast["state"], toast["dismissReason"], toast["action"]) == ("dismissed", "action", "undo")
    assert channel.act(shown, "undo").json() == toast
    acted, dismissed = stream.wait("acted", id=shown["id"]), stream.wait("dismissed", id=shown["id"])
    assert (acted["action"], acted["data"]) == ("undo", {"row": 7})
    assert (dismissed["dismissReason"], dismissed["action"], dismissed["data"]) == ("action", "undo", {"row": 7})
    marker = channel.publish("marker")
    stream.wait("enqueued", id=marker["id"])
    assert sum(event["type"] == "acted" for event in stream.events) == 1


def test_many_viewers_press_at_once_and_one_press_counts(channel, stream, shown):
    outcomes = []

    def press(action):
        outcomes.append(channel.act(shown, action))

    threads = [threading.Thread(target=press, args=[ACTIONS[number % 2]["id"]]) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winner = channel.get(shown).json()["action"]
    assert sorted(response.status_code for response in outcomes) == [200] * 5 + [409] * 5
    assert all(response.json()["action"] == winner for response in outcomes if response.status_code == 200)
    marker = channel.publish("marker")
    stream.wait("enqueued", id=marker["id"])
    assert len([event for event in stream.events if event["type"] == "acted"]) == 1


def test_an_action_after_another_outcome(channel, shown):
    channel.dismiss(shown, "swipe")
    document = problem(channel.act(shown, "undo"), 409, "toast-dismissed")
    assert document["toast"]["dismissReason"] == "swipe"


def test_an_action_that_the_toast_does_not_have(channel, shown):
    problem(channel.act(shown, "explode"), 404, "action-not-found")
    assert channel.get(shown).json()["state"] == "presented"


def test_a_toast_that_is_not_presented_cannot_be_pressed(channel):
    toast = channel.publish(actions=ACTIONS)
    problem(channel.act(toast, "undo"), 409, "toast-not-presented")
    problem(channel.hold(toast), 409, "toast-not-presented")


def test_a_clear_empties_queue_and_screen(channel, stream, shown):
    waiting = [channel.publish(str(number)) for number in range(3)]
    response = channel.http.delete(f"{channel.path}/toasts")
    assert (response.status_code, response.json()) == (200, {"dismissedCount": 4})
    assert channel.toasts() == []
    assert {toast["dismissReason"] for toast in channel.toasts("dismissed")} == {"cleared"}
    for toast in [shown, *waiting]:
        assert stream.wait("dismissed", id=toast["id"])["dismissReason"] == "cleared"
    assert channel.http.delete(f"{channel.path}/toasts").json() == {"dismissedCount": 0}


def test_the_shortest_lease_is_a_millisecond(channel, stream):
    """A shorter one is not rounded to 0, which would mean that the lease has ended."""
    toast = channel.publish(duration=60)
    stream.wait("presented", id=toast["id"])
    assert channel.hold(toast, "ada", 0.0004).json()["lease"] == 0.001


def test_a_hold_stops_the_countdown_for_everyone(channel, stream):
    toast = channel.publish(duration=4)
    shown = stream.wait("presented", id=toast["id"])
    response = channel.hold(toast, "ada", 20)
    assert response.status_code == 200, response.text
    hold = response.json()
    assert (hold["id"], hold["holder"], hold["lease"]) == (toast["id"], "ada", 20)
    assert 0 < hold["remaining"] <= 4
    held = stream.wait("held", id=toast["id"])
    assert (held["holder"], held["remaining"]) == ("ada", hold["remaining"])
    channel.let_pass(4.2)
    assert channel.get(toast).json()["state"] == "presented"
    assert channel.release(toast, "ada").status_code == 204
    released = stream.wait("released", id=toast["id"])
    assert released["remaining"] == pytest.approx(held["remaining"], abs=0.002)
    dismissed = stream.wait("dismissed", id=toast["id"])
    assert dismissed["dismissReason"] == "timeout"
    assert instant(dismissed) - instant(released) == pytest.approx(released["remaining"], abs=0.05)
    assert instant(dismissed) - instant(shown) > 4.2


def test_a_lease_ends_by_itself(channel, stream):
    toast = channel.publish(duration=4)
    stream.wait("presented", id=toast["id"])
    channel.hold(toast, lease=0.8)
    held = stream.wait("held", id=toast["id"])
    released = stream.wait("released", id=toast["id"])
    assert instant(released) - instant(held) == pytest.approx(0.8, abs=0.05)
    stream.wait("dismissed", id=toast["id"])


def test_a_lease_is_renewed_by_its_holder(channel, stream):
    toast = channel.publish(duration=4)
    stream.wait("presented", id=toast["id"])
    channel.hold(toast, lease=4)
    channel.hold(toast, lease=5)
    held = stream.wait("held", id=toast["id"])
    dismissed = stream.wait("dismissed", id=toast["id"])
    assert instant(dismissed) - instant(held) > 4.95 + held["remaining"]


def test_the_countdown_continues_after_the_last_release(channel, stream):
    toast = channel.publish(duration=4)
    stream.wait("presented", id=toast["id"])
    channel.hold(toast, "ada", 30)
    channel.hold(toast, "grace", 30)
    channel.release(toast, "ada")
    channel.let_pass(4.2)
    assert channel.get(toast).json()["state"] == "presented"
    channel.release(toast, "grace")
    stream.wait("dismissed", id=toast["id"])


def test_a_snapshot_shows_that_a_toast_is_held(channel, stream, shown, attach):
    channel.hold(shown, "ada", 20)
    [entry] = attach("stream").wait("snapshot")["presented"]
    assert (entry["toast"]["id"], entry["held"]) == (shown["id"], True)


def test_a_release_without_a_hold_is_accepted(channel, shown):
    assert channel.release(shown, "nobody").status_code == 204


@pytest.mark.parametrize("lease", [0, -1, 31, "long"])
def test_a_lease_has_bounds(channel, shown, lease):
    response = channel.http.put(channel.toast(shown, "/holds/ada"), json={"lease": lease})
    assert pointers(problem(response, 422, "invalid-command")) == ["/lease"]


def test_a_replayed_update_of_a_held_toast_has_its_remaining_time(channel, attach, stream):
    before = channel.cursor()
    toast = channel.publish(duration=60)
    stream.wait("presented", id=toast["id"])
    channel.hold(toast)
    channel.patch(toast, {"message": "n"})
    updated = stream.wait("updated")
    assert updated["held"] is True
    channel.let_pass(0.5)
    assert attach(since=before).wait("updated") == updated

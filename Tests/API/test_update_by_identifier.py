"""PATCH by reuse identifier: a publisher need not store the ids of its toasts."""

import pytest

from channel import Channel
from test_problems import problem


def patch(channel: Channel, identifier, changes, **headers):
    headers = {"Content-Type": "application/merge-patch+json", **headers}
    parameters = {} if identifier is None else {"reuseIdentifier": identifier}
    return channel.http.patch(f"{channel.path}/toasts", params=parameters, json=changes, headers=headers)


def test_all_toasts_of_an_identifier_change_and_no_other(channel, stream):
    shown, waiting = (channel.publish(reuseIdentifier="nightly", duration="indefinite") for _ in range(2))
    other = channel.publish(reuseIdentifier="hourly")
    response = patch(channel, "nightly", {"message": "2 %"})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["updatedCount"] == 2
    assert [toast["id"] for toast in answer["toasts"]] == [shown["id"], waiting["id"]]
    assert answer["toasts"] == [channel.get(shown).json(), channel.get(waiting).json()]
    assert {toast["message"] for toast in answer["toasts"]} == {"2 %"}
    assert channel.get(other).json()["revision"] == 1
    stream.count("updated", 2)


def test_an_identifier_that_nothing_has_is_not_found(channel):
    gone = channel.publish(reuseIdentifier="nightly")
    channel.delete(gone)
    problem(patch(channel, "nightly", {"message": "m"}), 404, "toast-not-found")


@pytest.mark.parametrize("identifier", [None, ""])
def test_no_identifier_changes_nothing(channel, identifier):
    channel.publish()
    problem(patch(channel, identifier, {"message": "m"}), 400, "invalid-parameter")


def test_all_of_them_change_or_none(channel):
    first = channel.publish(reuseIdentifier="nightly", title="Backup")
    second = channel.publish(reuseIdentifier="nightly")
    # The second one would have neither message nor title.
    response = patch(channel, "nightly", {"message": None})
    assert response.status_code == 422, response.text
    assert [channel.get(toast).json()["revision"] for toast in (first, second)] == [1, 1]


def test_a_patch_changes_at_most_as_many_as_a_batch_contains(channel):
    named = {"message": "m", "reuseIdentifier": "nightly", "duration": "indefinite"}
    assert channel.post([named] * 100).status_code == 201
    assert patch(channel, "nightly", {"message": "n"}).json()["updatedCount"] == 100
    channel.publish(**named)
    error = problem(patch(channel, "nightly", {"message": "o"}), 422, "invalid-patch")
    assert "101 toasts" in error["errors"][0]["detail"]
    assert {toast["message"] for toast in channel.toasts()} == {"n", "m"}


def test_a_condition_holds_for_each_of_them(channel):
    first = channel.publish(reuseIdentifier="nightly")
    channel.publish(reuseIdentifier="nightly")
    channel.patch(first, {"message": "n"})
    problem(patch(channel, "nightly", {"message": "o"}, **{"If-Match": '"1"'}), 412, "precondition-failed")
    assert patch(channel, "nightly", {"message": "o"}, **{"If-Match": '"1", "2"'}).json()["updatedCount"] == 2


def test_the_faults_of_a_patch_are_named(channel):
    channel.publish(reuseIdentifier="nightly")
    response = patch(channel, "nightly", {"role": "fatal"})
    problem(response, 422, "invalid-patch")
    assert [error["pointer"] for error in response.json()["errors"]] == ["/role"]

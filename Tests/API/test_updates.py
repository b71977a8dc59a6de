"""A toast is changed in place; a change with an old revision is refused."""

import json

import pytest

from streams import instant
from test_problems import pointers, problem


def test_a_patch_changes_what_it_names(channel):
    toast = channel.publish("1 of 2", role="warning", data={"a": 1, "b": {"c": 2}})
    response = channel.patch(toast, {"message": "2 of 2", "data": {"a": None, "b": {"d": 3}}})
    assert response.status_code == 200, response.text
    assert response.headers["etag"].startswith('"2-queued-')
    assert response.json() == {**toast, "message": "2 of 2", "data": {"b": {"c": 2, "d": 3}}, "revision": 2}
    assert channel.get(toast).json() == response.json()


def test_patches_make_data_no_longer_than_a_document(channel):
    toast = channel.publish(data={"a": "x" * 30_000})
    assert channel.patch(toast, {"data": {"b": "x" * 30_000}}).status_code == 200
    error = problem(channel.patch(toast, {"data": {"c": "x" * 30_000}}), 422, "invalid-patch")
    assert pointers(error) == ["/data"]
    assert channel.patch(toast, {"message": "m"}).json()["revision"] == 3
    assert channel.patch(toast, {"data": {"a": None, "c": "x" * 30_000}}).json()["revision"] == 4


def test_data_that_grows_when_it_is_written_is_refused(channel):
    # `9e15` and its comma, five characters, are stored as 17.
    toast = b'{"message": "m", "data": [' + b",".join([b"9e15"] * 12_000) + b"]}"
    refused = channel.post(content=toast, headers={"Content-Type": "application/json"})
    assert pointers(problem(refused, 422, "invalid-toast")) == ["/data"]


@pytest.mark.parametrize("content_type", ["application/merge-patch+json", "application/json"])
def test_both_names_of_json_are_read(channel, content_type):
    toast = channel.publish()
    response = channel.http.patch(
        channel.toast(toast), content=b'{"message":"m"}', headers={"Content-Type": content_type}
    )
    assert response.json()["message"] == "m"


@pytest.mark.parametrize(
    ("published", "patch", "changed"),
    [
        ({"title": "T"}, {"title": None}, {"title": None}),
        ({"role": "error"}, {"role": None}, {"role": "info"}),
        ({"duration": 60}, {"duration": None}, {"duration": 6}),
        ({"progress": {"value": 1, "total": 4}}, {"progress": {"value": 2}}, {"progress": {"value": 2, "total": 4}}),
        ({"progress": {"value": 1, "total": 4}}, {"progress": {"value": 9}}, {"progress": {"value": 4, "total": 4}}),
        ({"image": {"url": "/a.png", "alt": "A"}}, {"image": {"alt": "B"}}, {"image": {"url": "/a.png", "alt": "B"}}),
    ],
)
def test_a_patch_is_merged(channel, published, patch, changed):
    toast = channel.publish(**published)
    result = channel.patch(toast, patch).json()
    assert {name: result[name] for name in changed} == changed


def test_null_removes_a_member(channel):
    toast = channel.publish(progress={"value": 1}, data={}, actions=[{"id": "a", "title": "A"}], icon="star.fill")
    result = channel.patch(toast, {"progress": None, "data": None, "actions": None, "icon": None}).json()
    assert not {"progress", "data", "actions", "icon"} & set(result)


@pytest.mark.parametrize(
    ("own", "changes"),
    [
        ({"borderWidth": 1}, {"borderWidth": None}),
        ({"title": {"font": {"size": 20}}}, {"title": {"font": None}}),
        ({"elevation": {"blur": 4}}, {"elevation": None}),
    ],
)
def test_an_empty_appearance_is_removed(channel, own, changes):
    toast = channel.publish(appearance=own)
    assert toast["appearance"] == own
    result = channel.patch(toast, {"appearance": changes}).json()
    assert ("appearance" in result, result["revision"]) == (False, 2)
    assert channel.get(toast).json() == result


def test_read_only_members_do_not_change(channel):
    toast = channel.publish()
    changes = {"id": "x", "state": "dismissed", "revision": 9, "createdAt": "x", "channel": "y", "message": "m"}
    result = channel.patch(toast, changes).json()
    assert [warning["pointer"] for warning in result.pop("warnings")] == ["/id", "/state", "/createdAt", "/channel"]
    assert result == {**toast, "message": "m", "revision": 2}


def test_only_the_expected_revision_changes(channel):
    toast = channel.publish()
    assert channel.patch(toast, {"message": "2"}, If_Match='"1"').status_code == 200
    problem(channel.patch(toast, {"message": "3"}, If_Match='"1"'), 412, "precondition-failed")
    assert channel.get(toast).json()["message"] == "2"
    assert channel.patch(toast, {"message": "3"}, If_Match='"7", "2"').status_code == 200
    assert channel.patch(toast, {"message": "4"}, If_Match="*").status_code == 200
    # RFC 9110 §13.1.1: If-Match compares strongly, and no weak tag is strongly equal to another.
    problem(channel.patch(toast, {"message": "5"}, If_Match='W/"4"'), 412, "precondition-failed")
    # An empty list matches nothing: an empty variable in a script permits no change. Neither does another entity tag
    # that begins with the digits of the revision.
    for nothing in ("", ",", '"3f44"', '"+4"'):
        problem(channel.patch(toast, {"message": "5"}, If_Match=nothing), 412, "precondition-failed")


def test_only_the_expected_revision_is_dismissed(channel):
    toast = channel.publish()
    channel.patch(toast, {"message": "2"})
    url = channel.toast(toast)
    problem(channel.http.delete(url, headers={"If-Match": '"1"'}), 412, "precondition-failed")
    problem(channel.http.delete(url, headers={"If-Match": ""}), 412, "precondition-failed")
    assert channel.get(toast).json()["state"] == "queued"
    tag = channel.get(toast).headers["etag"]
    assert channel.http.delete(url, headers={"If-Match": tag}).json()["dismissReason"] == "api"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"role": "fatal"}, ["/role"]),
        ({"message": None}, ["/message"]),
        ({"progress": {"total": 0, "value": 1}}, ["/progress/total"]),
        (
            {"progress": {"value": "x", "total": 0, "dismissAfter": -1}},
            ["/progress/value", "/progress/total", "/progress/dismissAfter"],
        ),
    ],
)
def test_a_patch_that_cannot_be_accepted(channel, patch, expected):
    toast = channel.publish()
    assert pointers(problem(channel.patch(toast, patch), 422, "invalid-patch")) == expected
    assert channel.get(toast).json() == toast


@pytest.mark.parametrize("patch", [[], "text", 5, None])
def test_a_patch_is_an_object(channel, patch):
    toast = channel.publish()
    response = channel.http.patch(
        channel.toast(toast), content=json.dumps(patch), headers={"Content-Type": "application/json"}
    )
    assert pointers(problem(response, 422, "invalid-patch")) == [""]


def test_a_dismissed_toast_does_not_change(channel):
    toast = channel.publish()
    channel.delete(toast)
    document = problem(channel.patch(toast, {"message": "m"}), 409, "toast-dismissed")
    assert document["toast"]["dismissReason"] == "api"


def test_viewers_see_the_change(channel, stream):
    toast = channel.publish("old", duration="indefinite")
    stream.wait("presented", id=toast["id"])
    channel.patch(toast, {"message": "new", "role": "success"})
    event = stream.wait("updated", id=toast["id"])
    assert event["toast"]["message"] == "new"
    assert set(event["changed"]) == {"message", "role"}
    assert "remaining" not in event


def test_a_new_duration_starts_the_countdown_anew(channel, stream):
    toast = channel.publish(duration=60)
    presented = stream.wait("presented", id=toast["id"])
    channel.let_pass(0.5)
    channel.patch(toast, {"message": "still a minute from the beginning"})
    channel.patch(toast, {"duration": 1})
    updated = stream.count("updated", 2)
    passed = instant(updated[0]) - instant(presented)
    assert passed >= 0.5
    assert updated[0]["remaining"] == pytest.approx(60 - passed, abs=0.05)
    assert updated[1]["remaining"] == pytest.approx(1, abs=0.05)
    dismissed = stream.wait("dismissed", id=toast["id"])
    assert instant(dismissed) - instant(updated[1]) == pytest.approx(1, abs=0.05)


def test_an_unchanged_toast_is_not_sent_again(channel):
    toast = channel.publish()
    tag = channel.get(toast).headers["etag"]
    response = channel.get(toast, headers={"If-None-Match": tag})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["etag"] == tag
    assert channel.get(toast, headers={"If-None-Match": f'"x", W/{tag}'}).status_code == 304
    assert channel.get(toast, headers={"If-None-Match": "*"}).status_code == 304
    channel.patch(toast, {"message": "m"})
    assert channel.get(toast, headers={"If-None-Match": tag}).status_code == 200


def test_a_list_that_did_not_change_is_not_sent_again(channel):
    channel.publish()
    url = f"{channel.path}/toasts"
    tag = channel.http.get(url).headers["etag"]
    assert channel.http.get(url, headers={"If-None-Match": tag}).status_code == 304
    channel.publish()
    assert channel.http.get(url, headers={"If-None-Match": tag}).status_code == 200

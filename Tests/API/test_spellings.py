"""Texts that look alike but have other code points: for JSON they are different (RFC 8259 §8.3)."""

from __future__ import annotations

import pytest

from channel import Channel
from test_problems import problem

COMPOSED = "\u00e9"
DECOMPOSED = "e\u0301"


def test_a_patch_that_spells_a_value_otherwise_changes_it(channel: Channel) -> None:
    toast = channel.publish(COMPOSED, title=COMPOSED, data={"path": f"/{COMPOSED}"}, reuseIdentifier=COMPOSED)
    changes = {
        "message": DECOMPOSED,
        "title": DECOMPOSED,
        "data": {"path": f"/{DECOMPOSED}"},
        "reuseIdentifier": DECOMPOSED,
    }
    for number, (name, value) in enumerate(changes.items()):
        changed = channel.patch(toast, {name: value}).json()
        assert (changed["revision"], changed[name]) == (number + 2, value)


@pytest.mark.parametrize("others", [0, 20])
def test_an_object_may_have_both_names(channel: Channel, others: int) -> None:
    data = {**{str(number): number for number in range(others)}, COMPOSED: 1, DECOMPOSED: 2}
    toast = channel.publish(data=data)
    assert toast["data"] == data
    del data[DECOMPOSED]
    assert channel.patch(toast, {"data": {DECOMPOSED: None}}).json()["data"] == data


def test_two_identifiers_are_two(channel: Channel) -> None:
    channel.configure(deduplication="identity")
    names = [COMPOSED, DECOMPOSED]
    for name in names:
        channel.publish("Deployed", reuseIdentifier=name)
    assert [toast["reuseIdentifier"] for toast in channel.toasts()] == names
    path, query = f"{channel.path}/toasts", {"reuseIdentifier": COMPOSED}
    assert channel.http.patch(path, params=query, json={"role": "warning"}).json()["updatedCount"] == 1
    assert channel.http.delete(path, params=query).json() == {"dismissedCount": 1}
    assert [toast["reuseIdentifier"] for toast in channel.toasts()] == [DECOMPOSED]


def test_a_catalog_has_one_text_for_each_key(server) -> None:
    """Keys are compared as characters, so of two keys that look alike one would never be found."""
    catalog = {f"k{COMPOSED}": "one", f"k{DECOMPOSED}": "two"}
    channel = Channel(server.url, "spellings")
    response = channel.http.put("/v1/catalogs/fr", json=catalog)
    assert [error["pointer"] for error in problem(response, 422, "invalid-catalog")["errors"]] == [f"/k{DECOMPOSED}"]


@pytest.mark.parametrize("mark", ["\u0301", "\\u0301"], ids=["raw", "escaped"])
@pytest.mark.parametrize("place", ["name", "value", "data"])
def test_a_text_of_marks_is_refused_before_it_is_compared(channel: Channel, mark: str, place: str) -> None:
    """A comparison of such texts would block the loop for a minute."""
    long = "m" + 5000 * mark + 5000 * mark.replace("301", "323").replace("\u0301", "\u0323")
    body = {
        "name": f'{{"message":"m","{long}":1}}',
        "value": f'{{"message":"m","role":"{long}"}}',
        "data": f'{{"message":"m","data":{{"{long}":1}}}}',
    }[place]
    response = channel.post(content=body.encode(), headers={"Content-Type": "application/json"})
    document = problem(response, 400, "invalid-json")
    assert "64 combining marks" in document["errors"][0]["detail"]


def test_a_text_of_some_marks_is_kept(channel: Channel) -> None:
    text = "m" + 64 * "\u0301" + "m"
    assert channel.publish(text)["message"] == text
    plain = channel.post(content=("m" + 65 * "\u0301").encode(), headers={"Content-Type": "text/plain"})
    problem(plain, 422, "invalid-toast")


@pytest.mark.parametrize("name", ["Accept-Language", "Prefer", "Content-Type", "Title"])
def test_marks_in_a_header_field_are_refused(channel: Channel, name: str) -> None:
    marks = {count: ("m" + count * "\u0301").encode() for count in (64, 65)}
    answers = {count: channel.http.get(channel.path, headers={name: value}) for count, value in marks.items()}
    assert answers[64].status_code == 200
    assert "combining marks" in problem(answers[65], 400, "malformed-request")["detail"]


def test_marks_in_a_query_are_refused(channel: Channel) -> None:
    for query in ({"m" + 65 * "\u0301": "1"}, {"m": 65 * "\u0301"}):
        problem(channel.http.get(f"{channel.path}/toasts", params=query), 400, "malformed-request")

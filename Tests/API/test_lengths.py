"""Lengths are counted in Unicode code points, as `maxLength` in the contract; documents stay limited in bytes."""

import httpx
import pytest

from channel import Channel
from test_problems import JSON, pointers, problem

# One code point: four bytes in UTF-8, two units in UTF-16.
WIDE = "🍞"
STRINGS = {"Content-Type": "text/x-strings; charset=utf-8"}
TEXT, NAME, URL, KEY = 4096, 256, 2048, 1024
LOCALIZED = {"key": "k", "default": "d"}


def link(length: int) -> str:
    return "/" + "é" * (length - 1)


MEMBERS = [
    ("message", TEXT, lambda text: {"message": text}, "/message"),
    ("title", TEXT, lambda text: {"message": "m", "title": text}, "/title"),
    ("key", NAME, lambda text: {"message": {**LOCALIZED, "key": text}}, "/message/key"),
    ("default", TEXT, lambda text: {"message": {**LOCALIZED, "default": text}}, "/message/default"),
    ("argument", TEXT, lambda text: {"message": {**LOCALIZED, "arguments": [text]}}, "/message/arguments/0"),
    ("reuse identifier", NAME, lambda text: {"message": "m", "reuseIdentifier": text}, "/reuseIdentifier"),
    ("alt", TEXT, lambda text: {"message": "m", "image": {"url": "/a.png", "alt": text}}, "/image/alt"),
    (
        "action",
        TEXT,
        lambda text: {"message": "m", "actions": [{"id": "a", "title": text}]},
        "/actions/0/title",
    ),
]


@pytest.mark.parametrize(
    ("most", "toast", "pointer"), [case[1:] for case in MEMBERS], ids=[case[0] for case in MEMBERS]
)
def test_14_a_text_is_counted_in_code_points(channel, most, toast, pointer):
    longest = channel.post(toast(WIDE * most))
    assert longest.status_code == 201, longest.text
    assert channel.get(longest.json()).status_code == 200
    refused = problem(channel.post(toast(WIDE * (most + 1))), 422, "text-too-long")
    assert pointers(refused) == [pointer]
    assert f"{most} characters" in refused["errors"][0]["detail"]


def test_14_plain_text_is_counted_in_code_points(channel):
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    assert channel.post(content=(WIDE * TEXT).encode(), headers=plain).status_code == 201
    problem(channel.post(content=(WIDE * TEXT + "x").encode(), headers=plain), 422, "text-too-long")


def test_14_a_url_is_counted_in_code_points(channel):
    assert channel.post({"message": "m", "image": {"url": link(URL)}}).status_code == 201
    problem(channel.post({"message": "m", "image": {"url": link(URL + 1)}}), 422, "text-too-long")


def test_14_each_part_of_a_combined_letter_counts(channel):
    family = "👩\u200d👩\u200d👧\u200d👦"
    assert len(family) == 7
    assert channel.post({"message": family * (TEXT // 7)}).status_code == 201
    problem(channel.post({"message": family * (TEXT // 7 + 1)}), 422, "text-too-long")


def test_14_a_patch_counts_as_a_publication_does(channel):
    toast = channel.publish()
    assert channel.patch(toast, {"title": WIDE * TEXT}).json()["title"] == WIDE * TEXT
    problem(channel.patch(toast, {"title": WIDE * (TEXT + 1)}), 422, "text-too-long")


def test_14_a_socket_counts_as_a_publication_does(attach):
    ws = attach("socket")
    ws.wait("snapshot")
    assert ws.send(command="publish", toast={"message": WIDE * TEXT})["type"] == "ack"
    assert ws.send(command="publish", toast={"message": WIDE * (TEXT + 1)})["type"] == "error"


def test_14_catalogs_are_counted_in_code_points(launch):
    url = f"{launch().url}/v1/catalogs/fr"
    assert httpx.put(url, json={WIDE * KEY: WIDE * TEXT}).status_code == 201
    assert httpx.put(url, content=f'"{WIDE * KEY}" = "{WIDE * TEXT}";'.encode(), headers=STRINGS).status_code == 200
    for catalog in ({WIDE * (KEY + 1): "f"}, {"k": WIDE * (TEXT + 1)}):
        assert httpx.put(url, json=catalog).status_code == 422
    assert httpx.put(url, content=f'"{WIDE * (KEY + 1)}" = "f";'.encode(), headers=STRINGS).status_code == 422


def test_14_a_limit_that_was_set_counts_code_points(launch, name):
    server = launch("--max-text-length", "3", "--max-name-length", "16")
    channel = Channel(server.url, name)
    assert channel.post({"message": WIDE * 3, "reuseIdentifier": "ü" * 16}).status_code == 201
    problem(channel.post({"message": WIDE * 4}), 422, "text-too-long")
    channel.close()


def test_14_documents_stay_bounded_in_bytes(channel):
    body = ('{"message":"m","data":"' + WIDE * 16_400 + '"}').encode()
    assert len(body) > 65_536
    problem(channel.post(content=body, headers=JSON), 413, "payload-too-large")

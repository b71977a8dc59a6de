"""Every way to publish toasts."""

import json
import re

import httpx
import pytest

UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

EVERYTHING = {
    "role": "warning",
    "title": "Disk almost full",
    "message": "Delete old builds?",
    "icon": "wifi.slash",
    "style": "capsule",
    "placement": "bottom",
    "align": "end",
    "duration": 12.5,
    "haptic": "heavy",
    "actions": [
        {"id": "delete", "title": "Delete", "role": "destructive", "url": "https://example.org/disk"},
        {"id": "keep", "title": {"key": "keep", "default": "Keep"}, "role": "cancel"},
    ],
    "progress": {"value": 0.4, "total": 2},
    "image": {"url": "/disk.png", "alt": "A disk"},
    "reuseIdentifier": "disk",
    "requiresInteraction": True,
    "dimsBackground": True,
    "appearance": {"layout": {"cornerRadius": 4}, "title": {"color": "#113355", "font": {"weight": 600}}},
    "expiresAfter": 600,
    "data": {"disk": "sda1", "tries": 3},
}


def test_only_a_message_is_needed(channel):
    response = channel.post({"message": "Deployed"})
    toast = response.json()

    assert response.status_code == 201
    assert response.headers["content-type"] == "application/json"
    assert response.headers["location"] == f"{channel.path}/toasts/{toast['id']}"
    assert response.headers["etag"].startswith('"1-queued-')
    assert UUID7.fullmatch(toast.pop("id"))
    assert TIMESTAMP.fullmatch(toast.pop("createdAt"))
    assert toast == {
        "channel": channel.name,
        "revision": 1,
        "state": "queued",
        "role": "info",
        "message": "Deployed",
        "style": "glass",
        "placement": "top",
        "duration": 6,
        "haptic": "automatic",
    }


def test_the_location_is_the_toast(channel):
    response = channel.post({"message": "Deployed"})
    assert channel.http.get(response.headers["location"]).json() == response.json()


@pytest.mark.parametrize("is_watched", [False, True])
def test_a_toast_is_written_alike_in_answers_and_in_its_events(channel, attach, is_watched):
    beginning = channel.cursor()
    if is_watched:
        attach().wait("snapshot")
    plain = {name: value for name, value in EVERYTHING.items() if name not in ("actions", "appearance")}
    texts = []
    localized = {"title": {"key": "k", "default": "}{"}}
    for body in [{"message": "x"}, plain, EVERYTHING, [{"message": '}{ \\ "'}, plain], [{"message": "x"}, localized]]:
        answer = channel.post(body)
        assert answer.status_code == 201, answer.text
        told = answer.text.split(',"warnings":')[0].removesuffix("}")
        if isinstance(body, list):
            texts += told.removeprefix('{"toasts":[').removesuffix("]").split(',{"id":')
        else:
            assert channel.http.get(answer.headers["location"]).text == told + "}"
            texts.append(told)

    events = channel.http.get(f"{channel.path}/poll", params={"since": beginning}).text
    assert len(texts) == 7
    for text in texts:
        members = text.removeprefix('{"id":').removesuffix("}")
        assert f'"toast":{{"id":{members}' in events


def test_every_member_is_kept(channel):
    toast = channel.publish(**EVERYTHING)
    keep = toast["actions"][1].pop("title")
    assert keep == {"key": "keep", "default": "Keep", "text": "Keep"}

    expected = json.loads(json.dumps(EVERYTHING))
    del expected["actions"][1]["title"]
    assert {name: toast[name] for name in expected} == expected


def test_a_title_alone_is_enough(channel):
    response = channel.post({"title": "Hello"})
    assert response.status_code == 201
    assert "message" not in response.json()


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        ({}, {}),
        ({"title": None}, {"title": None}),
        ({"role": None, "style": None, "actions": None, "progress": None}, {"role": "info", "style": "glass"}),
        ({"nobody": 1, "knows": {"these": []}}, {}),
        ({"duration": "short"}, {"duration": 2}),
        ({"duration": "long"}, {"duration": 4}),
        ({"duration": "indefinite"}, {"duration": "indefinite"}),
        ({"duration": 0}, {"duration": "indefinite"}),
        ({"duration": 4.0}, {"duration": 4}),
        ({"duration": 0.1234}, {"duration": 0.123}),
        ({"progress": {"value": 7, "total": 5}}, {"progress": {"value": 5, "total": 5}}),
        ({"progress": {"value": -1}}, {"progress": {"value": 0, "total": 1}}),
        ({"progress": {"indeterminate": True}}, {"progress": {"indeterminate": True}}),
        ({"icon": "none"}, {"icon": "none"}),
        ({"icon": "https://example.org/i.svg"}, {"icon": "https://example.org/i.svg"}),
        ({"data": 17}, {"data": 17}),
        ({"data": "text\u0000 \u2028 \U0001f35e"}, {"data": "text\u0000 \u2028 \U0001f35e"}),
        (
            {"title": {"key": "greeting", "arguments": ["Ada", 2], "default": "%2$@ × %1$@"}},
            {"title": {"key": "greeting", "arguments": ["Ada", 2], "default": "%2$@ × %1$@", "text": "2 × Ada"}},
        ),
    ],
)
def test_members_are_normalized(channel, sent, received):
    toast = channel.publish(**sent)
    toast.pop("warnings", None)
    assert {name: toast.get(name) for name in received} == received
    untouched = set(toast) - set(received)
    assert untouched <= {"id", "channel", "revision", "state", "role", "message", "style", "placement", "duration",
                         "haptic", "createdAt"}  # fmt: skip


@pytest.mark.parametrize("message", ["a" * 4096, "é" * 4096, "\U0001f35e" * 4096, "line\r\nbreak\rand\nanother"])
def test_texts_are_kept_as_they_are(channel, message):
    assert channel.publish(message)["message"] == message


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/plain", b"Deployed"),
        ("text/plain; charset=utf-8", b"  Deployed\r\n"),
        ("application/x-www-form-urlencoded", b"Deployed"),
        (None, b"Deployed"),
        ("application/x-www-form-urlencoded", b'{"message": "Deployed"}'),
        ("application/json; charset=utf-8", b'\n{"message": "Deployed"}\n'),
    ],
)
def test_curl_needs_no_options(channel, content_type, body):
    headers = {"Content-Type": content_type} if content_type else {}
    response = channel.post(content=body, headers=headers)
    assert response.status_code == 201, response.text
    assert response.json()["message"] == "Deployed"


def test_several_toasts_come_in_their_order(channel):
    response = channel.post([{"message": str(number)} for number in range(100)])
    assert response.status_code == 201
    assert [toast["message"] for toast in response.json()["toasts"]] == [str(number) for number in range(100)]
    assert [toast["message"] for toast in channel.toasts()] == [str(number) for number in range(100)]


def test_a_line_is_a_toast(channel):
    body = b'{"message": "one"}\n{"message": "two"}\r\n\n{"message": "three"}'
    response = channel.post(content=body, headers={"Content-Type": "application/x-ndjson"})
    assert response.status_code == 201, response.text
    assert [toast["message"] for toast in response.json()["toasts"]] == ["one", "two", "three"]


def test_a_minimal_answer_has_no_body(channel):
    response = channel.post({"message": "Deployed"}, headers={"Prefer": "return=minimal"})
    assert response.status_code == 201
    assert response.content == b""
    assert response.headers["preference-applied"] == "return=minimal"
    assert channel.http.get(response.headers["location"]).json()["message"] == "Deployed"


def test_ids_and_times_grow(channel):
    toasts = [channel.publish(str(number)) for number in range(20)]
    assert len({toast["id"] for toast in toasts}) == 20
    assert [toast["createdAt"] for toast in toasts] == sorted(toast["createdAt"] for toast in toasts)


def test_one_toast_goes_to_several_channels(server, name):
    channels = [f"{name}-a", f"{name}-b"]
    response = httpx.post(f"{server.url}/v1/toasts", json={"channels": channels, "toast": {"message": "Hello"}})
    assert response.status_code == 201, response.text
    results = response.json()["results"]
    assert [(result["channel"], result["status"]) for result in results] == [(name, 201) for name in channels]
    assert [result["toast"]["channel"] for result in results] == channels
    for result in results:
        path = f"/v1/channels/{result['channel']}/toasts/{result['toast']['id']}"
        assert httpx.get(server.url + path).json() == result["toast"]


def test_each_channel_answers_for_itself(channel):
    channel.configure(capacity=1)
    channel.publish()
    body = {"channels": [channel.name, f"{channel.name}-2"], "toast": {"message": "Hello"}}
    response = channel.http.post("/v1/toasts", json=body)
    assert response.status_code == 207, response.text
    full, fine = response.json()["results"]
    assert full["status"] == 429 and full["problem"]["type"] == "urn:toastd:problem:queue-full"
    assert fine["status"] == 201 and fine["toast"]["message"] == "Hello"


def test_a_full_queue_refuses_toasts(channel):
    channel.configure(capacity=3)
    channel.publish("one")
    cursor = channel.cursor()
    response = channel.post([{"message": "two"}, {"message": "three"}, {"message": "four"}])
    assert response.status_code == 429
    assert response.json()["type"] == "urn:toastd:problem:queue-full"
    assert channel.cursor() == cursor
    assert channel.post([{"message": "two"}, {"message": "three"}]).status_code == 201

"""Symfony's Mercure component, as Debian packages it, publishes toasts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

import mercure
from channel import Channel
from mercure import KEY, token
from toastd import Toastd


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    directory = tmp_path_factory.mktemp("mercure")
    (directory / "key").write_text(KEY + "\n")
    with Toastd(directory, "--mercure-key-file", str(directory / "key"), store="memory") as server:
        yield server


@pytest.fixture
def publish(channel: Channel, tmp_path: Path) -> Callable[[str, str, str], str]:
    return lambda token, topic, data: mercure.publish(tmp_path, channel.url, token, topic, data)


def test_symfony_publishes_a_toast(channel, publish):
    topic = f"https://shop.example/{channel.name}"
    data = {"title": "Order 7", "message": "is on its way", "role": "success", "link": "https://shop.example/7"}
    said = publish(token([topic]), topic, json.dumps(data))
    (toast,) = channel.toasts()
    assert said == f"urn:uuid:{toast['id']}"
    assert {member: toast[member] for member in data} == data


def test_symfony_publishes_a_text(channel, publish):
    publish(token(["*"]), channel.name, "is on its way")
    (toast,) = channel.toasts()
    assert toast["message"] == "is on its way"


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"topics": ["https://shop.example/other"]}, 403),
        ({"topics": []}, 403),
        ({"topics": ["*"], "key": "another secret of 32 bytes or even more"}, 401),
        ({"topics": ["*"], "alg": "none"}, 401),
        ({"topics": ["*"], "exp": 1}, 401),
        ({"topics": ["*"], "nbf": time.time() + 3600}, 401),
        ({"topics": ["*"], "head": {"crit": ["b64"], "b64": True}}, 401),
    ],
    ids=["other-topic", "no-topic", "other-key", "no-algorithm", "too-old", "too-young", "critical"],
)
def test_a_token_without_the_right_is_refused(channel, publish, claims, status):
    topics = claims.pop("topics")
    said = publish(token(topics, **claims), f"https://shop.example/{channel.name}", "x")
    assert said.startswith(f"refused: HTTP/1.1 {status}"), said
    assert channel.toasts() == []


def test_clocks_may_differ_by_half_a_minute(channel):
    fields = {"topic": channel.name, "data": "x"}
    now = time.time()
    cases = [({"exp": now - 10, "nbf": now + 20}, 200), ({"exp": now - 31}, 401), ({"nbf": now + 90}, 401)]
    for claims, status in cases:
        headers = {"Authorization": f"Bearer {token(['*'], **claims)}"}
        assert channel.http.post("/.well-known/mercure", data=fields, headers=headers).status_code == status, claims


def test_a_template_of_topics_is_one_segment(channel):
    fields = {"topic": f"https://shop.example/{channel.name}", "data": "x"}
    for template, status in [
        ("https://shop.example/{id}", 200),
        ("https://{host}", 403),
        ("https://shop.example/{id}/x", 403),
    ]:
        rights = {"Authorization": f"Bearer {token([template])}"}
        answer = channel.http.post("/.well-known/mercure", data=fields, headers=rights)
        assert answer.status_code == status, template


def test_only_the_first_topic_names_a_channel_and_all_need_the_right(channel):
    fields = {"topic": [f"https://shop.example/{channel.name}", "https://shop.example/secret"], "data": "x"}
    rights = {"Authorization": f"Bearer {token([fields['topic'][0]])}"}
    assert channel.http.post("/.well-known/mercure", data=fields, headers=rights).status_code == 403
    assert channel.toasts() == []


def test_a_key_that_is_too_short_is_refused_at_the_start(tmp_path, launch):
    (tmp_path / "short").write_text("short\n")
    with pytest.raises(AssertionError, match="32 bytes or more"):
        launch("--mercure-key-file", str(tmp_path / "short"))
    # The store was not opened, which would have created it.
    assert [path.name for path in tmp_path.iterdir()] == ["short"]


def test_without_a_key_there_is_no_such_route(launch):
    assert (
        httpx.post(f"{launch(store='memory').url}/.well-known/mercure", data={"topic": "a", "data": "x"}).status_code
        == 404
    )

"""Posts of other programs' own clients become toasts, and these clients accept the answers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apprise
import gotify
import httpx
import pytest
from cloudevents.core.bindings import http as bindings
from cloudevents.core.v1.event import CloudEvent
from discord_webhook import DiscordEmbed, DiscordWebhook
from slack_sdk.webhook import WebhookClient

from channel import Channel
from toastd import BINARY, Toastd

MakeHook = Callable[..., str]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A file of keys, and the key in it."""
    path = tmp_path_factory.mktemp("keys") / "access.json"
    rights = "publish,subscribe,manage"
    command = [BINARY, "key", "create", "--access", str(path), "--name", "ci", "--scopes", rights]
    return path, subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, key: tuple[Path, str]) -> Iterator[Toastd]:
    """A server with the routes of ntfy and Gotify, which needs the key."""
    options = ("--ntfy", "on", "--gotify", "on", "--access", str(key[0]))
    with Toastd(tmp_path_factory.mktemp("senders"), *options, store="memory") as server:
        yield server


@pytest.fixture
def channel(server: Toastd, key: tuple[Path, str], name: str) -> Iterator[Channel]:
    channel = Channel(server.url, name)
    channel.http.headers["Authorization"] = f"Bearer {key[1]}"
    yield channel
    channel.close()


@pytest.fixture
def hook(channel: Channel) -> MakeHook:
    """Makes a hook; returns its path."""

    def make(format: str, **members: Any) -> str:
        answer = channel.http.put(f"{channel.path}/hooks/h", json={"format": format, **members})
        assert answer.status_code == 201, answer.text
        return answer.json()["path"]

    return make


def only(channel: Channel) -> dict[str, Any]:
    (toast,) = channel.toasts()
    return toast


def shown(channel: Channel, *members: str) -> tuple[Any, ...]:
    """The values of these members of the channel's only toast."""
    toast = only(channel)
    return tuple(toast.get(member) for member in members)


def authority(channel: Channel) -> str:
    return channel.url.removeprefix("http://")


def notify(url: str, body: str = "Disk is full", title: str = "Backup", kind: str = "failure") -> bool:
    sender = apprise.Apprise()
    # Apprise's default timeouts are four seconds.
    url += ("&" if "?" in url else "?") + "cto=60&rto=60"
    assert sender.add(url), url
    return sender.notify(body=body, title=title, notify_type=kind)


# Apprise: its ntfy, Gotify and Mattermost, and its own JSON, form and API.


def test_apprise_by_ntfy(channel, key):
    address = f"ntfy://apprise:{key[1]}@{authority(channel)}/{channel.name}"
    assert notify(f"{address}?mode=private&priority=max&tags=skull&click=https://a.example/")
    expected = ("💀 Backup", "Disk is full", "error", "https://a.example/")
    assert shown(channel, "title", "message", "role", "link") == expected


def test_apprise_by_ntfy_knows_that_a_key_is_wrong(channel):
    assert not notify(f"ntfy://apprise:wrong@{authority(channel)}/{channel.name}?mode=private")


def test_apprise_by_gotify(channel, key):
    assert notify(f"gotify://{authority(channel)}/gotify/{channel.name}/{key[1]}?priority=high")
    assert shown(channel, "title", "message", "role") == ("Backup", "Disk is full", "error")
    assert not notify(f"gotify://{authority(channel)}/gotify/{channel.name}/wrong?priority=high")


def test_apprise_by_mattermost(channel, hook):
    secret = hook("slack").rsplit("/", 1)[1]
    assert notify(f"mmost://{authority(channel)}/v1/{secret}")
    message = only(channel)["message"]
    assert "Backup" in message
    assert "Disk is full" in message


@pytest.mark.parametrize("schema", ["json", "form"])
@pytest.mark.parametrize(
    ("kind", "role"), [("info", "info"), ("success", "success"), ("warning", "warning"), ("failure", "error")]
)
def test_apprise_by_its_own_documents(channel, hook, schema, kind, role):
    assert notify(f"{schema}://{authority(channel)}{hook('apprise')}", kind=kind)
    assert shown(channel, "title", "message", "role") == ("Backup", "Disk is full", role)


@pytest.mark.parametrize("version", ["1", "2"])
def test_apprise_by_its_api(channel, hook, version):
    secret = hook("apprise").rsplit("/", 1)[1]
    assert notify(f"apprise://{authority(channel)}/v1/hooks/{secret}?version={version}")
    assert shown(channel, "title", "message", "role") == ("Backup", "Disk is full", "error")


# Slack, Discord


def test_slack_sdk(channel, hook):
    client = WebhookClient(channel.url + hook("slack"))
    answer = client.send(
        text="fallback",
        attachments=[
            {
                "color": "danger",
                "title": "Build 7",
                "title_link": "https://ci.example/7",
                "text": "Step *test* failed: <https://ci.example/7/log|log>",
                "actions": [{"type": "button", "text": "Open", "url": "https://ci.example/7"}],
            }
        ],
    )
    assert (answer.status_code, answer.body) == (200, "ok")
    toast = only(channel)
    assert (toast["title"], toast["role"], toast["link"]) == ("Build 7", "error", "https://ci.example/7")
    assert toast["message"] == "fallback\nStep test failed: log"
    assert [(action["title"], action["url"]) for action in toast["actions"]] == [("Open", "https://ci.example/7")]


def test_slack_sdk_with_blocks(channel, hook):
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Deploy"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "*main* is live"}},
    ]
    answer = WebhookClient(channel.url + hook("slack")).send(blocks=blocks)
    assert (answer.status_code, answer.body) == (200, "ok")
    assert shown(channel, "title", "message") == ("Deploy", "main is live")


def test_slack_sdk_reads_why_it_is_refused(channel, hook):
    answer = WebhookClient(channel.url + hook("slack")).send(attachments=[{"color": "good"}])
    assert (answer.status_code, answer.body) == (400, "no_text")


def test_discord_webhook(channel, hook):
    webhook = DiscordWebhook(url=channel.url + hook("discord"), content="Release")
    webhook.add_embed(DiscordEmbed(title="1.2", description="is **out**", color="03b2f8", url="https://a.example/1.2"))
    answer = webhook.execute()
    assert answer.status_code == 200
    assert answer.json()["id"] == only(channel)["id"]
    assert shown(channel, "title", "message", "role", "link") == (
        "1.2",
        "Release\nis out",
        "info",
        "https://a.example/1.2",
    )


# Gotify


def test_gotify(channel, key):
    url = f"{channel.url}/gotify/{channel.name}"
    client = gotify.Gotify(base_url=url, app_token=key[1], client_token=key[1])
    extras = {
        "client::notification": {"click": {"url": "https://a.example/"}, "bigImageUrl": "https://a.example/i.png"}
    }
    message = client.create_message("Disk is full", title="Backup", priority=9, extras=extras)
    assert isinstance(message["id"], int)
    assert (message["title"], message["message"], message["priority"]) == ("Backup", "Disk is full", 9)
    expected = ("Backup", "Disk is full", "error", "https://a.example/")
    assert shown(channel, "title", "message", "role", "link") == expected
    assert only(channel)["image"]["url"] == "https://a.example/i.png"
    assert client.get_health()["health"] == "green"
    assert client.get_version()["version"]


def test_gotify_reads_why_it_is_refused(channel):
    client = gotify.Gotify(base_url=f"{channel.url}/gotify/{channel.name}", app_token="wrong")
    with pytest.raises(gotify.GotifyError):
        client.create_message("x")


@pytest.mark.parametrize("place", ["field", "query", "bearer"])
def test_gotify_takes_the_key_in_three_places(channel, key, place):
    options: dict[str, Any] = {
        "field": {"headers": {"X-Gotify-Key": key[1]}},
        "query": {"params": {"token": key[1]}},
        "bearer": {"headers": {"Authorization": f"Bearer {key[1]}"}},
    }[place]
    url = f"{channel.url}/gotify/{channel.name}/message"
    answer = httpx.post(url, data={"message": "from a form", "priority": "1"}, **options)
    assert answer.status_code == 200, answer.text
    assert shown(channel, "message", "role", "haptic") == ("from a form", "info", "none")
    refused = httpx.post(url, json={"message": ""}, **options)
    assert (refused.status_code, set(refused.json())) == (400, {"error", "errorCode", "errorDescription"})


# CloudEvents


@pytest.mark.parametrize(("write", "data"), [(bindings.to_binary_event, ""), (bindings.to_structured_event, "/data")])
def test_cloudevents(channel, write, data):
    attributes = {"type": "build.done", "source": "/ci", "id": "7", "specversion": "1.0", "subject": "Straße"}
    message = write(CloudEvent(attributes, {"message": "Built", "role": "success"}))
    for is_repeated in (False, True):
        answer = channel.http.post(f"{channel.path}/toasts", content=message.body, headers=message.headers)
        assert (answer.status_code, "idempotency-replayed" in answer.headers) == (201, is_repeated), answer.text
    assert shown(channel, "message", "role") == ("Built", "success")
    other = write(CloudEvent({**attributes, "id": "8"}, {"size": 3}))
    answer = channel.http.post(f"{channel.path}/toasts", content=other.body, headers=other.headers)
    assert answer.json()["title"] == "Straße"
    assert [warning["pointer"] for warning in answer.json()["warnings"]] == [data]

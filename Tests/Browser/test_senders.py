"""Messages of other systems' own clients are shown with the role, title and link that docs/recipes.md names."""

import asyncio
import json
import os
import re
import secrets
import subprocess
from concurrent.futures import ThreadPoolExecutor

import apprise
import gotify
import httpx
import pytest
from aiontfy import Message, Ntfy
from cloudevents.core.bindings import http as bindings
from cloudevents.core.v1.event import CloudEvent
from discord_webhook import DiscordEmbed, DiscordWebhook
from playwright.sync_api import expect
from slack_sdk.webhook import WebhookClient

import mercure
from alertmanager import Alertmanager
from conftest import OUT, ROOT, Channel, Server, settled

BINARY = os.environ.get("TOASTD_BIN", str(ROOT / ".build/debug/toastd"))
LINK = "https://a.example/7"


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    """A file of keys, and the key in it."""
    file = tmp_path_factory.mktemp("keys") / "access.json"
    command = [BINARY, "key", "create", "--access", str(file), "--name", "ci", "--scopes", "publish"]
    return file, subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def server(tmp_path_factory, key):
    """A server with the routes of the other systems; Gotify's clients always send a key."""
    file = tmp_path_factory.mktemp("mercure") / "key"
    file.write_text(mercure.KEY + "\n")
    rights = ("--access", str(key[0]), "--allow-anonymous", "publish,subscribe,respond,manage")
    server = Server("--ntfy", "on", "--gotify", "on", "--mercure-key-file", str(file), *rights)
    yield server
    server.stop()


@pytest.fixture
def channel(server):
    return Channel(server.base, f"test-{secrets.token_hex(6)}")


def hook(channel, format, **members):
    """The path of a hook."""
    return channel.call("PUT", "/hooks/h", {"format": format, **members})["path"]


def check(toast, role, title, link=None):
    """The toast has this role and title, and its body is a link to this URL."""
    expect(toast).to_be_visible()
    expect(toast.locator("[data-role]")).to_have_attribute("data-role", role)
    # For screen readers the role stands before the title, or in its place.
    expected = f": {re.escape(title)}$" if title else r"^\w+:?\s*$"
    expect(toast.locator("[part=title]")).to_have_text(re.compile(expected))
    if link:
        expect(toast.locator("a[part=body]")).to_have_attribute("href", link)


def show(viewer, name):
    OUT.mkdir(exist_ok=True)
    viewer.page.screenshot(path=OUT / f"senders-{name}.png")


def authority(channel):
    return channel.base.removeprefix("http://")


# Apprise


def notify(url):
    sender = apprise.Apprise()
    assert sender.add(url), url
    assert sender.notify(body="Disk is full", title="Backup", notify_type="failure")


def test_apprise_by_ntfy(viewer, channel):
    notify(f"ntfy://{authority(channel)}/{channel.name}?mode=private&priority=max&tags=skull&click={LINK}")
    check(viewer.toast("Disk is full"), "error", "💀 Backup", LINK)


def test_apprise_by_gotify(viewer, channel, key):
    notify(f"gotify://{authority(channel)}/gotify/{channel.name}/{key[1]}?priority=high")
    check(viewer.toast("Disk is full"), "error", "Backup")


def test_apprise_by_mattermost(viewer, channel):
    secret = hook(channel, "slack").rsplit("/", 1)[1]
    notify(f"mmost://{authority(channel)}/v1/{secret}")
    # It sends title and text as one text.
    check(viewer.toast(re.compile("Backup.*Disk is full", re.DOTALL)), "info", None)


@pytest.mark.parametrize("schema", ["json", "form"])
def test_apprise_by_its_own_documents(viewer, channel, schema):
    notify(f"{schema}://{authority(channel)}{hook(channel, 'apprise')}")
    check(viewer.toast("Disk is full"), "error", "Backup")


def test_apprise_by_its_api(viewer, channel):
    secret = hook(channel, "apprise").rsplit("/", 1)[1]
    notify(f"apprise://{authority(channel)}/v1/hooks/{secret}")
    check(viewer.toast("Disk is full"), "error", "Backup")


# ntfy


def test_aiontfy(viewer, channel):
    message = Message(topic=channel.name, title="Backup", message="Disk is full", tags=["rotating_light"], click=LINK)

    async def publish():
        async with Ntfy(channel.base) as client:
            await client.publish(message)

    # In a thread of its own, because Playwright's loop runs in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, publish()).result(30)
    check(viewer.toast("Disk is full"), "error", "Backup", LINK)


@pytest.mark.parametrize(
    ("options", "text", "role", "title"),
    [
        (["-d", "Backup successful 😀"], "Backup successful 😀", "info", None),
        (["-H", "Title: Dogs are better than cats", "-d", "Oh my ..."], "Oh my ...", "info", "Dogs are better than cats"),
        (["-H", "Priority: 5", "-d", "An urgent message"], "An urgent message", "error", None),
        (["-H", "Tags: warning,mailsrv13", "-d", "Backup failed"], "Backup failed", "warning", None),
    ],
)
def test_an_example_of_ntfys_documentation(viewer, channel, options, text, role, title):
    subprocess.run(["curl", "-sS", "--fail", *options, f"{channel.base}/{channel.name}"], check=True, capture_output=True)
    check(viewer.toast(text), role, title)


def test_ntfy_with_emoji_link_and_action(viewer, channel):
    fields = {
        "Title": "Backup",
        "Tags": "white_check_mark,floppy_disk",
        "Click": LINK,
        "Actions": f"view, Show files, {LINK}/files",
    }
    answer = httpx.post(f"{channel.base}/{channel.name}", content="All files are safe", headers=fields)
    assert (answer.status_code, answer.json()["event"]) == (200, "message")
    toast = settled(viewer.toast("All files are safe"))
    check(toast, "success", "💾 Backup", LINK)
    expect(toast.get_by_text("Show files")).to_be_visible()
    show(viewer, "ntfy")


# Slack, Discord, Gotify


def test_slack_sdk(viewer, channel):
    text = "<https://ci.example/7/log|The log> says *why*: <img src=x onerror=isHacked=true>"
    attachment = {"color": "danger", "title": "Build 7", "title_link": LINK, "text": text}
    answer = WebhookClient(channel.base + hook(channel, "slack")).send(attachments=[attachment])
    assert (answer.status_code, answer.body) == (200, "ok")
    toast = settled(viewer.toast("The log says why"))
    check(toast, "error", "Build 7", LINK)
    show(viewer, "slack")


def test_discord_webhook(viewer, channel):
    webhook = DiscordWebhook(url=channel.base + hook(channel, "discord"))
    webhook.add_embed(DiscordEmbed(title="1.2", description="is **out**", color="2eb886", url=LINK))
    assert webhook.execute().status_code == 200
    check(viewer.toast("is out"), "success", "1.2", LINK)


def test_gotify(viewer, channel, key):
    client = gotify.Gotify(base_url=f"{channel.base}/gotify/{channel.name}", app_token=key[1])
    extras = {"client::notification": {"click": {"url": LINK}}}
    client.create_message("Full", title="Disk", priority=8, extras=extras)
    check(viewer.toast("Full"), "error", "Disk", LINK)


# CloudEvents, Mercure, Alertmanager


@pytest.mark.parametrize("write", [bindings.to_binary_event, bindings.to_structured_event])
def test_cloudevents(viewer, channel, write):
    attributes = {"type": "build.done", "source": "/ci", "id": "7", "specversion": "1.0"}
    data = {"title": "main", "message": "Built", "role": "success", "link": LINK}
    message = write(CloudEvent(attributes, data))
    answer = httpx.post(f"{channel.address}/toasts", content=message.body, headers=message.headers)
    assert answer.status_code == 201, answer.text
    check(viewer.toast("Built"), "success", "main", LINK)


def test_symfonys_mercure(viewer, channel, tmp_path):
    topic = f"https://shop.example/{channel.name}"
    data = {"title": "Order 7", "message": "is on its way", "role": "success", "link": LINK}
    mercure.publish(tmp_path, channel.base, mercure.token([topic]), topic, json.dumps(data))
    check(viewer.toast("is on its way"), "success", "Order 7", LINK)


def test_debians_alertmanager_fires_and_resolves_one_toast(viewer, channel, tmp_path):
    alertmanager = Alertmanager(tmp_path, channel.base + hook(channel, "alertmanager"))
    try:
        alertmanager.post(resolved=False)
        toast = settled(viewer.toast("db-1 has 2 % left"))
        check(toast, "error", "DiskFull")
        expect(toast.get_by_role("link", name="Open")).to_have_attribute("href", re.compile("prometheus.example"))
        show(viewer, "alertmanager")
        alertmanager.post(resolved=True)
        expect(toast.locator("[data-role]")).to_have_attribute("data-role", "success")
        check(toast, "success", "DiskFull")
        expect(viewer.toasts).to_have_count(1)
    finally:
        alertmanager.stop()


# Recorded requests of senders that cannot be installed here


MONITOR = {
    "pointers": {"title": "/monitor/name", "message": "/msg", "role": "/heartbeat/status"},
    "roles": {"0": "error", "1": "success"},
}
AUTOMATION = {"pointers": {"title": "/title", "message": "/message", "role": "/data/level"}}
CHECKS = {"pointers": {"title": "/name", "message": "/text", "role": "/status", "link": "/url"}}
RECORDED = [
    ("grafana.json", {"format": "grafana"}, {}, "warning", "[FIRING:1] High CPU (web)", None),
    ("github-workflow_run.json", {"format": "github"}, {"X-GitHub-Event": "workflow_run"}, "error", "octo/app: CI", None),
    ("gitlab-pipeline.json", {"format": "gitlab"}, {}, "error", "group/app: Pipeline #31", None),
    ("uptime-kuma.json", {"format": "json", **MONITOR}, {}, "error", "Shop", None),
    ("home-assistant.json", {"format": "json", **AUTOMATION}, {}, "warning", "Garage", None),
    (
        "healthchecks.json",
        {"format": "json", **CHECKS},
        {},
        "error",
        "Backup",
        "https://hc.example/checks/1/details/",
    ),
]


@pytest.mark.parametrize(
    ("file", "members", "fields", "role", "title", "link"), RECORDED, ids=[it[0].split(".")[0] for it in RECORDED]
)
def test_what_was_recorded(viewer, channel, file, members, fields, role, title, link):
    body = json.loads((ROOT / "Tests/API/payloads" / file).read_text())
    answer = httpx.post(channel.base + hook(channel, **members), json=body, headers=fields)
    assert answer.status_code == 200, answer.text
    check(viewer.toast(title), role, title, link)

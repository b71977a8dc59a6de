"""What senders of other systems' formats post is on a page, with the role, title and link that docs/recipes.md names."""

import json
import re
import secrets
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import OUT, Channel, Server, settled


@pytest.fixture(scope="module")
def server():
    server = Server("--ntfy", "on", "--gotify", "on")
    yield server
    server.stop()


@pytest.fixture
def channel(server):
    return Channel(server.base, f"test-{secrets.token_hex(6)}")


def post(url, body, **fields):
    """Posts bytes or a document; returns the body of the answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", **fields}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=10) as response:
        return response.read().decode()


def hook(channel, format):
    return channel.base + channel.call("PUT", "/hooks/h", {"format": format})["path"]


def check(toast, role, title, link=None):
    """The toast has this role and title, and its body is a link to this URL."""
    expect(toast.locator("[data-role]")).to_have_attribute("data-role", role)
    # Before it stands the role, for screen readers.
    expect(toast.locator("[part=title]")).to_have_text(re.compile(f": {re.escape(title)}$"))
    if link:
        expect(toast.locator("a[part=body]")).to_have_attribute("href", link)


def test_a_message_to_a_hook_of_slack(viewer, channel):
    attachment = {
        "color": "danger",
        "title": "Build 7",
        "title_link": "https://ci.example/7",
        "text": "<https://ci.example/7/log|The log> says *why*: <img src=x onerror=isHacked=true>",
    }
    assert post(hook(channel, "slack"), {"attachments": [attachment]}) == "ok"
    toast = settled(viewer.toast("The log says why"))
    check(toast, "error", "Build 7", "https://ci.example/7")
    OUT.mkdir(exist_ok=True)
    viewer.page.screenshot(path=OUT / "senders-slack.png")


def test_a_message_of_ntfy(viewer, channel):
    fields = {
        "title": "Backup",
        "tags": "white_check_mark,floppy_disk",
        "click": "https://backup.example/7",
        "actions": "view, Show files, https://backup.example/7/files",
    }
    answer = json.loads(post(f"{channel.base}/{channel.name}", b"All files are safe", **fields))
    assert answer["event"] == "message"
    toast = settled(viewer.toast("All files are safe"))
    check(toast, "success", "💾 Backup", "https://backup.example/7")
    expect(toast.get_by_text("Show files")).to_be_visible()
    OUT.mkdir(exist_ok=True)
    viewer.page.screenshot(path=OUT / "senders-ntfy.png")


def test_an_alert_fires_and_is_resolved_in_place(viewer, channel):
    url = hook(channel, "alertmanager")
    group = {
        "version": "4",
        "groupKey": '{}:{alertname="DiskFull"}',
        "commonLabels": {"alertname": "DiskFull", "severity": "critical"},
        "externalURL": "https://alertmanager.example",
    }
    alert = {"labels": {"alertname": "DiskFull"}, "annotations": {"summary": "db-1 has 2 % left"}, "fingerprint": "1"}
    post(url, {**group, "status": "firing", "alerts": [{**alert, "status": "firing"}]})
    check(viewer.toast("db-1 has 2 % left"), "error", "DiskFull")
    post(url, {**group, "status": "resolved", "alerts": [{**alert, "status": "resolved"}]})
    check(viewer.toast("db-1 has 2 % left"), "success", "DiskFull")
    expect(viewer.toasts).to_have_count(1)


def test_a_message_of_gotify(viewer, channel):
    extras = {"client::notification": {"click": {"url": "https://a.example/"}}}
    post(f"{channel.base}/gotify/{channel.name}/message", {"message": "Full", "title": "Disk", "priority": 8, "extras": extras})
    check(viewer.toast("Full"), "error", "Disk", "https://a.example/")


def test_a_message_to_a_hook_of_discord(viewer, channel):
    embed = {"title": "1.2", "description": "is out", "color": 0x2EB886, "url": "https://a.example/1.2"}
    post(hook(channel, "discord"), {"embeds": [embed]})
    check(viewer.toast("is out"), "success", "1.2", "https://a.example/1.2")

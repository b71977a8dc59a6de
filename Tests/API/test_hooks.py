"""Hooks: made with a secret, posted to in other systems' formats, and never in a log."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from channel import Channel
from logs import wait_for
from toastd import BINARY

PAYLOADS = Path(__file__).parent / "payloads"


def make(channel: Channel, format: str, name: str = "ci", **members: Any) -> str:
    """Makes a hook; returns its path."""
    answer = channel.http.put(f"{channel.path}/hooks/{name}", json={"format": format, **members})
    assert answer.status_code == 201, answer.text
    hook = answer.json()
    assert hook["path"] == f"/v1/hooks/{name}/{hook['secret']}"
    return hook["path"]


def payload(name: str) -> dict[str, Any]:
    return json.loads((PAYLOADS / name).read_text())


def only(channel: Channel) -> dict[str, Any]:
    (toast,) = channel.toasts()
    return toast


def test_a_hook_is_made_changed_listed_and_removed(channel):
    path = make(channel, "slack")
    url = f"{channel.path}/hooks/ci"
    changed = channel.http.put(url, json={"format": "slack", "defaults": {"placement": "bottom"}})
    assert changed.status_code == 200
    hook = {"name": "ci", "channel": channel.name, "format": "slack", "defaults": {"placement": "bottom"}}
    assert changed.json() == hook
    assert channel.http.get(url).json() == hook
    assert channel.http.get(f"{channel.path}/hooks").json() == {"hooks": [hook]}
    assert channel.http.post(path, json={"text": "hi"}).text == "ok"
    assert only(channel)["placement"] == "bottom"
    assert channel.http.delete(url).status_code == 204
    assert channel.http.delete(url).status_code == 404
    gone = channel.http.post(path, json={"text": "hi"})
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:toastd:problem:hook-not-found")


def test_hooks_are_not_in_a_channels_settings_and_events(channel):
    start = channel.cursor()
    make(channel, "github", signingSecret="geheim")
    assert channel.history(start) == []
    assert "hook" not in channel.http.get(f"{channel.path}/settings").text
    assert "geheim" not in channel.http.get(f"{channel.path}/hooks").text


def test_a_hook_is_gone_with_its_channel(channel):
    path = make(channel, "slack")
    assert channel.http.delete(channel.path).status_code == 204
    assert channel.http.post(path, json={"text": "hi"}).status_code == 404


def test_a_hook_survives_a_restart_and_its_secret_is_stored_nowhere(launch, tmp_path):
    server = launch()
    channel = Channel(server.url, "kept")
    path = make(channel, "slack")
    server.stop()
    secret = path.rsplit("/", 1)[1].encode()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if secret in file.read_bytes()]
    server.start()
    channel = channel.on(server.url)
    assert channel.http.post(path, json={"text": "hi"}).text == "ok"


def test_a_hook_may_publish_to_its_channel_only_and_needs_no_key(launch, tmp_path):
    access, rights = tmp_path / "access.json", "publish,subscribe,respond,manage"
    command = [BINARY, "key", "create", "--access", str(access), "--name", "boss", "--scopes", rights]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    server = launch("--access", str(access), "--log-format", "json", store="memory")
    channel = Channel(server.url, "ops")
    assert channel.http.get(f"{channel.path}/hooks").status_code == 401
    channel.http.headers["Authorization"] = f"Bearer {key}"
    path = make(channel, "slack")
    stranger = httpx.Client(base_url=server.url)
    posted = stranger.post(path, json={"text": "hi", "icon_emoji": ":tada:"})
    assert posted.text == "ok"
    assert only(channel)["message"] == "hi"
    assert stranger.post(path[:-1], json={"text": "hi"}).status_code == 404
    # The log has the path without the secret, the hook as the caller, and the ignored members.
    (line,) = wait_for(server, logger="access", request=posted.headers["x-request-id"])
    assert (line["caller"], line["path"]) == ("hook:ops/ci", "/v1/hooks/…")
    (line,) = wait_for(server, logger="message", request=posted.headers["x-request-id"])
    assert line["members"] == "/icon_emoji"
    stranger.get(path)
    stranger.post(path + "/x")
    stranger.post(path, json=[])
    assert path.rsplit("/", 1)[1] not in "\n".join(server.log)


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"format": "slak"}, "/format"),
        ({}, "/format"),
        ({"format": "json", "pointers": {"title": "/a~2"}}, "/pointers/title"),
        ({"format": "slack", "defaults": {"bogus": 1}}, "/defaults/bogus"),
    ],
)
def test_a_refused_hook_has_only_its_fault_as_error(channel, members, pointer):
    refused = channel.http.put(f"{channel.path}/hooks/ci", json=members)
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["pointer"] == pointer
    assert "ignored" not in error["detail"]


def test_slack_has_the_answers_of_slack(channel):
    path = make(channel, "slack")
    form = channel.http.post(path, data={"payload": json.dumps({"text": "from a form"})})
    assert (form.status_code, form.text, form.headers["content-type"]) == (200, "ok", "text/plain; charset=utf-8")
    assert only(channel)["message"] == "from a form"
    assert (channel.http.post(path, json={}).status_code, channel.http.post(path, json={}).text) == (400, "no_text")
    assert channel.http.post(path, content="text=x").text == "invalid_payload"
    assert len(channel.toasts()) == 1


def test_discord_has_the_answers_of_discord(channel):
    path = make(channel, "discord")
    assert channel.http.post(path, json={"content": "hi"}).status_code == 204
    message = channel.http.post(f"{path}?wait=True", json={"content": "ho"})
    assert (message.status_code, message.json()["content"]) == (200, "ho")


def test_overload_has_a_status_after_which_each_sender_retries(launch):
    server = launch("--limit-publish", "1/h:2", store="memory")
    for name, format, status in [
        ("a", "alertmanager", 503),
        ("g", "grafana", 503),
        ("s", "slack", 429),
        ("d", "discord", 429),
    ]:
        channel = Channel(server.url, f"busy-{name}")
        path = make(channel, format, name)
        answers = [channel.http.post(path, json=payload("grafana.json")) for _ in range(3)]
        assert answers[2].status_code == status, answers[2].text
        assert int(answers[2].headers["retry-after"]) > 0
        if status == 503:
            # RFC 9457 §3.1.2: `status` is that of the response.
            assert answers[2].json()["status"] == 503
        if format == "discord":
            assert answers[2].json()["retry_after"] > 0


def test_alertmanager_fires_and_resolves_one_toast(channel):
    path = make(channel, "alertmanager")
    for name, role in [("alertmanager-firing.json", "error"), ("alertmanager-resolved.json", "success")]:
        assert channel.http.post(path, json=payload(name)).status_code == 200
        assert only(channel)["role"] == role
    assert only(channel)["title"] == "DiskFull"


@pytest.mark.parametrize(("alerts", "pointer"), [(5, "/alerts"), ([5], "/alerts/0")])
def test_a_group_whose_alerts_are_no_list_of_objects_is_refused(channel, alerts, pointer):
    path = make(channel, "alertmanager")
    refused = channel.http.post(path, json={"status": "firing", "receiver": "ops", "alerts": alerts})
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]
    assert channel.toasts() == []


def test_a_recorded_post_of_grafana_is_a_toast(channel):
    path = make(channel, "grafana", signingSecret="s3cret")
    body = (PAYLOADS / "grafana.json").read_bytes()
    code = hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
    headers = {"Content-Type": "application/json"}
    assert channel.http.post(path, content=body, headers=headers).status_code == 401
    signed = {**headers, "X-Grafana-Alerting-Signature": code}
    assert channel.http.post(path, content=body, headers=signed).status_code == 200
    toast = only(channel)
    assert toast["title"] == "[FIRING:1] High CPU (web)"
    assert [action["title"] for action in toast["actions"]] == ["Open", "Silence"]


def test_a_recorded_post_of_github_is_a_toast(channel):
    path = make(channel, "github", signingSecret="s3cret")
    for name, event in [("github-push.json", "push"), ("github-workflow_run.json", "workflow_run")]:
        body = (PAYLOADS / name).read_bytes()
        code = "sha256=" + hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
        headers = {"Content-Type": "application/json", "X-GitHub-Event": event}
        assert channel.http.post(path, content=body, headers=headers).status_code == 401
        assert (
            channel.http.post(path, content=body, headers={**headers, "X-Hub-Signature-256": code}).status_code == 200
        )
    push, run = channel.toasts()
    assert push["title"] == "octo/app: main"
    assert (run["role"], run["title"]) == ("error", "octo/app: CI")


def test_a_change_of_a_hook_keeps_the_secret_that_its_sender_signs_with(channel):
    path = make(channel, "gitlab", signingSecret="t")

    def change(**members):
        response = channel.http.put(f"{channel.path}/hooks/ci", json=members)
        assert response.status_code == 200, response.text
        return response.json().get("isSigned")

    def status(**headers):
        return channel.http.post(path, json=payload("gitlab-push.json"), headers=headers).status_code

    assert change(format="gitlab", defaults={"placement": "bottom"}) is True
    assert (status(), status(**{"X-Gitlab-Token": "t"})) == (401, 200)
    assert change(format="gitlab", signingSecret="u") is True
    assert (status(**{"X-Gitlab-Token": "t"}), status(**{"X-Gitlab-Token": "u"})) == (401, 200)
    # A change of the format removes the signing secret, because senders of another format may not sign.
    assert change(format="slack") is None
    assert change(format="gitlab") is False
    assert change(format="gitlab", signingSecret="u") is True
    assert change(format="gitlab", signingSecret=None) is False
    assert status() == 200


def test_a_recorded_post_of_gitlab_is_a_toast(channel):
    path = make(channel, "gitlab", signingSecret="t")
    for name in ("gitlab-push.json", "gitlab-pipeline.json"):
        assert channel.http.post(path, json=payload(name)).status_code == 401
        assert channel.http.post(path, json=payload(name), headers={"X-Gitlab-Token": "t"}).status_code == 200
    push, pipeline = channel.toasts()
    assert push["title"] == "group/app: main"
    assert (pipeline["role"], pipeline["title"]) == ("error", "group/app: Pipeline #31")


@pytest.mark.parametrize(
    ("file", "hook", "expected"),
    [
        (
            "uptime-kuma.json",
            {
                "pointers": {
                    "title": "/monitor/name",
                    "message": "/msg",
                    "role": "/heartbeat/status",
                    "reuseIdentifier": "/monitor/id",
                },
                "roles": {"0": "error", "1": "success"},
            },
            {"title": "Shop", "role": "error", "reuseIdentifier": "3"},
        ),
        (
            "home-assistant.json",
            {"pointers": {"title": "/title", "message": "/message", "role": "/data/level"}},
            {"title": "Garage", "message": "The door is open", "role": "warning"},
        ),
        (
            "healthchecks.json",
            {
                "pointers": {
                    "title": "/name",
                    "message": "/text",
                    "role": "/status",
                    "link": "/url",
                    "reuseIdentifier": "/code",
                }
            },
            {"title": "Backup", "role": "error", "link": "https://hc.example/checks/1/details/"},
        ),
    ],
)
def test_a_mapping_of_pointers_makes_a_toast_of_any_document(channel, file, hook, expected):
    path = make(channel, "json", **hook)
    answer = channel.http.post(path, json=payload(file))
    assert answer.status_code == 200, answer.text
    toast = only(channel)
    assert answer.json() == {"toasts": [toast["id"]]}
    assert {member: toast.get(member) for member in expected} == expected


def test_a_post_without_text_is_refused_and_ignored_members_cause_warnings(channel):
    path = make(channel, "apprise")
    assert channel.http.post(path, json={"type": "info"}).status_code == 422
    told = channel.http.post(path, json={"message": "m", "colour": "red"}).json()
    assert [warning["pointer"] for warning in told["warnings"]] == ["/colour"]
    told = channel.http.post(path, json={"title": 5, "body": "b"}).json()
    assert [warning["pointer"] for warning in told["warnings"]] == ["/title"]
    hook = make(channel, "github", "hub")
    assert channel.http.post(hook, json={}, headers={"X-GitHub-Event": "push"}).status_code == 422
    ping = channel.http.post(hook, json={"zen": "Keep it."}, headers={"X-GitHub-Event": "ping"})
    assert (ping.status_code, ping.json()["toasts"]) == (200, [])


def test_an_event_with_data_twice_is_refused(channel):
    path = make(channel, "cloudevents")
    event = {"specversion": "1.0", "id": "7", "source": "/ci", "type": "build", "data": "a", "data_base64": "Yg=="}
    headers = {"Content-Type": "application/cloudevents+json"}
    for target in (path, f"{channel.path}/toasts"):
        refused = channel.http.post(target, content=json.dumps(event), headers=headers)
        assert refused.status_code == 422
        assert [error["pointer"] for error in refused.json()["errors"]] == ["/data_base64"]
    assert channel.toasts() == []


def test_an_event_is_published_once(channel):
    path = make(channel, "cloudevents")
    event = {"specversion": "1.0", "id": "7", "source": "/ci", "type": "build", "data": {"message": "Built"}}
    headers = {"Content-Type": "application/cloudevents+json"}
    for target in (path, f"{channel.path}/toasts"):
        for _ in range(2):
            answer = channel.http.post(target, content=json.dumps(event), headers=headers)
            assert answer.status_code in (200, 201), answer.text
    # Idempotency keys belong to a sender, so the hook and the API publish one toast each.
    assert [toast["message"] for toast in channel.toasts()] == ["Built", "Built"]

"""Debian's Alertmanager posts to a hook: a firing alert makes a toast, which changes when the alert is resolved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alertmanager import Alertmanager
from channel import Channel


@pytest.fixture
def alertmanager(tmp_path: Path, channel: Channel) -> Iterator[Alertmanager]:
    hook = channel.http.put(f"{channel.path}/hooks/alerts", json={"format": "alertmanager"}).json()
    alertmanager = Alertmanager(tmp_path, channel.url + hook["path"])
    yield alertmanager
    alertmanager.stop()


def test_an_alert_fires_and_is_resolved_in_one_toast(channel, alertmanager):
    alertmanager.post(resolved=False)
    alertmanager.wait(channel.toasts)
    (firing,) = channel.toasts()
    assert (firing["role"], firing["title"], firing["message"]) == ("error", "DiskFull", "db-1 has 2 % left")
    assert firing["duration"] == "indefinite"
    assert firing["actions"][0]["url"] == "https://prometheus.example/graph?g0.expr=up"
    alertmanager.post(resolved=True)
    alertmanager.wait(lambda: channel.get(firing).json()["role"] == "success")
    (resolved,) = channel.toasts()
    assert resolved["id"] == firing["id"]
    assert "level=error" not in alertmanager.log.read_text()

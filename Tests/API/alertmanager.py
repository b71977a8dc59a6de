"""A process of Debian's Alertmanager."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import yaml

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


class Alertmanager:
    """A process of prometheus-alertmanager that notifies one URL."""

    def __init__(self, directory: Path, url: str) -> None:
        configuration = directory / "alertmanager.yml"
        # The recipe, without the half minute that it waits for more alerts of a group.
        text = re.search(r"```yaml\n(route:.*?)```", (ROOT / "docs/recipes.md").read_text(), re.DOTALL)[1]
        recipe = yaml.safe_load(text.replace("https://toasts.example/v1/hooks/alertmanager/SECRET", url))
        recipe["route"] |= {"group_wait": "0s", "group_interval": "1s"}
        configuration.write_text(yaml.safe_dump(recipe))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = directory / "alertmanager.log"
        command = [
            "prometheus-alertmanager",
            f"--config.file={configuration}",
            f"--storage.path={directory / 'alerts'}",
            f"--web.listen-address=127.0.0.1:{port}",
            "--cluster.listen-address=",
        ]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        self.wait(lambda: httpx.get(f"{self.url}/-/ready").status_code == 200)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def wait(self, condition: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if condition():
                    return
            except httpx.TransportError:
                pass
            assert time.monotonic() < deadline, self.log.read_text()
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def post(self, *, resolved: bool) -> None:
        """Posts the state of an alert, as Prometheus does."""
        now = datetime.now(UTC)
        alert = {
            "labels": {"alertname": "DiskFull", "severity": "critical", "instance": "db-1"},
            "annotations": {"summary": "db-1 has 2 % left"},
            "startsAt": (now - timedelta(minutes=5)).isoformat(),
            "endsAt": (now - timedelta(seconds=1) if resolved else now + timedelta(hours=1)).isoformat(),
            "generatorURL": "https://prometheus.example/graph?g0.expr=up",
        }
        answer = httpx.post(f"{self.url}/api/v2/alerts", json=[alert])
        assert answer.status_code == 200, answer.text

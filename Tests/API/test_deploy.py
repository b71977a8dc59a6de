"""The files of deploy/: their settings are valid for toastd, and the paths and metrics that they read exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from typing import Any

import httpx
import pytest
import yaml

from toastd import BINARY, ROOT

DEPLOY = ROOT / "deploy"
IMAGE = (ROOT / "Dockerfile").read_text()


def settings_of_image() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(re.findall(r"(TOASTD_\w+)=(\S+)", IMAGE.split("FROM ${DEBIAN_IMAGE}")[1]))


def check(arguments: list[str], environment: dict[str, str]) -> None:
    """Checks the arguments and the environment of `serve` with `check-config`."""
    assert arguments[0] == "serve"
    ended = subprocess.run(
        [BINARY, "check-config", *arguments[1:]],
        env={name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}
        | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    # Files of the target machine may be missing here; everything else must be valid.
    faults = [line for line in ended.stderr.splitlines() if line and "no such file" not in line.lower()]
    assert not faults, (arguments, faults)


def services(name: str) -> dict[str, dict[str, Any]]:
    return yaml.safe_load((DEPLOY / "compose" / name).read_text())["services"]


@pytest.mark.parametrize("name", ["compose.yaml", "cluster.yaml"])
def test_compose_starts_toastd_with_settings_that_it_knows(name, tmp_path):
    found = [service for service in services(name).values() if service["image"] == "toastd"]
    assert len(found) == (1 if name == "compose.yaml" else 3)
    for service in found:
        command = [word.replace("/run/secrets", str(tmp_path)) for word in service.get("command", ["serve"])]
        (tmp_path / "cluster.key").write_text("0123456789abcdef" * 4)
        (tmp_path / "access.json").write_text('{"keys": []}')
        environment = settings_of_image() | {"TOASTD_PUBLIC": str(ROOT / "public")}
        environment["TOASTD_ACCESS"] = str(tmp_path / "access.json")
        check(command, environment)


def test_each_server_of_the_composed_cluster_knows_the_others():
    servers = {name: service for name, service in services("cluster.yaml").items() if service["image"] != "toastd"}
    assert len(servers) == 3
    for name, server in servers.items():
        words = shlex.split(server["command"])
        assert words[words.index("--server_name") + 1] == name
        routes = words[words.index("--routes") + 1].split(",")
        assert sorted(routes) == [f"nats://{other}:6222" for other in sorted(servers)]


def test_the_pod_is_started_with_settings_that_toastd_knows(tmp_path):
    _, workload = yaml.safe_load_all((DEPLOY / "kubernetes" / "toastd.yaml").read_text())
    pod = workload["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (tmp_path / "access.json").write_text('{"keys": []}')
    environment = settings_of_image() | {each["name"]: each["value"] for each in container["env"]}
    environment |= {"TOASTD_PUBLIC": str(ROOT / "public"), "TOASTD_ACCESS": str(tmp_path / "access.json")}
    check(container["args"], environment)
    # The user of the image, who must own the volume.
    assert f"USER {pod['securityContext']['runAsUser']}:" in IMAGE


def test_probes_ask_for_paths_that_are_there(server):
    text = (DEPLOY / "kubernetes" / "toastd.yaml").read_text()
    paths = re.findall(r"httpGet: \{ path: (\S+),", text)
    assert len(paths) == 2
    for path in paths:
        assert httpx.get(f"{server.url}{path}").status_code == 200


def test_the_dashboard_asks_for_metrics_that_are_there(server):
    dashboard = json.loads((DEPLOY / "grafana" / "toastd.json").read_text())
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b((?:toastd|http|process)_\w+)\{", target["expr"])
    }
    assert len(asked) > 15
    said = httpx.get(f"{server.url}/metrics").text
    known = {re.sub(r"[{ ].*", "", line) for line in said.splitlines() if not line.startswith("#")}
    typed = {line.split()[2] for line in said.splitlines() if line.startswith("# TYPE")}
    # Metrics that this server does not have, such as those of a cluster, must be in the documentation.
    documented = (ROOT / "docs" / "observability.md").read_text() + (ROOT / "docs" / "operations.md").read_text()
    for name in asked:
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        assert name in known or base in typed or f"`{base}`" in documented, name

"""openapi.yaml describes the server: schemathesis makes requests from it, and checks every response against it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from toastd import BINARY, ROOT

HERE = Path(__file__).parent

# A stream never ends; other tests check its content.
ENDLESS = ["streamChannel", "streamChannels", "pollChannel", "pollChannels", "openChannelSocket", "openSocket"]


@pytest.mark.timeout(900)
def test_every_answer_is_as_described(launch, tmp_path, soak):
    # Anonymous clients have all scopes; a key is needed only for sessions and tickets.
    access, rights = tmp_path / "access.json", "publish,subscribe,respond,manage"
    options = ["--name", "contract", "--scopes", rights, "--access", str(access)]
    key = subprocess.run([BINARY, "key", "create", *options], check=True, capture_output=True, text=True).stdout.strip()
    server = launch("--access", str(access), "--allow-anonymous", rights)
    command = [
        str(Path(sys.executable).with_name("st")),
        *("--config-file", str(HERE / "schemathesis.toml")),
        *("run", str(ROOT / "openapi.yaml"), "--url", server.url),
        *("--mode", "all", "--phases", "examples,coverage,fuzzing,stateful"),
        *("--max-examples", "200" if soak else "25", "--request-timeout", "60"),
        *("--generation-database", "none", "--no-color"),
        *("--header", f"Authorization: Bearer {key}"),
    ]
    # The short run is deterministic; the long run uses another seed each time, unless a seed is to be repeated.
    seed = os.environ.get("TOASTD_CONTRACT_SEED") if soak else "1"
    if seed:
        command += ["--seed", seed]
    for name in ENDLESS:
        command += ["--exclude-operation-id", name]
    result = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert result.returncode == 0, result.stdout[-20_000:] + result.stderr[-2000:]
    assert server.process.poll() is None


def test_every_route_is_described():
    routes = re.findall(r'on\(\.(\w+), "([^"]+)"', (ROOT / "Sources/ToastServer/Endpoints/Routes.swift").read_text())
    paths = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)["paths"]
    described = {(method, path) for path, item in paths.items() for method in item if method != "parameters"}
    assert described == set(routes)

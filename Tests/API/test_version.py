"""toastd, its API, its clients and the changelog have one version."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib

import yaml

from toastd import BINARY, ROOT


def text(name: str) -> str:
    return (ROOT / name).read_text()


def test_everything_has_one_version():
    command = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True, timeout=60)
    versions = {
        "toastd --version": command.stdout.strip(),
        "CHANGELOG.md": re.search(r"^## \[(.+?)\]", text("CHANGELOG.md"), re.MULTILINE)[1],
        "clients/js": json.loads(text("clients/js/package.json"))["version"],
        "clients/python": tomllib.loads(text("clients/python/pyproject.toml"))["project"]["version"],
        "toastd.__version__": re.search(
            r'^VERSION = "(.+)"$', text("clients/python/src/toastd/_calls.py"), re.MULTILINE
        )[1],
    }
    for name in ("openapi.yaml", "asyncapi.yaml"):
        versions[name] = yaml.load(text(name), Loader=yaml.CSafeLoader)["info"]["version"]
    assert len(set(versions.values())) == 1, versions

"""The statements of the documents about the server are true."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import httpx
import pytest
import yaml

from commands import run
from toastd import BINARY, PUBLIC, ROOT, Toastd


def text(name: str) -> str:
    return (ROOT / name).read_text()


def test_the_contract_names_every_style():
    schema = yaml.load(text("openapi.yaml"), Loader=yaml.CSafeLoader)["components"]["schemas"]["StyleName"]
    shared = {"base", "controls", "parts", "stage"}
    shipped = {path.stem for path in (ROOT / "public" / "styles").glob("*.css")} - shared
    assert set(re.findall(r"`([a-z]+)`", schema["description"])) == shipped
    assert len(shipped) == 10


def test_limits_have_the_status_that_the_document_says(server, name):
    row = next(line for line in text("docs/limits.md").splitlines() if line.startswith("| toasts of a request"))
    assert "413 `batch-too-large`; channels: 422 `invalid-toast` at `/channels`" in row
    toast = {"message": "m"}
    several = httpx.post(f"{server.url}/v1/channels/{name}/toasts", json=[toast] * 101)
    assert (several.status_code, several.json()["type"]) == (413, "urn:toastd:problem:batch-too-large")
    channels = {"channels": [f"{name[:50]}-{number}" for number in range(101)], "toast": toast}
    many = httpx.post(f"{server.url}/v1/toasts", json=channels)
    assert (many.status_code, many.json()["type"]) == (422, "urn:toastd:problem:invalid-toast")
    assert [error["pointer"] for error in many.json()["errors"]] == ["/channels"]


def test_the_contract_says_what_a_patch_and_a_press_do():
    """PATCH says when the countdown restarts, as docs/api.md does; an action says that a press need not end a toast."""
    paths = yaml.load(text("openapi.yaml"), Loader=yaml.CSafeLoader)["paths"]
    toast = "/v1/channels/{channel}/toasts/{id}"
    patch, press = paths[toast]["patch"], paths[f"{toast}/actions/{{action}}"]["post"]
    unlinked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text("docs/api.md").replace("\n", " "))
    [sentence] = re.findall(r"The countdown restarts [^.]*\.", unlinked)
    assert sentence in patch["description"]
    assert {"`dismisses`", "`false`", "`whenDone`", "`pending`"} <= set(re.findall(r"`\w+`", press["description"]))


def test_the_documented_resources_have_entity_tags(server, channel):
    sentence = text("docs/api.md").replace("\n", " ")
    assert "A channel's list of toasts, a toast, settings and catalogs have an `ETag`" in sentence
    assert "The lists of channels, presets and styles have none." in sentence
    path = f"/v1/channels/{channel.name}"
    toast = channel.publish("m")["id"]
    with_tag = [f"{path}/toasts", f"{path}/toasts/{toast}", f"{path}/settings", "/v1/catalogs", "/v1/catalogs/en"]
    without = ["/v1/channels", "/v1/presets", "/v1/styles"]
    found = {path: "etag" in httpx.get(server.url + path).headers for path in with_tag + without}
    assert found == {path: path in with_tag for path in with_tag + without}


def test_presets_and_accessibility_say_the_same():
    """docs/presets.md and docs/accessibility.md agree that rotation restarts the viewer's own countdowns."""
    presets = text("docs/presets.md")
    assert "starts its own countdowns again" in presets
    assert "the toasts on it have their full time again" in text("docs/accessibility.md")


def test_the_example_of_tokens_works(tmp_path):
    """The example in docs/security.md works; its token has the permissions that the next sentence states."""
    section = text("docs/security.md").split("### Tokens", 1)[1]
    example = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "toastd").symlink_to(BINARY)
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    environment = os.environ | {"PATH": path}
    made = subprocess.run(
        ["bash", "-euc", example], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert made.returncode == 0, made.stderr
    token = {"Authorization": f"Bearer {made.stdout.strip()}"}
    with Toastd(tmp_path, "--access", str(tmp_path / "access.json")) as server:
        codes = [
            httpx.get(f"{server.url}/v1/channels/{name}/toasts", headers=token).status_code
            for name in ("ops-eu", "lobby")
        ]
        assert codes == [200, 403]


@pytest.mark.parametrize("document", ["security"])
def test_every_access_file_of_the_documents_is_json_that_is_read(tmp_path, document):
    examples = re.findall(r"```json\n(\{\"keys\".*?)```", text(f"docs/{document}.md"), re.DOTALL)
    assert examples
    for example in examples:
        (tmp_path / "access.json").write_text(example)
        access = str(tmp_path / "access.json")
        checked = run("check-config", "--access", access, "--public", str(PUBLIC), "--store", "memory")
        assert (checked.returncode, checked.stderr) == (0, ""), json.loads(example)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A staging directory with what `make install` installs under a prefix."""
    stage = tmp_path_factory.mktemp("stage")
    options = [f"DESTDIR={stage}", "PREFIX=/opt/toastd", f"BINARY={BINARY}", "UNITS=/etc/systemd/system"]
    made = subprocess.run(["make", "install", *options], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    return stage


def test_make_install_puts_everything_below_its_prefix(stage):
    share = stage / "opt/toastd/share/toastd"
    assert {path.name for path in share.iterdir()} == {"public", "openapi.yaml", "LICENSE", "THIRD-PARTY-NOTICES.md"}
    assert (share / "openapi.yaml").read_bytes() == (ROOT / "openapi.yaml").read_bytes()
    unit = (stage / "etc/systemd/system/toastd.service").read_text()
    assert "ExecStart=/opt/toastd/bin/toastd serve" in unit and "/usr/local" not in unit
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in share.rglob("*"))


def test_an_installed_server_serves_all_of_it(stage, tmp_path):
    """It is started in an empty directory, by the path of the binary alone."""
    command = [stage / "opt/toastd/bin/toastd", "serve", "--listen", "127.0.0.1:0", "--store", "memory"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env={}) as process:
        try:
            address = next(found[0] for line in process.stderr if (found := re.search(r"http://[^\s\"]+", line)))
            for path in ("/", "/openapi.yaml", "/toast-viewer.js", "/gallery.html", "/styles/glass.css"):
                assert httpx.get(address + path).status_code == 200, path
        finally:
            process.kill()


def test_make_install_without_a_binary_says_what_to_do(tmp_path):
    made = subprocess.run(
        ["make", "install", f"DESTDIR={tmp_path}", "BINARY=none"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert made.returncode != 0
    assert "run make static first" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_steps_of_the_unit_copy_everything_that_is_served():
    steps = text("docs/operations.md").split("## systemd", 1)[1].split("## ", 1)[0]
    assert "make install UNITS=/etc/systemd/system" in steps
    assert "cp -r public" not in steps

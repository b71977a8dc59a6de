"""Catalogs that survive the process, and catalogs from files."""

from __future__ import annotations

import json
import re
import subprocess

import httpx
import pytest

from test_catalogs import XCSTRINGS
from test_problems import problem
from toastd import ROOT, Toastd


def test_catalogs_survive_a_kill(launch, tmp_path):
    server = launch()
    assert httpx.put(f"{server.url}/v1/catalogs/fr", json={"a": "b"}).status_code == 201
    assert httpx.put(f"{server.url}/v1/catalogs/pl", json={"a": "b"}).status_code == 201
    assert httpx.delete(f"{server.url}/v1/catalogs/pl").status_code == 204
    server.kill()
    again = launch()
    assert httpx.get(f"{again.url}/v1/catalogs/fr").json() == {"a": "b"}
    problem(httpx.get(f"{again.url}/v1/catalogs/pl"), 404, "catalog-not-found")


@pytest.fixture
def directory(tmp_path):
    directory = tmp_path / "catalogs"
    (directory / "pt_BR.lproj").mkdir(parents=True)
    (directory / "pt_BR.lproj" / "Localizable.strings").write_bytes('"a" = "ação";'.encode("utf-16"))
    (directory / "en.lproj").mkdir()
    (directory / "fr.json").write_text('{"a": "fichier", "close": "Fermer"}')
    (directory / "fr.strings").write_text('"a" = "strings";')
    (directory / "App.xcstrings").write_text(json.dumps(XCSTRINGS))
    (directory / "README.md").write_text("not a catalog")
    (directory / ".hidden.json").write_text("{")
    return directory


def test_files_are_read_at_the_start(launch, directory):
    url = launch("--catalogs", str(directory), "--language", "fr", store="memory").url
    body = httpx.get(f"{url}/v1/catalogs").json()
    assert body["default"] == "fr"
    assert [catalog["language"] for catalog in body["catalogs"]] == ["de", "en", "fr", "pl", "pt-BR"]
    assert httpx.get(f"{url}/v1/catalogs/pt-BR").json() == {"a": "ação"}
    french = {"a": "strings", "close": "Fermer"}
    assert httpx.get(f"{url}/v1/catalogs/fr").json() == french
    httpx.put(f"{url}/v1/catalogs/fr", json={"a": "API"})
    assert httpx.get(f"{url}/v1/catalogs/fr").json() == {**french, "a": "API"}
    toast = httpx.post(f"{url}/v1/channels/ops/toasts", json={"message": {"key": "a"}}).json()
    read = httpx.get(f"{url}/v1/channels/ops/toasts/{toast['id']}")
    assert (read.headers["content-language"], read.json()["message"]["text"]) == ("fr", "API")


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("fr.json", '{"a": 1}', "/a: "),
        ("fr.json", '{"a" "b"}', "byte 5"),
        ("fr.strings", '"a" = "b";\n"c"', "line 2: "),
        ("App.xcstrings", '{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": 1}}}}',
         "/strings/a/localizations/en: "),
        ("french.json", "{}", "language"),
    ],
)  # fmt: skip
def test_a_malformed_file_keeps_the_server_from_starting(server: Toastd, tmp_path, name, content, place):
    directory = tmp_path / "catalogs"
    directory.mkdir()
    (directory / name).write_text(content)
    store = f"sqlite:{tmp_path / 'new.db'}"
    command = [server.command[0], "serve", "--listen", "127.0.0.1:0", "--store", store, "--catalogs", str(directory)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert ended.returncode != 0
    assert re.search(re.escape(name) + ".*" + re.escape(place), ended.stderr), ended.stderr
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("option", [("--language", "english"), ("--catalogs", "/no/such/directory")])
def test_an_invalid_setting_keeps_the_server_from_starting(server: Toastd, option):
    command = [server.command[0], "serve", "--listen", "127.0.0.1:0", "--store", "memory", *option]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert ended.returncode != 0
    assert (option[1] if option[0] == "--catalogs" else "language") in ended.stderr

"""Settings are declared once: flags, variables, members of the file and the tables of docs/ follow."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import subprocess
from types import ModuleType

import pytest

from commands import run
from toastd import BINARY, PUBLIC, ROOT

SCRIPT = ROOT / "scripts" / "settings"


@pytest.fixture(scope="module")
def declared() -> dict[str, list[dict[str, str]]]:
    return json.loads(run("check-config", "--tables").stdout)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("settings", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("settings", loader))
    loader.exec_module(module)
    return module


def test_the_tables_agree_with_the_declarations():
    environment = {**os.environ, "TOASTD_BIN": str(BINARY)}
    checked = subprocess.run([SCRIPT, "--check"], capture_output=True, text=True, env=environment, timeout=120)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_tables_follow_the_declarations_and_keep_their_prose(script, declared):
    texts = [document.read_text() for document in script.DOCUMENTS]
    loops = next(line for line in texts[0].splitlines() if line.startswith("| `--loops`"))
    batch = next(line for line in texts[1].splitlines() if "`--max-batch`" in line)
    spoilt = [texts[0].replace(loops + "\n", ""), texts[1].replace(batch, batch.replace("| 100 |", "| 7 |"))]
    assert spoilt[0] != texts[0] and spoilt[1] != texts[1]
    written = script.rewritten(spoilt, declared)
    assert written[1] == texts[1]
    back = next(line for line in written[0].splitlines() if line.startswith("| `--loops`"))
    assert back.removesuffix("|").rstrip().endswith("How many event loops to run.")
    assert script.cells(back)[:-1] == script.cells(loops)[:-1]
    # A setting that is no longer declared has no row.
    fewer = {kind: [setting for setting in rows if setting["name"] != "loops"] for kind, rows in declared.items()}
    assert script.rewritten(texts, fewer)[0] == spoilt[0]


def test_every_setting_can_be_set_in_each_place(tmp_path, declared):
    settings = [setting for rows in declared.values() for setting in rows if setting["default"].isdigit()]
    assert len(settings) > 40
    file = tmp_path / "toastd.json"
    file.write_text(json.dumps({setting["name"]: int(setting["default"]) for setting in settings}))
    base = ["--public", str(PUBLIC), "--store", "memory", "--output", "json"]

    def sources(*arguments: str, **options) -> dict[str, str]:
        checked = run("check-config", *base, *arguments, **options)
        assert checked.returncode == 0, checked.stderr
        return {entry["name"]: entry["source"] for entry in json.loads(checked.stdout)["settings"]}

    in_file = sources("--config", str(file))
    in_environment = sources(environment={setting["variable"]: setting["default"] for setting in settings})
    flags = sources(*[word for setting in settings for word in (setting["flag"], setting["default"])])
    for setting in settings:
        found = [where[setting["name"]] for where in (in_file, in_environment, flags)]
        assert found == [str(file), setting["variable"], setting["flag"]]
